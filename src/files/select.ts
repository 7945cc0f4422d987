import type { Problem } from '../problem.ts'
import { code, join, list, quoted, type Text, text, words } from '../text/text.ts'
import type { FoundFile, FoundFiles, SearchResult, UnmatchedPattern } from './files.ts'

/** What is sent by one upload method, and what `if-no-files-found` makes of patterns without a match. */
export interface SelectedFiles {
  /** `unmatched`: only the patterns that no problem explains. */
  readonly found: FoundFiles
  readonly problems: readonly Problem[]
}

export interface SelectOptions {
  /** Bytes: smaller files are skipped as `empty`. */
  readonly minFileBytes: number
  readonly ifNoFilesFound: 'error' | 'warn' | 'ignore'
  /** `Slack`, or the host of another service. */
  readonly service: Text
}

/** Applies the limits of an upload method, and the policy for patterns without a match. */
export function selectFiles({ problems, ...found }: SearchResult, options: SelectOptions): SelectedFiles {
  const { ifNoFilesFound } = options
  const selected = withoutSmall(found, options)
  const areAllSmall = found.files.length > 0 && selected.files.length === 0
  const all = () => (areAllSmall ? allEmpty(found, selected, options) : missingFiles(selected))
  const missing = ifNoFilesFound === 'ignore' ? undefined : all()
  if (missing === undefined) return { found: selected, problems }
  const { explained, title, explanation } = missing
  const level = ifNoFilesFound === 'warn' ? { level: 'warning' as const } : {}
  return {
    // What an annotation explains is not explained once more.
    found: { ...selected, unmatched: selected.unmatched.filter((one) => !explained.includes(one)) },
    problems: [...problems, { ...level, title, text: explanation, page: 'nothingFound' }],
  }
}

/** A pattern that found nothing but small files is unmatched. */
function withoutSmall(found: FoundFiles, { minFileBytes, service }: SelectOptions): FoundFiles {
  const small = found.files.filter(({ size }) => size < minFileBytes)
  const files = found.files.filter(({ size }) => size >= minFileBytes)
  const unmatched = [...Map.groupBy(small, ({ pattern }) => pattern)]
    .filter(([pattern]) => !files.some((file) => file.pattern === pattern))
    .map(([pattern, matched]) => ({
      pattern,
      // The file that the pattern names exists.
      literal: false,
      explanation: text`All matched files are empty: ${namesOf(matched)}. ${service} does not accept empty files.`,
    }))
  return {
    files,
    skipped: [...found.skipped, ...small.map(({ path }) => ({ path, reason: 'empty' as const, why: text`is empty` }))],
    unmatched: [...found.unmatched, ...unmatched],
  }
}

function namesOf(files: readonly FoundFile[]): Text {
  return list(
    files.map(({ path }) => path),
    { max: maxNamed },
  )
}

/** Explanations in the annotation: the log has the others. */
const maxExplained = 3
const maxNamed = 3

interface MissingFiles {
  readonly title: string
  readonly explanation: Text
  readonly explained: FoundFiles['unmatched']
}

/** Nothing to send, because all that was found is too small. */
function allEmpty(found: FoundFiles, selected: FoundFiles, { ifNoFilesFound, service }: SelectOptions): MissingFiles {
  const [verb, object] = found.files.length === 1 ? ['is', 'it'] : ['are', 'them']
  const otherwise = ifNoFilesFound === 'error' ? text`, or set ${code('if-no-files-found: warn')}` : []
  const empty = text`${namesOf(found.files)} ${words(verb)} empty. ${service} does not accept empty files.`
  return {
    title: 'All files are empty',
    explanation: text`${empty}\nCheck the step that writes ${words(object)}${otherwise}.`,
    explained: selected.unmatched.filter((pattern) => !found.unmatched.includes(pattern)),
  }
}

/** Nothing to send, or a pattern that names a file that does not exist. */
function missingFiles({ files, unmatched }: FoundFiles): MissingFiles | undefined {
  const missing = files.length === 0 ? unmatched : unmatched.filter(({ literal }) => literal)
  if (files.length > 0 && missing.length === 0) return undefined
  // The lines of a list in another form have one mistake, and one explanation.
  const byExplanation = Map.groupBy(missing, ({ explanation }) => explanation && quoted(explanation))
  byExplanation.delete(undefined)
  const groups = [...byExplanation.values()].slice(0, maxExplained)
  const explained = groups.flat()
  const more = missing.length - explained.length
  const lines = [...groups.map(explanationOf), more > 0 ? text`and ${more} more, see the log` : []]
  return {
    title: files.length === 0 ? 'No files found' : 'Files that a pattern names were not found',
    explanation: missing.length === 0 ? text`Everything that matched was skipped.` : join(lines, '\n'),
    explained,
  }
}

/** On one line. */
function explanationOf(patterns: readonly UnmatchedPattern[]): Text {
  const [{ explanation = [], isAboutText, literal } = {}] = patterns
  const onOneLine = explanation.map((part) => ({
    ...part,
    text: part.kind === 'words' ? part.text.replaceAll('\n', ' ') : part.text,
  }))
  // An explanation of what a line names begins with its path.
  if (literal && !isAboutText) return onOneLine
  const names = patterns.map(({ pattern }) => pattern)
  return text`${list(names, { max: maxNamed })}: ${onOneLine}`
}
