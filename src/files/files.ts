import type { Problem } from '../problem.ts'
import type { Text } from '../text/text.ts'

/** A regular file that was found and may be sent. */
export interface FoundFile {
  /** Absolute, links resolved: what is opened. */
  readonly real: string
  /**
   * What people read in log, summary and outputs: relative to the workspace if it is below it, with
   * `/`.
   */
  readonly path: string
  /**
   * The name in the channel: base name with extension, without control characters, unlike every
   * other file's of the run.
   */
  readonly name: string
  /** What people see in the channel, if it is not the name. */
  readonly title?: string | undefined
  /** Bytes when it was found: so many are sent. */
  readonly size: number
  /**
   * A digest of its first 64 KB and its last 4 KB. If they are others when it is sent, it is not.
   */
  readonly fingerprint: string
  /** When it was last written to. A file that was written to later is sent only if it grew. */
  readonly modifiedMilliseconds: number
}

/**
 * Why something that a pattern matched is not sent. `excluded`, by a line with `!`, is named by
 * explanations only.
 */
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
  /** The texts of the lines with `!` that exclude it. */
  readonly excludedBy?: readonly string[]
  /** The reason for a person, a few words without a full stop, such as `contains a private key`. */
  readonly why: Text
}

/** A match that is not sent. */
export interface SkippedFile extends NotSent {
  /** As in `FoundFile`. A folder that was skipped as a whole ends in `/`. */
  readonly path: string
}

/** A pattern that matched no file, and what is probably wrong. */
export interface UnmatchedPattern {
  readonly pattern: string
  /** The pattern names one file or folder, without wildcards, that does not exist. */
  readonly literal: boolean
  /**
   * For a person, a few lines: folder searched, entries there, what was skipped and why, the likely
   * mistake. Absent if others are explained, and this one is only counted.
   */
  readonly explanation?: readonly Text[] | undefined
  /** The explanation names the pattern, or says what to write in its place. */
  readonly isNamed?: boolean
  readonly saysWhatToWrite?: boolean
}

/** What a search found. */
export interface FoundFiles {
  /** In the order of the patterns, then by path, with `part-2` before `part-10`. */
  readonly files: readonly FoundFile[]
  readonly skipped: readonly SkippedFile[]
  readonly unmatched: readonly UnmatchedPattern[]
  /** Lines with `!` that exclude nothing. */
  readonly idle?: readonly string[]
  /** What people must know about the lines. */
  readonly problems: readonly Problem[]
}
