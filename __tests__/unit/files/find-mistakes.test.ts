// What people write by mistake, and the whole text that they get.
import { describe, expect, test } from '@jest/globals'
import { applyIfNoFilesFound } from '../../../src/files/if-no-files-found.ts'
import { ProblemError } from '../../../src/problem.ts'
import { quoted } from '../../../src/text/text.ts'
import { onPosix } from '../../support/systems.ts'
import { type Entries, tree } from '../../support/tree.ts'

const entries: Entries = {
  'README.md': '1',
  'reports/unit.csv': '2',
  'reports/api.xml': '3',
  'reports/Test Result.csv': '4',
  'packages/a/coverage/a.csv': '5',
  'packages/a/Outer$Inner.class': '6',
  'empty/': '',
}

/** The annotations for the lines: title and text. */
async function annotations(lines: string, more: Entries = entries): Promise<readonly string[]> {
  await using workspace = await tree(more)
  try {
    const { problems } = applyIfNoFilesFound(await workspace.find(lines, { method: 'external' }), 'error')
    return problems.map(({ title, text }) => `${title}: ${quoted(text)}`)
  } catch (error) {
    if (error instanceof ProblemError) return [`${error.problems[0]?.title}: ${error.message}`]
    throw error
  }
}

const none = 'No files found'
const holds = 'the workspace holds 4 entries: `README.md`, `empty`, `packages` and 1 more.'
const onlyFolders = 'It matches only folders:'
const yamlList = '`-` begins an item of a YAML list, and `files` is text: remove it, and write one pattern per line.'
const noPattern = '`files` has no pattern. Does it come from an expression that is empty?'
const severalPatterns =
  'If these are several patterns, write one per line, or a JSON list such as `["a.csv", "b.csv"]`.'
const slash = '`\\` makes the character after it literal.'
const literally =
  'is taken literally: no shell reads this text. Write an expression, such as `${{ github.workspace }}` or `${{ env.NAME }}`.'

const byLines = (table: Readonly<Record<string, string>>) => Object.entries(table)
const expectAnnotation = async (lines: string, annotation: string) =>
  expect((await annotations(lines)).join('\n')).toContain(annotation)

describe('the annotation for', () => {
  test.each(
    byLines({
      'reports/*.csv # note': `${none}: \`reports/*.csv # note\`: \`# note\` is taken as part of the name: only a whole line can be a comment.`,
      'report*': `${none}: \`report*\`: ${onlyFolders} \`reports\`. For the files in them write \`report*/**\`.`,
      'packages/*': `${none}: \`packages/*\`: ${onlyFolders} \`packages/a\`. For the files in them write \`packages/**\`.`,
      'packages/*/coverage': `${onlyFolders} \`packages/a/coverage\`. For the files in them write \`packages/*/coverage/**\`.`,
      '- reports/*.csv\n- README.md': `${none}: \`- reports/*.csv\`, \`- README.md\`: ${yamlList}`,
      'README.md, reports/unit.csv': `${holds} ${severalPatterns}`,
      'reports/unit.csv reports/api.xml': `\`unit.csv\`. ${severalPatterns}`,
      "['reports/*.csv']":
        '`[\'` looks like JSON, and is no JSON list: write one pattern per line, or `["a.csv", "b.csv"]`.',
      '{"path": "README.md"}': 'looks like JSON, and is no JSON list',
      'a.csv;b.csv': severalPatterns,
      '*.txt, *.xml': severalPatterns,
      'reports/unit.csv\\nREADME.md':
        "In an expression, `'\\n'` is two characters. A line break is `fromJSON('\"\\n\"')`.",
      'D:\\a\\r\\r\\reports\\*.csv': `This is a path of a Windows runner. Did you mean \`reports/*.csv\`? There is \`reports/Test Result.csv\`, \`reports/unit.csv\`.`,
      'D:\\a\\r\\r\\none\\*.csv': `This is a path of a Windows runner: write a path from the workspace.`,
      'reports\\*.csv': `${slash} Did you mean \`reports/*.csv\`?`,
      'none\\*.csv': `${slash} Write folders with \`/\`: \`none/*.csv\`.`,
      '${{ inputs.path }}/a.csv':
        '`${{` begins an expression: GitHub replaces expressions only in the workflow file itself.',
      'https://example.com/a.csv': '`https:` begins an address, and files are sent from the disk of the runner',
      'none-$(date +%F).csv':
        '`$(date +%F)` is taken literally: no shell reads this text. Run it in an earlier step, and write its output, such as `${{ steps.ID.outputs.NAME }}`.',
      '`pwd`/*.csv': '``pwd`` is taken literally: no shell reads this text. Run it',
      '$GITHUB_WORKSPACE/README.md': `${none}: \`$GITHUB_WORKSPACE/README.md\`: \`$GITHUB_WORKSPACE\` ${literally}`,
      '${RUNNER_TEMP}/a.csv': `\`\${RUNNER_TEMP}\` ${literally}`,
      '$env:USERPROFILE/a.csv': `\`$env:USERPROFILE\` ${literally}`,
      '%OUT%/a.csv': `\`%OUT%\` ${literally}`,
      "'reports/*.csv'": "`'reports/*.csv'` is taken with its quotes as part of the name: remove them.",
      'reports/*/': '`/` at the end matches folders only. For the files in them write `reports/*/**`.',
      // What is on the disk comes before what a name contains.
      'a/Test Result.csv': 'Elsewhere there is `reports/Test Result.csv`.',
      'out/Outer$Inner.class': 'Elsewhere there is `packages/a/Outer$Inner.class`.',
      'packages/a/Outer$Iner.class': 'Did you mean `packages/a/Outer$Inner.class`?',
      'reports/Test Results.csv': `${none}: There is no \`reports/Test Results.csv\`. Did you mean \`reports/Test Result.csv\`?`,
      'My Reports/Final.csv': `${none}: \`My Reports/Final.csv\`: There is no \`My Reports\`: ${holds} ${severalPatterns}`,
      'empty/*.csv': `Searched \`empty\`, which holds nothing. Did the step that writes the files run, and before this one?`,
      ' \n# *.csv': `${none}: ${noPattern}\nIf this should not fail the step, set \`if-no-files-found: warn\`.`,
      '[]': `${none}: ${noPattern}`,
      '!*.csv\n# *': `${none}: \`files\` has only lines with \`!\`, which exclude files. Add what to send, such as`,
      'README.md/': `${none}: \`README.md/\` is a file, and \`/\` at the end matches folders only: remove it.`,
    }),
  )('%s', expectAnnotation)

  test.each(["'README.md'", 'READM.md', 'report*'])('%s only says what to write', async (line) => {
    expect((await annotations(line))[0]).not.toContain('if-no-files-found')
  })

  const root = 'searches the root of the disk.\nDid an expression in it come out empty?'
  onPosix.each(
    byLines({
      '/*.csv': `A pattern cannot be used: \`/*.csv\` ${root} For files of the workspace, write \`*.csv\`. For another folder, write its name before the first wildcard.`,
      '/**/unit.csv': `A pattern cannot be used: \`/**/unit.csv\` ${root}`,
      '/': `A pattern cannot be used: \`/\` ${root}`,
      [`${'../'.repeat(20)}*.csv`]: `${'../'.repeat(20)}*.csv\` ${root} For another folder, write its name before the first wildcard.`,
      '{/,reports/}*.csv': `A pattern cannot be used: \`{/,reports/}*.csv\` ${root}`,
    }),
  )('%s', expectAnnotation)

  test('lines that mean what they say is none', async () => {
    await using temp = await tree({ 'a.csv': '1' })
    expect(await annotations(`README.md\nreports/{unit,api}.*\n${temp.root}/*.csv\n!/**/x.csv`)).toEqual([])
  })
})

test('an alternative in braces that finds nothing is logged', async () => {
  const butNone = 'finds other files, but none for'
  await using workspace = await tree(entries)
  const { files, unmatched } = await workspace.find('{reports,results}/unit.csv\n{x,reports,y}/api.xml')
  expect(files.map((file) => file.path)).toEqual(['reports/unit.csv', 'reports/api.xml'])
  expect(
    unmatched.map(({ explanation = [], literal, pattern }) => [pattern, literal, ...explanation.map(quoted)]),
  ).toEqual([
    ['results/unit.csv', false, `\`{reports,results}/unit.csv\` ${butNone} this alternative.`],
    ['x/api.xml', false, `\`{x,reports,y}/api.xml\` ${butNone} this alternative.`],
  ])
})

test('only lines whose explanation is shown are explained', async () => {
  await using workspace = await tree(entries)
  const lines = Array.from({ length: 300 }, (_, index) => `missing/${index}/*.csv`)
  const names = Array.from({ length: 12 }, (_, index) => `missing/${index}.csv`)
  const { unmatched } = await workspace.find([...lines, ...names].join('\n'))
  const explained = unmatched.filter(({ explanation }) => explanation).map(({ pattern }) => pattern)
  expect(explained).toEqual([...lines.slice(0, 10), ...names.slice(0, 10)])
  expect(unmatched.map(({ literal, pattern }) => (literal ? '' : pattern))).toEqual([...lines, ...names.map(() => '')])
})
