/** Runs each row of docs/reports.md on the files that its tool leaves. */
import { expect, test } from '@jest/globals'
import { minimatch } from 'minimatch'
import { parse } from 'yaml'
import { quoted } from '../../src/text/text.ts'
import { read } from '../support/repository.ts'
import { tree } from '../support/tree.ts'

type Left = Readonly<Record<'tree' | 'empty' | 'finds' | 'hint' | 'mistakeFinds', string>>
const trees: Readonly<Record<string, Left>> = parse(read('__tests__/support/report-trees.yml'))
const rows = Array.from(
  read('docs/reports.md').matchAll(/^\| (?!Tool \||---)(.+) \|$/gm),
  ([, row = '']) => row.split(' | '),
)
const codeIn = (cell = '') => Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = '']) => code)
const pathsIn = (braces = '') =>
  braces
    .split(/(?<!\\) /)
    .flatMap((path) => minimatch.braceExpand(path))
    .map((path) => path.replaceAll('\\ ', ' '))
    .sort()

/** `_<host>_<time>.trx`, also as part of a path. */
const asShown = (name: string) =>
  new RegExp(
    name
      .split(/<[^>]*>/)
      .map(RegExp.escape)
      .join('[^/]+'),
  )

test('each row of the page has a tree, and each tree a row', () => {
  expect(rows.map(([tool]) => tool)).toEqual(Object.keys(trees))
  expect(rows.length).toBeGreaterThan(90)
})

test.each(rows)('%s: the line finds what is promised, and the mistake does not', async (...row) => {
  const [tool = '', lines, there, mistake = ''] = row
  const left = trees[tool]
  const paths = pathsIn(left?.tree)
  const contents = [
    ...paths.map((path) => path.split('->')).map(([path, to]) => [path, to ? `-> ${to}` : path]),
    ...(left?.empty ? [[left.empty, '']] : []),
  ]
  await using workspace = await tree(Object.fromEntries(contents))
  const find = async (input: string) => {
    const { files, unmatched } = await workspace.find(input, { skipEmptyFiles: true })
    const explanation = unmatched.flatMap((line) => line.explanation ?? []).map(quoted)
    return { found: files.map(({ path }) => path).sort(), explanation: explanation.join('\n') }
  }
  expect((await find(codeIn(lines).join('\n'))).found).toEqual(pathsIn(left?.finds))
  // The page's examples exist.
  const names = codeIn(there).map(asShown)
  expect(names.filter((name) => !contents.some(([path = '']) => name.test(path)))).toEqual([])
  const [wrong = ''] = codeIn(mistake)
  const { found, explanation } = await find(wrong)
  expect(found).toEqual(left?.hint ? [] : pathsIn(left?.mistakeFinds))
  expect(mistake.startsWith(`\`${wrong}\` finds nothing`)).toBe(left?.hint !== undefined)
  if (left?.hint) expect(explanation).toContain(`\`${left.hint}\``)
})
