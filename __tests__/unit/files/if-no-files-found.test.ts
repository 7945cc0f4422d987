import { describe, expect, test } from '@jest/globals'
import type { UnmatchedPattern } from '../../../src/files/files.ts'
import { applyIfNoFilesFound } from '../../../src/files/if-no-files-found.ts'
import { quoted, text } from '../../../src/text/text.ts'
import { grid } from '../../support/grid.ts'
import { foundFile } from '../../support/report-runs.ts'
import { tree } from '../../support/tree.ts'

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

/** A pattern that matches nothing, with what is missing after ` in `, or what is said of it. */
function missing(words: string): UnmatchedPattern {
  const [pattern = '', name = pattern] = words
    .replace(/ (?:is wrong|unexplained|says.*)$/, '')
    .split(' in ')
  const isNamed = pattern === name
  if (words.endsWith(' unexplained')) return { pattern, literal: isNamed }
  const isWrong = words.endsWith(' is wrong')
  return {
    pattern,
    literal: isNamed && !isWrong,
    isNamed,
    explanation: isWrong
      ? [text`${pattern} is wrong.`]
      : [text`There is no ${name}.`, text`Is it a typo?`],
    ...(words.endsWith(' write') && { saysWhatToWrite: true }),
  }
}

test('patterns without a match are problems by the input, and what is left is for the log', async () => {
  const rows = `
error: a.csv
warn: a.csv
ignore: a.csv
error: build/*.csv in build, a.csv
# Beyond three they are counted.
error: 0.csv, 1.csv, 2.csv, 3.csv, 4.csv
error: 0.csv, x.csv unexplained, 1.csv, 2.csv
# Named once if the explanation begins with them.
error: build/*.csv is wrong
error: a⏎::error::b/*.csv in a⏎::error::b
error: a.csv, build/*.csv in build says what to write
# Beside a file that is sent, only those that name one file.
error: build/*.csv in build, b.csv: sent.csv
error: build/*.csv in build: sent.csv
`
  const outcome = (row: string) => {
    if (row.startsWith('# ')) return row
    const [policy, words = '', sent] = row.split(': ')
    const found = {
      files: sent ? [foundFile(sent)] : [],
      skipped: [],
      unmatched: words.split(', ').map(missing),
      problems: [],
    }
    const after = applyIfNoFilesFound(found, policy as 'error')
    return [
      ...after.problems.map(({ level, text, title }) => `${level}: ${title}: ${quoted(text)}`),
      `left: ${after.unmatched.map(({ pattern }) => pattern).join(' ') || 'nothing'}`,
    ].join('⏎')
  }
  expect(await grid(rows, outcome)).toMatchInlineSnapshot(`
"error: a.csv
    error: No files found: There is no \`a.csv\`. Is it a typo?⏎If this should not fail the step, set \`if-no-files-found: warn\`.⏎left: nothing
warn: a.csv
    warning: No files found: There is no \`a.csv\`. Is it a typo?⏎left: nothing
ignore: a.csv
    left: a.csv
error: build/*.csv in build, a.csv
    error: No files found: \`build/*.csv\`: There is no \`build\`. Is it a typo?⏎There is no \`a.csv\`. Is it a typo?⏎If this should not fail the step, set \`if-no-files-found: warn\`.⏎left: nothing
# Beyond three they are counted.
error: 0.csv, 1.csv, 2.csv, 3.csv, 4.csv
    error: No files found: There is no \`0.csv\`. Is it a typo?⏎There is no \`1.csv\`. Is it a typo?⏎There is no \`2.csv\`. Is it a typo?⏎and 2 more, see the log⏎If this should not fail the step, set \`if-no-files-found: warn\`.⏎left: 3.csv 4.csv
error: 0.csv, x.csv unexplained, 1.csv, 2.csv
    error: No files found: There is no \`0.csv\`. Is it a typo?⏎There is no \`1.csv\`. Is it a typo?⏎There is no \`2.csv\`. Is it a typo?⏎and 1 more, see the log⏎If this should not fail the step, set \`if-no-files-found: warn\`.⏎left: x.csv
# Named once if the explanation begins with them.
error: build/*.csv is wrong
    error: No files found: \`build/*.csv\` is wrong.⏎If this should not fail the step, set \`if-no-files-found: warn\`.⏎left: nothing
error: a⏎::error::b/*.csv in a⏎::error::b
    error: No files found: \`a\\n::error::b/*.csv\`: There is no \`a\\n::error::b\`. Is it a typo?⏎If this should not fail the step, set \`if-no-files-found: warn\`.⏎left: nothing
error: a.csv, build/*.csv in build says what to write
    error: No files found: There is no \`a.csv\`. Is it a typo?⏎\`build/*.csv\`: There is no \`build\`. Is it a typo?⏎left: nothing
# Beside a file that is sent, only those that name one file.
error: build/*.csv in build, b.csv: sent.csv
    error: Files that a pattern names were not found: There is no \`b.csv\`. Is it a typo?⏎If this should not fail the step, set \`if-no-files-found: warn\`.⏎left: build/*.csv
error: build/*.csv in build: sent.csv
    left: build/*.csv"
`)
})
