import type { SkippedFile, SkipReason } from '../files/files.ts'
import { type Problem, warning } from '../problem.ts'
import { list, quoted, text, words } from '../text/text.ts'

/** What somebody may miss, and what to do. Hidden files are skipped by design, and sockets are no files: the log lists them. */
const warnings: readonly (readonly [reason: SkipReason, what: string, advice: string])[] = [
  [
    'credentials',
    'Files with credentials',
    'To post one of them anyway, put it into an archive: archives are not opened.',
  ],
  ['link-outside', 'Links that lead out of the workspace', 'Copy the files that they lead to into the workspace.'],
  ['link-loop', 'Links that lead in a circle', 'Remove them, or exclude them with a pattern that begins with !.'],
  ['link-broken', 'Broken links', 'Does an earlier step create the files that they lead to?'],
  ['empty', 'Empty files', 'The service does not accept empty files.'],
  ['name-not-utf8', 'Files whose names are not valid UTF-8', 'Rename them before this step.'],
  ['unreadable', 'Files that cannot be read', 'Make them readable for the user that runs the step.'],
]

const maxNames = 10

export function warnOfSkipped(skipped: readonly SkippedFile[]): readonly Problem[] {
  return warnings.flatMap(([reason, what, advice]): readonly Problem[] => {
    const files = skipped.filter((file) => file.reason === reason)
    if (files.length === 0) return []
    const groups = [...Map.groupBy(files.slice(0, maxNames), ({ why }) => quoted(why)).values()]
    const names = list(groups.map((those) => text`${list(those.map(({ path }) => path))} (${those[0]?.why ?? []})`))
    const more = files.length > maxNames ? text` and ${files.length - maxNames} more` : []
    return [warning(`${what} are skipped`, text`Skipped: ${names}${more}.\n${words(advice)}`, 'skippedFiles')]
  })
}

/** The skipped files that no warning names. */
export function skippedWithoutWarning(skipped: readonly SkippedFile[]): readonly SkippedFile[] {
  return [...Map.groupBy(skipped, ({ reason }) => reason)].flatMap(([reason, files]) =>
    warnings.some(([warned]) => warned === reason) ? files.slice(maxNames) : files,
  )
}
