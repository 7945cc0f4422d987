import { describe, expect, test } from '@jest/globals'
import type { FoundFiles, UnmatchedPattern } from '../../../src/files/files.ts'
import { applyIfNoFilesFound } from '../../../src/files/if-no-files-found.ts'
import type { Problem } from '../../../src/problem.ts'
import { quoted, text } from '../../../src/text/text.ts'
import { foundFile } from '../../support/report-runs.ts'
import { tree } from '../../support/tree.ts'

const ifNoFailure = 'If this should not fail the step, set `if-no-files-found: warn`.'

describe('empty files', () => {
  const entries = { 'a.csv': '', 'b.csv': '1', 'sub/c.csv': '', 'sub/d.csv': '' }
  test('are found, if the upload method accepts them, and otherwise skipped', async () => {
    await using workspace = await tree({ ...entries, 'x.csv': '' })
    const { files } = await workspace.find('*.csv', {})
    expect(files.map((file) => file.size)).toEqual([0, 1, 0])
    const found = await workspace.find('*.csv\n!x*', { skipEmptyFiles: true })
    expect(found).toMatchObject({ files: [{ name: 'b.csv' }], unmatched: [] })
    expect(found.skipped).toEqual([{ path: 'a.csv', reason: 'empty', why: text`is empty` }])
  })

  test('leave a pattern that matches nothing else unmatched, and are no error if a line names them', async () => {
    await using workspace = await tree(entries)
    const found = applyIfNoFilesFound(
      await workspace.find('b.csv\na.csv\nsub/*', { skipEmptyFiles: true }),
      'error',
    )
    expect([found.files.map((file) => file.name), found.problems]).toEqual([['b.csv'], []])
    const said = found.unmatched.flatMap(({ explanation = [] }) => explanation.map(quoted))
    expect(said.join('\n')).toMatchInlineSnapshot(`
"\`a.csv\` is empty. The service does not accept empty files: check the step that writes them, unless it is a linter that found nothing.
\`sub/c.csv\` is empty; \`sub/d.csv\` is empty. The service does not accept empty files: check the step that writes them, unless it is a linter that found nothing."
`)
  })
})

describe('patterns without a match', () => {
  const missing = (pattern: string, name = pattern): UnmatchedPattern => ({
    pattern,
    literal: pattern === name,
    isNamed: pattern === name,
    explanation: [text`There is no ${name}.`, text`Is it a typo?`],
  })
  const wildcard = missing('build/*.csv', 'build')

  test.each([
    ['error', ['error']],
    ['warn', ['warning']],
    ['ignore', []],
  ] as const)('with `if-no-files-found: %s` are problems of the levels %j', (policy, levels) => {
    const { problems, unmatched } = applyIfNoFilesFound(notFound(missing('a.csv')), policy)
    expect(problems.map(({ level }) => level)).toEqual(levels)
    expect(shown(problems).join().includes(ifNoFailure)).toBe(policy === 'error')
    // Everything is explained once.
    expect(unmatched).toHaveLength(policy === 'ignore' ? 1 : 0)
  })

  const five = Array.from({ length: 5 }, (_, index) => missing(`${index}.csv`))
  const firstThree = [0, 1, 2].map((name) => `There is no \`${name}.csv\`. Is it a typo?`)
  const unexplained = { pattern: 'x.csv', literal: true }
  const hostile = missing('a\n::error::b/*.csv', 'a\n::error::b')
  test.each<
    [
      what: string,
      unmatched: readonly UnmatchedPattern[],
      lines: readonly string[],
      left?: readonly UnmatchedPattern[],
    ]
  >([
    [
      'are explained in one problem, on one line each',
      [wildcard, missing('a.csv')],
      ['`build/*.csv`: There is no `build`. Is it a typo?', 'There is no `a.csv`. Is it a typo?'],
    ],
    [
      'beyond three are counted, and left to the log',
      five,
      [...firstThree, 'and 2 more, see the log'],
      five.slice(3),
    ],
    [
      'without an explanation are counted',
      [...five.slice(0, 1), unexplained, ...five.slice(1, 3)],
      [...firstThree, 'and 1 more, see the log'],
      [unexplained],
    ],
    [
      'are named once if the explanation begins with them',
      [{ ...wildcard, isNamed: true, explanation: [text`${wildcard.pattern} is wrong.`] }],
      ['`build/*.csv` is wrong.'],
    ],
    [
      'are values of the problem',
      [hostile],
      ['`a\\n::error::b/*.csv`: There is no `a\\n::error::b`. Is it a typo?'],
    ],
  ])('%s, if there is nothing to send', (_what, unmatched, lines, left = []) => {
    const found = applyIfNoFilesFound(notFound(...unmatched), 'error')
    expect(shown(found.problems)).toEqual([`No files found: ${[...lines, ifNoFailure].join('\n')}`])
    expect(found.unmatched).toEqual(left)
  })

  test('that say what to write do not say how to go on without files', () => {
    const found = notFound(missing('a.csv'), { ...wildcard, saysWhatToWrite: true })
    expect(shown(applyIfNoFilesFound(found, 'error').problems).join()).not.toContain(ifNoFailure)
  })

  test('are a problem beside files that are sent only if they name one file', () => {
    const files = [foundFile('a.csv')]
    const found = { ...notFound(wildcard, missing('b.csv')), files }
    const { problems, ...others } = applyIfNoFilesFound(found, 'error')
    const title = 'Files that a pattern names were not found'
    expect(shown(problems)).toEqual([
      `${title}: There is no \`b.csv\`. Is it a typo?\n${ifNoFailure}`,
    ])
    expect(others).toEqual({ files, skipped: [], unmatched: [wildcard] })
    expect(applyIfNoFilesFound({ ...notFound(wildcard), files }, 'error').problems).toEqual([])
  })
})

function shown(problems: readonly Problem[]): readonly string[] {
  return problems.map((problem) => `${problem.title}: ${quoted(problem.text)}`)
}

function notFound(...unmatched: readonly UnmatchedPattern[]): FoundFiles {
  return { files: [], skipped: [], unmatched, problems: [] }
}
