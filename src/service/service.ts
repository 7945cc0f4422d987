import type { Comment } from '../comment/comment.ts'
import type { Deadline } from '../deadline.ts'
import type { FileContent } from '../files/content.ts'
import type { FoundFile } from '../files/files.ts'
import type { Problem } from '../problem.ts'
import type { Text } from '../text/text.ts'

/** A channel or a direct conversation. */
export interface Channel {
  /** Opaque: `C0123456789`, `general` or `42`. */
  readonly id: string
  /** As the user wrote it: this ID, a user ID or a name. */
  readonly requested: string
}

export interface ServiceFile {
  readonly file: FoundFile
  readonly id?: string | undefined
  /** Link to the file, not to the message. */
  readonly permalink?: string | undefined
}

/** Files that appear together in each channel, or a comment alone (only `external`). */
export interface Message {
  readonly channels: readonly Channel[]
  readonly files: readonly ServiceFile[]
  readonly comment?: Comment | undefined
  /** ts of the message to reply to. */
  readonly threadTs?: string | undefined
}

export type MessageTarget = Pick<Message, 'channels' | 'threadTs'>

/** One message in one channel. */
export interface Posting {
  readonly channel: Channel
  /**
   * - `posted`: seen in the channel.
   * - `accepted`: the service responded ok, but the message was not seen.
   * - `unknown`: it may have been posted, now or later.
   * - `not-sent`: certainly not posted.
   */
  readonly state: 'posted' | 'accepted' | 'unknown' | 'not-sent'
  /** A string with six decimals: `1760688662.900279`. */
  readonly ts?: string | undefined
  readonly permalink?: string | undefined
}

/** One message, in each channel. */
export interface DeliveredMessage {
  /** One per channel, in their order. */
  readonly postings: readonly Posting[]
  /** As the service knows them now. */
  readonly files: readonly ServiceFile[]
}

/** Each channel in the same state. */
export function allInState(
  state: Posting['state'],
  { channels, files }: Message,
): DeliveredMessage {
  return { files, postings: channels.map((channel) => ({ channel, state })) }
}

export interface PostResult extends DeliveredMessage {
  /** One per cause. An error says why something was not posted. */
  readonly problems: readonly Problem[]
}

export interface CheckResult {
  /** `token`, `scopes`, or a channel as the user wrote it. */
  readonly subject: string
  readonly result: 'ok' | 'failed' | 'unknown'
  /** `#general`. Absent for a private channel, because a report may be public. */
  readonly name?: string | undefined
  /** A few words for the report of a dry run. */
  readonly note?: Text | undefined
  /** An error, or a warning if `unknown`: the same for checks with the same cause. */
  readonly problem?: Problem | undefined
}

export interface ServiceOptions {
  readonly deadline: Deadline
  readonly content: FileContent
  /** Nothing becomes visible, nothing is created. */
  readonly dryRun: boolean
  /**
   * For an accepted message that is not visible. With `ignore`, nothing is looked up, unless the
   * response lists only some of the files.
   */
  readonly ifNotConfirmed: 'error' | 'warn' | 'ignore'
  readonly onEvent: (event: ServiceEvent) => void
  /** Gets each secret before it is used. */
  readonly maskSecret: (secret: string) => void
  readonly removeToken: (text: string) => string
}

/**
 * The service by one upload method.
 *
 * Nothing starts after the deadline's `signal`, and each request ends at most a second after its
 * `requestSignal`.
 */
export interface MessagingService {
  readonly limits: {
    /** Staged at the same time. */
    readonly filesAtOnce: number
    readonly filesPerMessage: number
    readonly commentGoesWith: 'first message' | 'each message'
  }
  /**
   * Looks up names, and turns user IDs into direct conversations. Each channel comes once.
   *
   * @throws ProblemError
   */
  resolve(channels: readonly string[]): Promise<readonly Channel[]>
  /** Checks token, scopes and membership. A check that the token does not allow is `unknown`. */
  preflight(
    channels: readonly Channel[],
    posts: 'files' | 'comment',
  ): Promise<readonly CheckResult[]>
  /**
   * Uploads the file (external), or only reads it (files.upload, dry run). Nothing is visible yet.
   *
   * @throws ProblemError
   */
  stage(file: FoundFile, signal: AbortSignal): Promise<ServiceFile>
  /**
   * Posts one message: retries, reconciles an unknown outcome and, unless ignored, confirms that it
   * is visible. Rejects only after a bug in the action.
   */
  post(message: Message): Promise<PostResult>
}

export type ServiceEvent =
  /** A response, or none. `outcome` is `ok` or a code. An upload includes the call for its URL. */
  | {
      readonly kind: 'request'
      readonly method: string
      readonly status?: number | undefined
      readonly outcome: string
      readonly requestId?: string | undefined
      readonly milliseconds: number
      /** Besides the code. */
      readonly detail?: string | undefined
    }
  /** A wait for the next attempt, or for all lookups of a file, and its reason. */
  | { readonly kind: 'wait' | 'lookups'; readonly milliseconds: number; readonly reason: Text }
  /** `sending`: bytes of all files together. `sent`: bytes sent just now. */
  | { readonly kind: 'sending' | 'sent'; readonly bytes: number }
