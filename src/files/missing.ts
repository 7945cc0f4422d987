import type { Problem } from '../problem.ts'
import type { FoundFiles } from './files.ts'

/** Lines in the annotation: the others stand in the log. */
const mostExplained = 3

/** What `if-no-files-found` decides about: nothing to send, or a line that names a file that is not there. */
export function missingFiles({
  files,
  unmatched,
}: FoundFiles): { readonly problem: Problem; readonly explains: FoundFiles['unmatched'] } | undefined {
  const missing = files.length === 0 ? unmatched : unmatched.filter(({ literal }) => literal)
  if (files.length > 0 && missing.length === 0) return undefined
  const explains = missing.slice(0, mostExplained)
  const more = missing.length - explains.length
  const lines = [
    ...explains.map(({ pattern, explanation, literal }) =>
      [...(literal ? [] : [`${pattern}:`]), ...explanation.split('\n')].join(' '),
    ),
    ...(more > 0 ? [`and ${more} more, see the log`] : []),
  ]
  const problem = {
    title: files.length === 0 ? 'No files found' : 'Files that are named were not found',
    text: lines.join('\n') || 'Everything that matched was left out.',
  }
  return { problem, explains }
}
