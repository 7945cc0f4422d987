import type { SkippedFile, SkipReason } from '../files/files.ts'
import { skipAdvice } from '../files/search-problems.ts'
import { type Problem, warning } from '../problem.ts'
import { list, quoted, text } from '../text/text.ts'

/** What somebody may miss. Hidden files are skipped by design, and sockets are no files: only the log lists them. */
const warnings = new Map<SkipReason, string>([
  ['credentials', 'Files with credentials'],
  ['link-outside', 'Links that lead out of the workspace'],
  ['link-loop', 'Links that lead in a circle'],
  ['link-broken', 'Broken links'],
  ['empty', 'Empty files'],
  ['name-not-utf8', 'Files whose names are not valid UTF-8'],
  ['unreadable', 'Files that cannot be read'],
])

const maxNames = 10

export function warnOfSkipped(skipped: readonly SkippedFile[]): readonly Problem[] {
  return [...warnings].flatMap(([reason, what]): readonly Problem[] => {
    const files = skipped.filter((file) => file.reason === reason)
    if (files.length === 0) return []
    const groups = [...Map.groupBy(files.slice(0, maxNames), ({ why }) => quoted(why)).values()]
    const names = list(groups.map((those) => text`${list(those.map(({ path }) => path))} (${those[0]?.why ?? []})`))
    const more = files.length > maxNames ? text` and ${files.length - maxNames} more` : []
    const explanation = text`Skipped: ${names}${more}.\n${skipAdvice[reason] ?? []}`
    return [warning(`${what} are skipped`, explanation, 'skippedFiles')]
  })
}
