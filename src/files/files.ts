/** A regular file that is to be sent. */
export interface OutgoingFile {
  /** Absolute real path, links resolved. */
  readonly path: string
  /** What people read in log, summary and outputs: relative to the workspace where it lies below it, with `/`. */
  readonly displayPath: string
  /** The name in the channel: base name with extension, without control characters, unlike every other file's of the run. */
  readonly name: string
  /** Bytes when it was found. A file that has another size when it is sent is an error. */
  readonly size: number
  /** Device and inode: a file that is another one when it is sent is an error. */
  readonly dev: number
  readonly ino: number
}

/** A regular file that was found and may be sent. */
export interface FoundFile extends OutgoingFile {
  /** The first line of the patterns that found it. */
  readonly pattern: string
}

/** Why something that a pattern matched is not sent. */
export type LeftOutReason =
  | 'hidden'
  | 'credentials'
  | 'link-outside'
  | 'link-loop'
  | 'link-broken'
  | 'not-a-file'
  | 'empty'
  | 'name-not-utf8'
  | 'unreadable'

export interface LeftOut {
  /** As in `FoundFile`. A folder that was passed over as a whole ends in `/`. */
  readonly displayPath: string
  readonly reason: LeftOutReason
  /** The reason for a person, a few words without a full stop, such as `holds a private key`. */
  readonly why: string
}

/** A line that matched no file, and what probably went wrong. */
export interface UnmatchedPattern {
  readonly pattern: string
  /** True when the line names one file or folder, without wildcards: that one has to exist. */
  readonly literal: boolean
  /** For a person, one to four lines: folder searched, entries there, what was left out and why, the likely mistake. */
  readonly explanation: string
}

export interface FoundFiles {
  /** In the order of the patterns, then by path. */
  readonly files: readonly FoundFile[]
  readonly leftOut: readonly LeftOut[]
  readonly unmatched: readonly UnmatchedPattern[]
}
