/** Runs each row of docs/reports.md on the files that its tool leaves. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { minimatch } from 'minimatch'
import { parse } from 'yaml'
import type { FoundFiles } from '../../src/files/files.ts'
import { quoted } from '../../src/text/text.ts'
import { sharedFolder } from '../support/folder.ts'
import { runBash, runProcess } from '../support/processes.ts'
import { read } from '../support/repository.ts'
import { tree } from '../support/tree.ts'

type Key = 'tree' | 'empty' | 'finds' | 'hint' | 'mistakeFinds' | 'npm' | 'pip' | 'run'
type Left = Readonly<Record<Key, string>>
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

/** What lines and mistake of a row find among these paths, and which examples are not there. */
async function look(
  [, lines, there, mistake]: readonly string[],
  paths: readonly string[],
  search: (lines: string) => Promise<FoundFiles>,
) {
  const pathsOf = ({ files }: FoundFiles) => files.map(({ path }) => path).sort()
  const [wrong = ''] = codeIn(mistake)
  const mistaken = await search(wrong)
  return {
    found: pathsOf(await search(codeIn(lines).join('\n'))),
    missing: codeIn(there).filter((name) => !paths.some((path) => asShown(name).test(path))),
    mistaken: pathsOf(mistaken),
    explanation: mistaken.unmatched.flatMap((line) => line.explanation ?? []).map(quoted),
    saysNothing: mistake?.startsWith(`\`${wrong}\` finds nothing`),
  }
}

test.each(rows)('%s: the line finds what is promised, and the mistake does not', async (...row) => {
  const left = trees[row[0] ?? '']
  const contents = [
    ...pathsIn(left?.tree)
      .map((path) => path.split('->'))
      .map(([path = '', to]) => [path, to ? `-> ${to}` : path] as const),
    ...(left?.empty ? [[left.empty, ''] as const] : []),
  ]
  await using workspace = await tree(Object.fromEntries(contents))
  const { explanation, ...seen } = await look(
    row,
    contents.map(([path]) => path),
    (input) => workspace.find(input, { skipEmptyFiles: true }),
  )
  expect(seen).toEqual({
    found: pathsIn(left?.finds),
    missing: [],
    mistaken: left?.hint ? [] : pathsIn(left?.mistakeFinds),
    saysNothing: left?.hint !== undefined,
  })
  if (left?.hint) expect(explanation.join('\n')).toContain(`\`${left.hint}\``)
})

// As Weekly does: NEWEST=yes npm test -- __tests__/repository/reports. It needs Linux, the network,
// gcc, Java and Chromium with its driver.
if (process.env['NEWEST']) {
  const cache = sharedFolder()
  const own = { DO_NOT_TRACK: '1', XDG_CACHE_HOME: cache, npm_config_cache: cache }
  // Playwright refuses to run below jest.
  const env = { ...process.env, ...own, JEST_WORKER_ID: undefined }

  test.each(rows.filter(([tool = '']) => trees[tool]?.run))(
    '%s: nothing moved in the newest version',
    async (...row) => {
      const { npm, pip, run } = trees[row[0] ?? ''] ?? {}
      await using tools = await tree({ 'project/package.json': '{}' })
      const install = npm
        ? `npm install --silent --no-audit --ignore-scripts --no-package-lock ${npm} && npm ls --depth=0`
        : `python3 -m venv python && python/bin/pip install -q ${pip} && python/bin/pip list --not-required`
      const installed = await runBash(install, { cwd: tools.root, env })
      if (installed.code !== 0) throw new Error(installed.stderr)
      const script = `PATH='${tools.root}/node_modules/.bin:${tools.root}/python/bin':$PATH
        CHROMIUM=$(command -v chromium google-chrome | head -n 1)\n${run}`
      const workspace = join(tools.root, 'project')
      const played = await runProcess('bash', ['--noprofile', '--norc', '-c', script], {
        cwd: workspace,
        env,
      })
      const paths = readdirSync(workspace, { recursive: true, encoding: 'utf8' })
      const { found, missing, mistaken, saysNothing } = await look(row, paths, (input) =>
        tools.find(input, { workspace, skipEmptyFiles: true, maxFiles: 1_000 }),
      )
      const isNothing = mistaken.length === 0
      const asDescribed = found.length > 0 && missing.length === 0 && isNothing === saysNothing
      const moved = { found, missing, mistaken, paths, installed: installed.stdout, ...played }
      expect(asDescribed ? {} : moved).toEqual({})
    },
    900_000,
  )
}
