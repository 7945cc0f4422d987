import type { Comment } from '../comment/comment.ts'
import type { Deadline } from '../deadline.ts'
import type { FileContent } from '../files/content.ts'
import type { FoundFile } from '../files/files.ts'
import type { Problem } from '../problem.ts'
import type { Text } from '../text/text.ts'

/** A channel or a direct conversation, by the ID that requests carry. */
export interface Channel {
  /** Opaque, such as `C0123456789`, `general`, `42`. */
  readonly id: string
  /** What the user wrote. Differs from `id` if a user ID was resolved to a direct conversation. */
  readonly requested: string
}

/** The first of those with the same ID. */
export function uniqueChannels(channels: readonly Channel[]): readonly Channel[] {
  const seen = new Set<string>()
  return channels.filter(({ id }) => !seen.has(id) && seen.add(id))
}

/** A file as the service knows it. */
export interface ServiceFile {
  readonly file: FoundFile
  /** The service's ID of the file, if it has one. */
  readonly id?: string | undefined
  /** Link to the page of the file, not to the message. */
  readonly permalink?: string | undefined
}

/**
 * Files that appear together in each of the channels. Without files, it is the comment alone, which
 * only `external` offers.
 */
export interface Message {
  readonly channels: readonly Channel[]
  readonly files: readonly ServiceFile[]
  readonly comment?: Comment | undefined
  /** ts of the message that this one replies to. */
  readonly threadTs?: string | undefined
}

/** Where a message belongs. */
export type MessageTarget = Pick<Message, 'channels' | 'threadTs'>

/** One message in one channel. */
export interface Posting {
  readonly channel: Channel
  /**
   * - `posted`: seen in the channel.
   * - `accepted`: the service responded that it carried out the request; the message was not seen.
   * - `unknown`: the message may or may not have been posted, now or later.
   * - `not-sent`: certainly not posted.
   */
  readonly state: 'posted' | 'accepted' | 'unknown' | 'not-sent'
  /** Such as `1760688662.900279`: a string with six decimals, never a number. */
  readonly ts?: string | undefined
  /** Link to the message. */
  readonly permalink?: string | undefined
}

/** The files of one message, and what became of it in each channel. */
export interface DeliveredMessage {
  /** One for each channel, in the order of the channels. */
  readonly postings: readonly Posting[]
  /** As the service knows them now. */
  readonly files: readonly ServiceFile[]
}

/** What became of one message. */
export interface PostResult extends DeliveredMessage {
  /** One per cause. An error is why the message, or a part of it, was not posted. */
  readonly problems: readonly Problem[]
}

/** What one preflight check found. */
export interface CheckResult {
  /** What was checked: `token`, `scopes`, or a channel as the user wrote it. */
  readonly subject: string
  readonly result: 'ok' | 'failed' | 'unknown'
  /** Of a channel, such as `#general`. Absent if it is private: a report may be public. */
  readonly name?: string | undefined
  /** A few words for the report of a dry run. */
  readonly note?: Text | undefined
  /** Why it failed, or a warning if it is unknown: the same for checks with the same cause. */
  readonly problem?: Problem | undefined
}

/** How a service is used. */
export interface ServiceOptions {
  readonly deadline: Deadline
  readonly content: FileContent
  /** Nothing becomes visible, nothing is created. */
  readonly dryRun: boolean
  /**
   * What to do about an accepted message that is not visible. With `ignore`, nothing is checked,
   * unless the response lists only some of the files.
   */
  readonly ifNotConfirmed: 'error' | 'warn' | 'ignore'
  readonly onEvent: (event: ServiceEvent) => void
  /** Gets whatever must not appear in a log, before it is used. */
  readonly maskSecret: (secret: string) => void
}

/**
 * The messaging service, by one upload method. It does not know the runner: no inputs, no log, no
 * outputs.
 *
 * It is made with the deadline of the run: nothing new starts after its `signal`, and each request
 * ends at most a second after its `requestSignal`.
 */
export interface MessagingService {
  readonly limits: {
    readonly filesPerMessage: number
    readonly commentGoesWith: 'first message' | 'each message'
  }
  /**
   * What the user wrote → channels. User IDs become direct conversations, and duplicates are
   * dropped.
   *
   * @throws ProblemError
   */
  resolve(channels: readonly string[]): Promise<readonly Channel[]>
  /**
   * Checks token, scopes and membership, as far as the token allows. A check that cannot be made
   * has the result `unknown`.
   */
  preflight(
    channels: readonly Channel[],
    posts: 'files' | 'comment',
  ): Promise<readonly CheckResult[]>
  /**
   * Uploads the file (external), or opens and checks it (files.upload). In a dry run, it only reads
   * the file. Nothing is visible yet.
   *
   * @param signal ends the upload; it aborts with the deadline, or before
   * @throws ProblemError
   */
  stage(file: FoundFile, signal: AbortSignal): Promise<ServiceFile>
  /**
   * Posts one message: retries, reconciles an unknown outcome and, unless that is ignored, confirms
   * that the message is visible. Rejects only after a bug in the action.
   */
  post(message: Message): Promise<PostResult>
}

/** What happens while the action talks to the service. */
export type ServiceEvent =
  /**
   * One HTTP request is over. Its outcome is `ok`, or an error code of the service or the network.
   * The time of an upload includes the request for its URL.
   */
  | {
      readonly kind: 'request'
      readonly method: string
      readonly status?: number | undefined
      readonly outcome: string
      readonly requestId?: string | undefined
      readonly milliseconds: number
      /** What the failure says besides its code. */
      readonly detail?: string | undefined
    }
  /**
   * A wait begins: before the next attempt, or for all lookups of a file. The reason is the
   * response, or what the lookups wait for.
   */
  | { readonly kind: 'wait' | 'lookups'; readonly milliseconds: number; readonly reason: Text }
  /** `sending`: all files together have so many bytes. `sent`: so many of them were sent. */
  | { readonly kind: 'sending' | 'sent'; readonly bytes: number }
