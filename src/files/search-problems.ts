import path from 'node:path'
import { fatal, type ProblemError } from '../problem.ts'
import { type Text, text } from '../text/text.ts'
import { follow, resolved } from './disk.ts'
import { type SkippedFile, type SkipReason, skipAdvice, type UnmatchedPattern } from './files.ts'
import { type Pattern, type PatternLine, unusablePattern } from './patterns.ts'
import type { FindOptions } from './search-context.ts'

export function noPattern(hasExclusions: boolean): UnmatchedPattern {
  const explanation = hasExclusions
    ? text`\`files\` has only lines with \`!\`, which exclude files. Add what to send, like \`reports/**/*.csv\`.`
    : text`\`files\` has no pattern: it is empty, or an expression in it is.`
  return {
    pattern: 'files',
    explanation: [explanation],
    isNamed: true,
    saysWhatToWrite: hasExclusions,
  }
}

/**
 * In a job with `container:`, an exclusion with such a path excludes nothing.
 * https://github.com/actions/runner/issues/1174
 */
export function refuseHostPath(line: string, { workingDirectory, workspace }: FindOptions): void {
  const [, own] = /^\/__w(\/.+)/.exec(workspace) ?? []
  if (own === undefined) return
  // Also behind `!`, in braces and in lists: the folder before that of this repository or `_temp`,
  // or the usual one before any other.
  const before = `home/runner/_?work(?=/)|[^!{},"']+?(?=(?:${RegExp.escape(own)}|/_temp)(?:/|$))`
  const [host] = new RegExp(`(?<![^\\s!{,"'])/(?!__w/)(?:${before})`).exec(line) ?? []
  if (host === undefined) return
  const instead = line
    .replaceAll(host, '/__w')
    .replaceAll(workingDirectory ? '' : `${workspace}/`, '')
  const fault = text`has a path of the runner's host. In a job with \`container:\`, the runner translates it only at the start of an input.\nWrite ${instead}.`
  throw unusablePattern(line, fault)
}

/**
 * `${{ env.DIR }}/**` is `/**` if the variable is not set. Links and /proc/self/root lead to the
 * root of the disk, too.
 */
export async function refuseDiskRoot(line: PatternLine, { root }: Pattern): Promise<void> {
  if ((await resolved(root)) !== path.parse(root).root) return
  const [, own] = /^\/+([*?].*)/.exec(line.pattern) ?? []
  const instead = own ? text` For files of the workspace, write ${own}.` : []
  const why = /^[*?]/.test(line.pattern)
    ? text`\`working-directory\` points outside the workspace.`
    : text`Was an expression in it empty?${instead}`
  const fault = text`searches the root of the disk.\n${why} To search another folder, write its name before the first wildcard.`
  throw unusablePattern(line.text, fault)
}

export async function refuseFolderAsFile(line: PatternLine, { root }: Pattern): Promise<void> {
  if (!line.isPath || (await follow(root)).kind !== 'folder') return
  const fault = text`is a folder, and an object with a \`path\` names one file.\nFor all files in it, write a string, which starts at \`working-directory\`.`
  throw unusablePattern(line.text, fault)
}

/**
 * @param root as people read it
 * @throws ProblemError for a named file or folder that must not be sent, or an unreadable root
 */
export function refuseNamed(
  root: string,
  namesOne: boolean,
  skipped: readonly SkippedFile[],
): void {
  const refused = skipped.find(
    ({ path: at, reason }) =>
      (at === root || at === `${root}/`) &&
      (reason === 'unreadable' || (namesOne && !countsAsNotFound.has(reason))),
  )
  if (refused === undefined) return
  const { reason, why } = refused
  const remedy =
    skipAdvice[reason] ?? text`Remove this line from \`files\`, or write a file that can be sent.`
  throw fatal(
    reason === 'unreadable' ? 'A file cannot be read' : 'A file must not be sent',
    text`${root} ${why}.\n${remedy}`,
    'skippedFiles',
  )
}

const countsAsNotFound: ReadonlySet<SkipReason> = new Set(['excluded', 'link-broken', 'empty'])

/** @param found begins the sentence with their number */
export function tooManyFiles(found: Text, maxFiles: number): ProblemError {
  return fatal(
    'More files than allowed',
    text`${found}, but \`max-files\` allows ${maxFiles}.
Write a narrower pattern, send them as one ZIP file, or raise \`max-files\` if you mean all of them.`,
    'inputs',
  )
}
