import type { FoundFile } from '../files/files.ts'
import type { Problem } from '../problem.ts'
import type { Conversation } from '../service/service.ts'

/** See the table in `docs/delivery.md`. */
export type Status = 'posted' | 'accepted' | 'skipped' | 'dry-run' | 'partial' | 'unknown' | 'failed'

/** One message in one conversation. */
export interface DeliveredMessage {
  readonly conversation: Conversation
  readonly state: 'posted' | 'accepted' | 'unknown' | 'not-sent'
  readonly files: readonly DeliveredFile[]
  readonly ts?: string
  /** Link to the message. */
  readonly permalink?: string
}

export interface DeliveredFile {
  readonly file: FoundFile
  /** The service's identifier, once the file stands in a message that was published. */
  readonly id?: string
  /** Link to the page of the file. */
  readonly permalink?: string
}

/** What became of the whole delivery, as far as it is known: complete also when something failed. */
export interface DeliveryReport {
  readonly status: 'posted' | 'accepted' | 'dry-run' | 'partial' | 'unknown' | 'failed'
  /** Every file that was to be sent, in order. */
  readonly files: readonly DeliveredFile[]
  /** In the order of publishing; within one message in the order of the channels. */
  readonly messages: readonly DeliveredMessage[]
  /** Why it is red: one per cause. Empty when it is green. */
  readonly problems: readonly Problem[]
  /** What somebody probably wants to mend. */
  readonly warnings: readonly Problem[]
  /** What is good to know, such as that a scope is missing. */
  readonly notices: readonly Problem[]
}
