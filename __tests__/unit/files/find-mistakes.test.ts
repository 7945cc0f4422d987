// What people write by mistake, and the whole text that they get.
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { selectFiles } from '../../../src/files/select.ts'
import { ProblemError } from '../../../src/problem.ts'
import { quoted, words } from '../../../src/text/text.ts'
import { onLinux, onPosix } from '../../support/systems.ts'
import { asSomebody, type Entries, tree } from '../../support/tree.ts'

const entries: Entries = {
  'README.md': '1',
  'reports/unit.csv': '2',
  'reports/api.xml': '3',
  'reports/Test Result.csv': '4',
  'packages/a/coverage/a.csv': '5',
  'empty/': '',
}

/** The annotations for the lines: title and text. */
async function annotations(lines: string, more: Entries = entries): Promise<readonly string[]> {
  await using workspace = await tree(more)
  try {
    const found = await workspace.find(lines)
    const { problems } = selectFiles(found, { minFileBytes: 1, ifNoFilesFound: 'error', service: words('Slack') })
    return problems.map(({ title, text }) => `${title}: ${quoted(text)}`)
  } catch (error) {
    if (error instanceof ProblemError) return [`${error.problems[0]?.title}: ${error.message}`]
    throw error
  }
}

const none = 'No files found'
const jsonList = '`files` is text, not a JSON list. Write one pattern per line, without `[`, `]`, quotes and commas.'
const item = 'The `- ` is taken as part of the name: this is text with one pattern per line, not a list.'
const comma = 'The comma is taken as part of the name: write one pattern per line.'

describe('the annotation for', () => {
  test.each<[lines: string, annotation: string]>([
    [
      'reports/*.csv # note',
      `${none}: \`reports/*.csv # note\`: The text after \`#\` is taken as part of the name: only a whole line can be a comment. Write \`reports/*.csv\`.`,
    ],
    [
      'report*',
      `${none}: \`report*\`: It matches only folders: \`reports\`. For the files in them write \`report*/**\`.`,
    ],
    [
      'packages/*/coverage',
      `${none}: \`packages/*/coverage\`: It matches only folders: \`packages/a/coverage\`. For the files in them write \`packages/*/coverage/**\`.`,
    ],
    [
      'reports/*.@(csv|xml)',
      `${none}: \`reports/*.@(csv|xml)\`: \`( )\` is taken as part of the name. Write \`reports/*.{csv,xml}\`.`,
    ],
    [
      'reports/*.(csv|xml)',
      `${none}: \`reports/*.(csv|xml)\`: \`( )\` is taken as part of the name. Write \`reports/*.{csv,xml}\`.`,
    ],
    [
      'reports/+(unit).csv',
      `${none}: \`reports/+(unit).csv\`: \`( )\` is taken as part of the name. Write \`reports/unit.csv\`.`,
    ],
    [
      'reports/!(unit).csv',
      `${none}: \`reports/!(unit).csv\`: \`!( )\` is not supported. To exclude files, add a line that begins with \`!\`.`,
    ],
    ['[reports/*.csv]', `${none}: \`[reports/*.csv]\`: ${jsonList}`],
    ['["reports/*.csv", "a.csv"]', `${none}: \`["reports/*.csv", "a.csv"]\`: ${jsonList}`],
    ['- reports/*.csv\n- README.md', `${none}: \`- reports/*.csv\`, \`- README.md\`: ${item}`],
    ['reports/*.csv, README.md', `${none}: \`reports/*.csv, README.md\`: ${comma}`],
    ['"README.md"', `${none}: \`"README.md"\`: The quotes are taken as part of the name: remove them.`],
    [
      'reports/*.csv README.md',
      `${none}: \`reports/*.csv README.md\`: The space is taken as part of the name: write one pattern per line.`,
    ],
    [
      'reports/Test Results.csv',
      `${none}: There is no \`reports/Test Results.csv\`. Did you mean \`reports/Test Result.csv\`?`,
    ],
    [
      'My Reports/Final Report.csv',
      `${none}: There is no \`My Reports\`: the workspace holds 4 entries: \`README.md\`, \`empty\`, \`packages\` and 1 more. Was \`My Reports/Final Report.csv\` made in another job? Then download its artifact first. If not, the step that makes it failed, was skipped, is missing or comes later.`,
    ],
    [
      'empty/*.csv',
      `${none}: \`empty/*.csv\`: Searched \`empty\`, which holds nothing. Did the step that writes its files run, and before this one?`,
    ],
    [
      '',
      'No pattern says which files to send: `files` has no pattern. Write one per line, such as `reports/**/*.csv`. If it is an expression, it came out empty: is it right?',
    ],
    ['README.md/', `${none}: \`README.md\` is a file, and \`/\` at the end matches folders only: remove it.`],
    [
      'build[1].csv',
      `${none}: There is no \`build[1].csv\`, and no \`build1.csv\`, which it means as a pattern: the workspace holds 4 entries: \`README.md\`, \`empty\`, \`packages\` and 1 more. Was \`build1.csv\` made in another job? Then download its artifact first. If not, the step that makes it failed, was skipped, is missing or comes later.`,
    ],
    [
      Array.from({ length: 40 }, (_, index) => `${index}.csv`).join(':'),
      'No name of a file has more than 255 bytes. If this is a list, write one pattern per line.',
    ],
    [
      'reports/{unit, integration}.csv',
      'A space in braces is part of the name: `reports/{unit, integration}.csv`. Did you mean `reports/{unit,integration}.csv`?',
    ],
  ])('%s', async (lines, annotation) => {
    expect((await annotations(lines)).join('\n')).toContain(annotation)
  })

  onPosix.each<[lines: string, annotation: string]>([
    [
      '/*.csv',
      'A pattern cannot be used: `/*.csv` searches the root of the disk.\nDid an expression in it come out empty? For files of the workspace, write `*.csv`. For another folder, write its name before the first wildcard.',
    ],
    ['/**/unit.csv', 'A pattern cannot be used: `/**/unit.csv` searches the root of the disk.\n'],
    ['/', 'A pattern cannot be used: `/` searches the root of the disk.\n'],
    [
      `${'../'.repeat(20)}*.csv`,
      `A pattern cannot be used: \`${'../'.repeat(20)}*.csv\` searches the root of the disk.\nDid an expression in it come out empty? For another folder, write its name before the first wildcard.`,
    ],
    ['{/,reports/}*.csv', 'A pattern cannot be used: `{/,reports/}*.csv` searches the root of the disk.\n'],
    [
      '/etc/*.no-such-extension\nREADME.md',
      'A pattern searches outside of the workspace: `/etc/*.no-such-extension` searches `/etc`.\nIf that is not meant: did an expression in it come out empty?',
    ],
    [
      '/no-such-folder/*.csv\nREADME.md',
      'A pattern searches outside of the workspace: `/no-such-folder/*.csv` searches `/no-such-folder`.\n',
    ],
    [
      'reports\\unit.csv',
      `${none}: \`reports\\unit.csv\`: \`\\\` makes the character after it literal. Write folders with \`/\`: \`reports/unit.csv\`.`,
    ],
  ])('%s', async (lines, annotation) => {
    expect((await annotations(lines)).join('\n')).toContain(annotation)
  })

  test('lines that mean what they say is none', async () => {
    await using temp = await tree({ 'a.csv': '1' })
    expect(await annotations(`README.md\nreports/{unit,api}.*\n${temp.root}/*.csv\n!/**/x.csv`)).toEqual([])
  })
})

test('an alternative in braces that finds nothing is logged', async () => {
  await using workspace = await tree(entries)
  const { files, unmatched } = await workspace.find('{reports,results}/unit.csv\n{x,reports,y}/api.xml')
  expect(files.map((file) => file.path)).toEqual(['reports/unit.csv', 'reports/api.xml'])
  expect(unmatched.map(({ explanation = [], ...one }) => ({ ...one, explanation: quoted(explanation) }))).toEqual([
    {
      pattern: 'results/unit.csv',
      literal: false,
      explanation: '`{reports,results}/unit.csv` finds other files, but none for this alternative.',
    },
    {
      pattern: 'x/api.xml',
      literal: false,
      explanation: '`{x,reports,y}/api.xml` finds other files, but none for this one and 1 more of its alternatives.',
    },
  ])
})

test('only lines whose explanation is shown are explained', async () => {
  await using workspace = await tree(entries)
  const lines = Array.from({ length: 300 }, (_, index) => `missing/${index}/*.csv`)
  const { unmatched } = await workspace.find([...lines, 'a.csv'].join('\n'))
  expect(unmatched.filter(({ explanation }) => explanation).map(({ pattern }) => pattern)).toEqual([
    ...lines.slice(0, 10),
    'a.csv',
  ])
})

test('a folder of web pages is better sent as one file', async () => {
  const pages = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`coverage/${index}.html`, '1']))
  expect(await annotations('coverage/**', { ...pages, 'coverage/base.css': '1' })).toEqual([
    'More files than allowed: The patterns match 61 files, `max-files` allows 50.\n' +
      'A folder of web pages cannot be read in a channel: send it as one zip file, which an earlier step makes.',
  ])
})

describe('a name with an accent', () => {
  const composed = 'Übersicht.csv'
  const decomposed = composed.normalize('NFD')

  onLinux('is found in both forms', async () => {
    await using workspace = await tree({ [`büro/${decomposed}`.normalize('NFD')]: '1', 'a.csv': '2' })
    for (const line of [`büro/${composed}`, 'büro/*.csv', 'b?ro/Ü*', `**/${composed}`, `${workspace.root}/büro`]) {
      expect([line, await workspace.paths(line)]).toEqual([line, [`büro/${decomposed}`.normalize('NFD')]])
    }
    expect(await workspace.paths(`**\n!büro/${composed}`)).toEqual(['a.csv'])
  })

  onLinux('means the exact one if both exist', async () => {
    await using workspace = await tree({ [composed]: '1', [decomposed]: '2' })
    expect(await workspace.paths(composed)).toEqual([composed])
    expect(await workspace.paths(decomposed)).toEqual([decomposed])
  })
})

test.each([
  ['!!a.csv', ['a.csv']],
  ['! !a.csv', ['a.csv']],
  ['*.csv\n!!!a.csv', ['b.csv']],
  ['a.csv/', []],
  ['d/', ['d/c.csv']],
  ['*\n!a.csv/', ['a.csv', 'b.csv']],
])('%j means what it means in @actions/glob', async (lines, expected) => {
  await using workspace = await tree({ 'a.csv': '1', 'b.csv': '2', 'd/c.csv': '3' })
  expect(await workspace.paths(lines)).toEqual(expected)
})

onPosix('a folder that cannot be read is named', async () => {
  await using workspace = await tree({})
  await mkdir(path.join(workspace.root, 'closed'))
  await writeFile(path.join(workspace.root, 'closed', 'a.csv'), '1')
  await chmod(path.join(workspace.root, 'closed'), 0)
  await asSomebody(async () => {
    expect(await workspace.refusal('closed/*.csv')).toContain('`closed` cannot be read')
  })
  await chmod(path.join(workspace.root, 'closed'), 0o755)
})
