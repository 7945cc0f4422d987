import type { Problem } from '../problem.ts'
import { type Text, text } from '../text/text.ts'

export interface FoundFile {
  /** Absolute, links resolved. This path is opened. */
  readonly real: string
  /** For people: with `/`, from the workspace on if it is below it. */
  readonly path: string
  /** Unique in the channel, with extension, without control characters. */
  readonly name: string
  readonly title?: string | undefined
  /** Bytes when it was found. Later ones are not sent. */
  readonly size: number
  /** A digest of its first 64 KB and its last 4 KB. It is not sent if they change. */
  readonly fingerprint: string
  /** The last write. A large file with a later one is sent only if it grew. */
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
  | 'pointer'
  | 'unreadable'

export const skipAdvice: Readonly<Partial<Record<SkipReason, Text>>> = {
  excluded: text`A line with \`!\` excludes wherever it stands.`,
  hidden: text`To send hidden files, write the dot in the pattern or set \`include-hidden-files: true\`.`,
  credentials: text`To send a credential file anyway, put it into an archive with another name, like \`files.zip\`: archives are not opened.`,
  'token-in-name': text`Rename such a file, and replace the token: others may have seen the name.`,
  'link-hidden': text`To send what such a symlink points to, set \`include-hidden-files: true\`, or write the symlink before the first wildcard, like \`latest/*.csv\`.`,
  'link-outside': text`Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.`,
  'link-broken': text`Does an earlier step create what such a symlink points to?`,
  empty: text`The service does not accept empty files: check the step that writes them, unless it is a linter that found nothing.`,
  pointer: text`Set \`lfs: true\` for actions/checkout, or run \`git lfs pull\` before this step.`,
  unreadable: text`Close the program that uses such a file, or give the user that runs the step the right to read it.`,
}

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
