import type { Problem } from '../problem.ts'
import { join, type Text, text } from '../text/text.ts'
import type { FoundFiles, UnmatchedPattern } from './files.ts'

/** The log has the other explanations. */
const maxInAnnotation = 3

/**
 * Adds a problem if there is nothing to send or a named file is missing. The patterns that it
 * explains leave `unmatched`.
 */
export function applyIfNoFilesFound(
  found: FoundFiles,
  policy: 'error' | 'warn' | 'ignore' | 'comment',
): FoundFiles {
  const { files, unmatched } = found
  const missing = files.length === 0 ? unmatched : unmatched.filter(({ literal }) => literal)
  if (policy === 'ignore' || missing.length === 0) return found
  const explained = missing.filter(({ explanation }) => explanation).slice(0, maxInAnnotation)
  const more = missing.length - explained.length
  const others = more > 0 ? text`and ${more} more, see the log` : []
  const isSaid = explained.some(({ saysWhatToWrite }) => saysWhatToWrite)
  const canWarn = text`If this should not fail the step, set \`if-no-files-found: warn\`.`
  const advice = policy === 'error' && !isSaid ? canWarn : []
  // The workflow asked for a comment alone.
  const forComment = files.length === 0 ? 'notice' : 'warning'
  const problem: Problem = {
    level: policy === 'warn' ? 'warning' : policy === 'comment' ? forComment : 'error',
    title: files.length === 0 ? 'No files found' : 'Files that a pattern names were not found',
    text: join([...explained.map(explanationOf), others, advice], '\n'),
    page: 'nothingFound',
  }
  return {
    ...found,
    unmatched: unmatched.filter((pattern) => !explained.includes(pattern)),
    problems: [...found.problems, problem],
  }
}

function explanationOf({ explanation = [], isNamed, pattern }: UnmatchedPattern): Text {
  const onOneLine = join(explanation, ' ')
  return isNamed ? onOneLine : text`${pattern}: ${onOneLine}`
}
