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

describe('empty files', () => {
  const entries = { 'a.csv': '', 'b.csv': '1', 'sub/c.csv': '', 'sub/d.csv': '' }

  test('are found, and stay if the upload method accepts them', async () => {
    await using workspace = await tree(entries)
    const found = await workspace.find('**/*.csv')
    expect(found.files.map((file) => file.size)).toEqual([0, 1, 0, 0])
    expect(selectFiles(found, options(0))).toMatchObject({
      found: { files: found.files, unmatched: found.unmatched },
      problems: [],
    })
  })

  test('are skipped if the upload method does not accept them, and the others stay', async () => {
    await using workspace = await tree(entries)
    const { found, problems } = selectFiles(await workspace.find('*.csv'), options(1))
    expect(found.files.map((file) => file.name)).toEqual(['b.csv'])
    expect(found.skipped).toEqual([{ path: 'a.csv', reason: 'empty', why: text`is empty` }])
    expect([found.unmatched, problems]).toEqual([[], []])
  })

  test('leave a pattern that matches nothing else unmatched, although what it names exists', async () => {
    await using workspace = await tree(entries)
    const { found, problems } = selectFiles(await workspace.find('b.csv\na.csv\nsub/*'), options(1))
    expect(found.files.map((file) => file.name)).toEqual(['b.csv'])
    expect(
      found.unmatched.map(({ explanation = [], ...one }) => ({ ...one, explanation: quoted(explanation) })),
    ).toEqual([
      {
        pattern: 'a.csv',
        literal: false,
        explanation: 'All matched files are empty: `a.csv`. Slack does not accept empty files.',
      },
      {
        pattern: 'sub/*',
        literal: false,
        explanation: 'All matched files are empty: `sub/c.csv`, `sub/d.csv`. Slack does not accept empty files.',
      },
    ])
    expect(problems).toEqual([])
  })

  test('of which three are named, and the others counted', async () => {
    await using workspace = await tree({ 'a.csv': '', 'b.csv': '', 'c.csv': '', 'd.csv': '', 'e.csv': '' })
    const { problems } = selectFiles(await workspace.find('*.csv'), options(1))
    expect(shown(problems)).toEqual([
      'All files are empty: `a.csv`, `b.csv`, `c.csv` and 2 more are empty. Slack does not accept empty files.\n' +
        'Check the step that writes them, or set `if-no-files-found: warn`.',
    ])
  })

  test.each([
    ['error', 'Check the step that writes it, or set `if-no-files-found: warn`.'],
    ['warn', 'Check the step that writes it.'],
  ] as const)('are named once if there is nothing else: %s', async (policy, advice) => {
    await using workspace = await tree({ 'a.csv': '' })
    const { found, problems } = selectFiles(await workspace.find('a.csv\nb/*.csv'), options(1, policy))
    expect(shown(problems)).toEqual([
      `All files are empty: \`a.csv\` is empty. Slack does not accept empty files.\n${advice}`,
    ])
    // The annotation explains one pattern, the log the other.
    expect(found.unmatched.map(({ pattern }) => pattern)).toEqual(['b/*.csv'])
  })
})

describe('patterns without a match', () => {
  const wildcard = (name: string): UnmatchedPattern => ({
    pattern: `${name}/*.csv`,
    literal: false,
    explanation: text`There is no ${name}.\nIs it a typo?`,
  })
  const literal = (name: string): UnmatchedPattern => ({
    pattern: name,
    literal: true,
    explanation: text`There is no ${name}.\nIs it a typo?`,
  })

  test.each([
    ['error', [undefined]],
    ['warn', ['warning']],
    ['ignore', []],
  ] as const)('with `if-no-files-found: %s` are problems of the levels %j', (policy, levels) => {
    const selected = selectFiles(notFound(literal('a.csv')), options(0, policy))
    expect(selected.problems.map(({ level }) => level)).toEqual(levels)
    // Nothing is explained twice, and nothing is left without an explanation.
    expect(selected.found.unmatched).toHaveLength(policy === 'ignore' ? 1 : 0)
  })

  test('are explained in one problem, on one line each, if there is nothing to send', () => {
    const { found, problems } = selectFiles(notFound(wildcard('build'), literal('a.csv')), options(0))
    expect(shown(problems)).toEqual([
      'No files found: `build/*.csv`: There is no `build`. Is it a typo?\nThere is no `a.csv`. Is it a typo?',
    ])
    expect(found.unmatched).toEqual([])
  })

  test('are no problem beside files that are sent, if they have wildcards', async () => {
    const found = await withFile(wildcard('build'))
    expect(selectFiles(found, options(0))).toMatchObject({
      found: { files: found.files, unmatched: found.unmatched },
      problems: [],
    })
  })

  test('are a problem beside files that are sent, if they name one file', async () => {
    const found = await withFile(wildcard('build'), literal('b.csv'))
    const selected = selectFiles(found, options(0))
    expect(shown(selected.problems)).toEqual([
      'Files that a pattern names were not found: There is no `b.csv`. Is it a typo?',
    ])
    expect(selected.found).toMatchObject({ files: found.files, unmatched: [wildcard('build')] })
  })

  test('beyond three are counted, and left to the log', () => {
    const patterns = Array.from({ length: 5 }, (_, index) => literal(`${index}.csv`))
    const { found, problems } = selectFiles(notFound(...patterns), options(0))
    expect(shown(problems)[0]?.split('\n').slice(2)).toEqual([
      'There is no `2.csv`. Is it a typo?',
      'and 2 more, see the log',
    ])
    expect(found.unmatched).toEqual(patterns.slice(3))
  })

  test('without any pattern to explain, everything that matched was skipped', () => {
    expect(shown(selectFiles(notFound(), options(0)).problems)).toEqual([
      'No files found: Everything that matched was skipped.',
    ])
  })

  test('put a hostile name into the problem as a value', () => {
    const { problems } = selectFiles(notFound(wildcard('a\n::error::b')), options(0))
    expect(shown(problems)).toEqual([
      'No files found: `a\\n::error::b/*.csv`: There is no `a\\n::error::b`. Is it a typo?',
    ])
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
