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
  // What an annotation explains is not explained once more.
  const unmatched = selected.unmatched.filter((one) => !missing.explained.includes(one))
  const problem: Problem = ifNoFilesFound === 'warn' ? { level: 'warning', ...missing.problem } : missing.problem
  return { found: { ...selected, unmatched }, problems: [...problems, problem] }
}

/** A pattern that found nothing but small files is unmatched. */
function withoutSmall(found: FoundFiles, { minFileBytes, service }: SelectOptions): FoundFiles {
  const isSmall = (file: FoundFile) => file.size < minFileBytes
  const small = found.files.filter(isSmall)
  const files = found.files.filter((file) => !isSmall(file))
  const sent = new Set(files.map(({ pattern }) => pattern))
  const unmatched = Map.groupBy(
    small.filter(({ pattern }) => !sent.has(pattern)),
    ({ pattern }) => pattern,
  )
  return {
    files,
    skipped: [...found.skipped, ...small.map(({ path }) => ({ path, reason: 'empty' as const, why: text`is empty` }))],
    unmatched: [
      ...found.unmatched,
      ...Array.from(unmatched, ([pattern, matched]) => ({
        pattern,
        // The file that the pattern names exists.
        literal: false,
        explanation: text`All matched files are empty: ${namesOf(matched)}. ${service} does not accept empty files.`,
      })),
    ],
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
  readonly problem: Problem
  readonly explained: FoundFiles['unmatched']
}

/** Nothing to send, because all that was found is too small. */
function allEmpty(found: FoundFiles, selected: FoundFiles, { ifNoFilesFound, service }: SelectOptions): MissingFiles {
  const one = found.files.length === 1
  const names = namesOf(found.files)
  const verb = words(one ? 'is' : 'are')
  const otherwise = ifNoFilesFound === 'error' ? text`, or set ${code('if-no-files-found: warn')}` : []
  const problem = {
    title: 'All files are empty',
    page: 'nothingFound' as const,
    text: text`${names} ${verb} empty. ${service} does not accept empty files.\nCheck the step that writes ${words(one ? 'it' : 'them')}${otherwise}.`,
  }
  return { problem, explained: selected.unmatched.filter((pattern) => !found.unmatched.includes(pattern)) }
}

/** Nothing to send, or a pattern that names a file that does not exist. */
function missingFiles({ files, unmatched }: FoundFiles): MissingFiles | undefined {
  const missing = files.length === 0 ? unmatched : unmatched.filter(({ literal }) => literal)
  if (files.length > 0 && missing.length === 0) return undefined
  // The lines of a list in another form have one mistake, and one explanation.
  const groups = [...Map.groupBy(missing, ({ explanation = [] }) => quoted(explanation)).values()]
  const explained = groups
    .filter(([one]) => one?.explanation)
    .slice(0, maxExplained)
    .flat()
  const more = missing.length - explained.length
  const lines: readonly Text[] = [
    ...groups.slice(0, maxExplained).flatMap(explanationOf),
    ...(more > 0 ? [text`and ${more} more, see the log`] : []),
  ]
  const problem = {
    title: files.length === 0 ? 'No files found' : 'Files that a pattern names were not found',
    page: 'nothingFound' as const,
    text: lines.length === 0 ? text`Everything that matched was skipped.` : join(lines, '\n'),
  }
  return { problem, explained }
}

function explanationOf(patterns: readonly UnmatchedPattern[]): readonly Text[] {
  const [first] = patterns
  if (first?.explanation === undefined) return []
  const explanation = onOneLine(first.explanation)
  // An explanation of what a line names begins with its path.
  if (first.literal && !first.isAboutText) return [explanation]
  const names = patterns.map(({ pattern }) => pattern)
  return [text`${list(names, { max: maxNamed })}: ${explanation}`]
}

function onOneLine(explanation: Text): Text {
  return explanation.map((part) => ({
    ...part,
    text: part.kind === 'words' ? part.text.replaceAll('\n', ' ') : part.text,
  }))
}
