import type { OutgoingFile } from '../files/files.ts'
import { type Problem, ProblemError } from '../problem.ts'

export type { OutgoingFile }

/** A channel or a direct conversation that the service knows by this identifier. */
export interface Conversation {
  /** What requests carry: opaque, such as `C0123ABCD`, `general`, `42`. */
  readonly id: string
  /** What the user wrote; differs from `id` when a user id became a direct conversation. */
  readonly requested: string
}

/** What is said with the files: plain text as typed, or blocks, which Slack renders. */
export type Comment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'blocks'; readonly blocks: readonly object[] }

export interface StagedFile {
  readonly file: OutgoingFile
  /** The service's identifier of the file, once it has one. */
  readonly id?: string
}

/** Files that appear together in each of the conversations. */
export interface Message {
  readonly conversations: readonly Conversation[]
  readonly files: readonly StagedFile[]
  readonly comment?: Comment
  /** ts of the message that this one replies to. */
  readonly threadTs?: string
}

export interface PublishedFile {
  readonly file: OutgoingFile
  readonly id?: string
  /** Link to the page of the file (not to the message). */
  readonly permalink?: string
  /** Bytes that the service says it has. */
  readonly size?: number
}

/** Where a message stands: proof that people see it. */
export interface Share {
  readonly conversation: Conversation
  /** Such as `1760688662.900279`: a string, six decimals, never a number. Not every proof has one. */
  readonly ts?: string
}

/** What became of a message. Settling of outcomes that were unknown at first has already been tried. */
export type Outcome =
  | Published
  /** Some conversations show it; the others certainly do not, or nobody knows. */
  | {
      readonly kind: 'partly'
      readonly files: readonly PublishedFile[]
      /** Never empty. */
      readonly shares: readonly Share[]
      readonly others: 'not-sent' | 'unknown'
      readonly why: Problem
    }
  /** The server does not offer the upload method: nothing was posted, another method may be tried. */
  | { readonly kind: 'not-offered'; readonly why: Problem }
  /** Certainly nothing of this message was posted. */
  | { readonly kind: 'refused'; readonly why: Problem }
  /** May or may not have been posted. */
  | { readonly kind: 'unknown'; readonly why: Problem }

/** The service took the message and said so. */
export interface Published {
  readonly kind: 'published'
  readonly files: readonly PublishedFile[]
  /** As far as the answer told. */
  readonly shares: readonly Share[]
}

/** What looks at the service showed about a published message. */
export interface Confirmation {
  /** One for each conversation. */
  readonly shown: readonly Shown[]
  /** The files again, with what was learned of them. */
  readonly files: readonly PublishedFile[]
}

/** What a look at the service shows about a published message in one conversation. */
export type Shown =
  | { readonly kind: 'shown'; readonly share: Share; readonly permalink?: string }
  /** `milliseconds`: how long it was looked for. */
  | { readonly kind: 'not-shown'; readonly conversation: Conversation; readonly milliseconds: number }
  /** `why`: what people could mend to let the step look. */
  | { readonly kind: 'cannot-tell'; readonly conversation: Conversation; readonly why?: Problem }

/** What could be known before anything is visible. */
export interface Finding {
  /** What was looked at: `token`, `scopes`, or a conversation as the user wrote it. */
  readonly about: string
  readonly verdict: 'fine' | 'fails' | 'cannot-tell'
  /** When it fails; several with the same cause share one. Otherwise a short text for the dry run's report. */
  readonly problem?: Problem
  readonly note?: string
}

/** The server does not offer the upload method: nothing was posted, another method may be tried. */
export class NotOfferedError extends ProblemError {}

/**
 * The messaging service, by one upload method. It knows nothing of the runner: no inputs, no log, no outputs.
 *
 * Every method throws `ProblemError` for what certainly failed and had no visible effect.
 */
export interface MessagingService {
  readonly method: 'external' | 'files.upload'
  readonly limits: {
    readonly filesPerMessage: number
    /** Bytes. */
    readonly minFileBytes: number
    readonly commentGoesWith: 'first message' | 'each message'
  }
  /** What the user wrote → conversations: user ids resolved, doubles dropped after that. */
  open(channels: readonly string[]): Promise<readonly Conversation[]>
  /** Looks, as far as the token may, at what would make publishing fail. Never throws for a look that fails. */
  check(conversations: readonly Conversation[]): Promise<readonly Finding[]>
  /**
   * Makes a file ready; nothing is visible yet.
   *
   * @throws NotOfferedError
   */
  stage(file: OutgoingFile, signal: AbortSignal): Promise<StagedFile>
  /** Makes a message visible. */
  publish(message: Message): Promise<Outcome>
  /** Looks until every conversation shows the message, at most 60 seconds. */
  confirm(message: Message, published: Published): Promise<Confirmation>
}

/** What happens while the service is talked to, for whoever tells people about it. */
export type ServiceEvent =
  /** One HTTP call is over. `outcome`: the service's `ok`, its error code, or the code of a network error. */
  | {
      readonly kind: 'call'
      readonly method: string
      readonly status?: number
      readonly outcome: string
      readonly requestId?: string
      readonly milliseconds: number
    }
  /** Something is waited for before it goes on; told once, when the wait begins. */
  | { readonly kind: 'waiting'; readonly milliseconds: number; readonly why: string }
  /** Bytes of a file went out. */
  | { readonly kind: 'bytes'; readonly count: number }
