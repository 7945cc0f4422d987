import { describe, expect, test } from '@jest/globals'
import type { SearchResult, UnmatchedPattern } from '../../../src/files/files.ts'
import { type SelectOptions, selectFiles } from '../../../src/files/select.ts'
import type { Problem } from '../../../src/problem.ts'
import { quoted, text, words } from '../../../src/text/text.ts'
import { tree } from '../../support/tree.ts'

const options = (minFileBytes: number, ifNoFilesFound: SelectOptions['ifNoFilesFound'] = 'error'): SelectOptions => ({
  minFileBytes,
  ifNoFilesFound,
  service: text`${words('Slack')}`,
})

const explained = (unmatched: readonly UnmatchedPattern[]) =>
  unmatched.map(({ explanation = [], literal, pattern }) => [pattern, literal, quoted(explanation)])

describe('empty files', () => {
  const entries = { 'a.csv': '', 'b.csv': '1', 'sub/c.csv': '', 'sub/d.csv': '' }
  const notAccepted = 'Slack does not accept empty files.'

  test('are found, and stay if the upload method accepts them', async () => {
    await using workspace = await tree(entries)
    const { problems, ...found } = await workspace.find('**/*.csv')
    expect(found.files.map((file) => file.size)).toEqual([0, 1, 0, 0])
    expect(selectFiles({ problems, ...found }, options(0))).toEqual({ found, problems: [] })
  })

  test('are skipped if the upload method does not accept them, and the others stay', async () => {
    await using workspace = await tree({ ...entries, 'other.csv/e.csv': '2' })
    const { found, problems } = selectFiles(await workspace.find('*.csv\nother.csv'), options(1))
    expect(found.files.map((file) => file.name)).toEqual(['b.csv', 'e.csv'])
    expect(found.skipped).toEqual([{ path: 'a.csv', reason: 'empty', why: text`is empty` }])
    expect([found.unmatched, problems]).toEqual([[], []])
  })

  test('leave a pattern that matches nothing else unmatched, although what it names exists', async () => {
    await using workspace = await tree(entries)
    const { found, problems } = selectFiles(await workspace.find('b.csv\na.csv\nsub/*'), options(1))
    expect(found.files.map((file) => file.name)).toEqual(['b.csv'])
    expect(explained(found.unmatched)).toEqual([
      ['a.csv', false, `All matched files are empty: \`a.csv\`. ${notAccepted}`],
      ['sub/*', false, `All matched files are empty: \`sub/c.csv\`, \`sub/d.csv\`. ${notAccepted}`],
    ])
    expect(problems).toEqual([])
  })

  test('of which three are named, and the others counted', async () => {
    await using workspace = await tree({ 'a.csv': '', 'b.csv': '', 'c.csv': '', 'd.csv': '', 'e.csv': '' })
    const { problems } = selectFiles(await workspace.find('*.csv'), options(1))
    expect(shown(problems)).toEqual([
      `All files are empty: \`a.csv\`, \`b.csv\`, \`c.csv\` and 2 more are empty. ${notAccepted}\n` +
        'Check the step that writes them, or set `if-no-files-found: warn`.',
    ])
  })

  test.each([
    ['error', 'Check the step that writes it, or set `if-no-files-found: warn`.'],
    ['warn', 'Check the step that writes it.'],
  ] as const)('are named once if there is nothing else: %s', async (policy, advice) => {
    await using workspace = await tree({ 'a.csv': '' })
    const { found, problems } = selectFiles(await workspace.find('a.csv\nb/*.csv'), options(1, policy))
    expect(shown(problems)).toEqual([`All files are empty: \`a.csv\` is empty. ${notAccepted}\n${advice}`])
    // The annotation explains one pattern, the log the other.
    expect(found.unmatched.map(({ pattern }) => pattern)).toEqual(['b/*.csv'])
  })
})

describe('patterns without a match', () => {
  const missing = (pattern: string, name = pattern): UnmatchedPattern => ({
    pattern,
    literal: pattern === name,
    explanation: text`There is no ${name}.\nIs it a typo?`,
  })
  const wildcard = missing('build/*.csv', 'build')

  test.each([
    ['error', [undefined]],
    ['warn', ['warning']],
    ['ignore', []],
  ] as const)('with `if-no-files-found: %s` are problems of the levels %j', (policy, levels) => {
    const selected = selectFiles(notFound(missing('a.csv')), options(0, policy))
    expect(selected.problems.map(({ level }) => level)).toEqual(levels)
    // Nothing is explained twice, and nothing is left without an explanation.
    expect(selected.found.unmatched).toHaveLength(policy === 'ignore' ? 1 : 0)
  })

  const five = Array.from({ length: 5 }, (_, index) => missing(`${index}.csv`))
  const firstThree = [0, 1, 2].map((name) => `There is no \`${name}.csv\`. Is it a typo?`)
  const unexplained = { pattern: 'x.csv', literal: true }
  const hostile = missing('a\n::error::b/*.csv', 'a\n::error::b')
  test.each<
    [what: string, unmatched: readonly UnmatchedPattern[], lines: readonly string[], left?: readonly UnmatchedPattern[]]
  >([
    [
      'are explained in one problem, on one line each',
      [wildcard, missing('a.csv')],
      ['`build/*.csv`: There is no `build`. Is it a typo?', 'There is no `a.csv`. Is it a typo?'],
    ],
    ['beyond three are counted, and left to the log', five, [...firstThree, 'and 2 more, see the log'], five.slice(3)],
    [
      'without an explanation are counted',
      [...five.slice(0, 1), unexplained, ...five.slice(1, 3)],
      [...firstThree, 'and 1 more, see the log'],
      [unexplained],
    ],
    ['are none if everything was skipped', [], ['Everything that matched was skipped.']],
    ['are values of the problem', [hostile], ['`a\\n::error::b/*.csv`: There is no `a\\n::error::b`. Is it a typo?']],
  ])('%s, if there is nothing to send', (_what, unmatched, lines, left = []) => {
    const { found, problems } = selectFiles(notFound(...unmatched), options(0))
    expect(shown(problems)).toEqual([`No files found: ${lines.join('\n')}`])
    expect(found.unmatched).toEqual(left)
  })

  test('are a problem beside files that are sent only if they name one file', async () => {
    const found = await withFile(wildcard, missing('b.csv'))
    const selected = selectFiles(found, options(0))
    const title = 'Files that a pattern names were not found'
    expect(shown(selected.problems)).toEqual([`${title}: There is no \`b.csv\`. Is it a typo?`])
    expect(selected.found).toMatchObject({ files: found.files, unmatched: [wildcard] })
    expect(selectFiles(await withFile(wildcard), options(0)).problems).toEqual([])
  })
})

function shown(problems: readonly Problem[]): readonly string[] {
  return problems.map((problem) => `${problem.title}: ${quoted(problem.text)}`)
}

function notFound(...unmatched: readonly UnmatchedPattern[]): SearchResult {
  return { files: [], skipped: [], unmatched, problems: [] }
}

async function withFile(...unmatched: readonly UnmatchedPattern[]): Promise<SearchResult> {
  await using workspace = await tree({ 'a.csv': '1' })
  return { ...(await workspace.find('a.csv')), unmatched }
}
