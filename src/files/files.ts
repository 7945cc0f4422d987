import type { Problem } from '../problem.ts'
import type { Text } from '../text/text.ts'

/** A regular file that may be sent. */
export interface FoundFile {
  /** Absolute, links resolved. This path is opened. */
  readonly real: string
  /** Shown to people, with `/`, relative to the workspace if it is below it. */
  readonly path: string
  /** Unique in the channel, with extension, without control characters. */
  readonly name: string
  /** Shown in the channel in place of the name. */
  readonly title?: string | undefined
  /** Bytes when it was found. Later ones are not sent. */
  readonly size: number
  /** A digest of its first 64 KB and its last 4 KB. It is not sent if they change. */
  readonly fingerprint: string
  /** The last write. A file with a later one is sent only if it grew. */
  readonly modifiedMilliseconds: number
}

/** Only explanations mention `excluded`, by a line with `!`. */
export type SkipReason =
  | 'link-hidden'
  | 'link-outside'
  | 'link-broken'
  | 'link-upward'
  | 'excluded'
  | 'hidden'
  | 'credentials'
  | 'token-in-name'
  | 'not-a-file'
  | 'empty'
  | 'unreadable'

export interface NotSent {
  readonly reason: SkipReason
  /** The lines with `!` that match. */
  readonly excludedBy?: readonly string[]
  /** The end of a sentence about the path: `contains a private key`. */
  readonly why: Text
}

export interface SkippedFile extends NotSent {
  /** As in `FoundFile`. A skipped folder ends in `/`. */
  readonly path: string
}

export interface UnmatchedPattern {
  readonly pattern: string
  /** It names one file or folder, without wildcards, that does not exist. */
  readonly literal?: boolean
  /** Absent if the pattern is only counted. */
  readonly explanation?: readonly Text[] | undefined
  /** The explanation names the pattern, or says what to write in its place. */
  readonly isNamed?: boolean
  readonly saysWhatToWrite?: boolean
}

export interface FoundFiles {
  /** In the order of the patterns, then by path, with `part-2` before `part-10`. */
  readonly files: readonly FoundFile[]
  readonly skipped: readonly SkippedFile[]
  readonly unmatched: readonly UnmatchedPattern[]
  /** For the log: lines that may do less than they seem to. */
  readonly remarks?: readonly Text[]
  readonly problems: readonly Problem[]
}
