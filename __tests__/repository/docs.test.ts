/** Pages agree with the repository. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { writtenFiles } from '../../scripts/docs.ts'
import { helpPages } from '../../src/problem.ts'
import { renderOutputs } from '../../src/report/outputs.ts'
import { describeRun } from '../../src/report/report.ts'
import { evaluate } from '../support/expressions.ts'
import { delivered, foundFiles, message, uploaded } from '../support/report-runs.ts'
import { blocksOf, pages, read, root } from '../support/repository.ts'

test.each(Object.entries(writtenFiles()))(
  '%s repeats what it has to: npm run docs',
  (path, text) => {
    expect(read(path)).toBe(text)
  },
)

test.each(['README.md', 'docs/setup.md'])(
  'the app to which %s links gets every scope of the table of scopes, and no other',
  (page) => {
    const [, manifest = ''] =
      /\(https:\/\/api\.slack\.com\/apps\?new_app=1&manifest_yaml=(\S*)\)/.exec(read(page)) ?? []
    const scopes: readonly string[] = parse(decodeURIComponent(manifest)).oauth_config.scopes.bot
    const [, table = ''] = read('docs/setup.md').split('\n### Scopes\n')
    const firstCells = table.split('\n## ')[0]?.match(/^\| `.*?(?= \| )/gm) ?? []
    const named = firstCells.flatMap((cell) => cell.match(/(?<=`)\w+:\w+(?=`)/g) ?? [])
    expect([...scopes].sort()).toEqual([...new Set(named)].sort())
  },
)

test('the titles that pages quote are those of problems', () => {
  const source = globSync('src/**/*.ts', { cwd: root }).map(read).join()
  const quoted = pages.flatMap(
    (page) => read(page).match(/(?<=`)[A-Z][a-z]+ [a-z][^`]+(?=`)/g) ?? [],
  )
  expect(quoted).toContain('No files found')
  expect(quoted.filter((title) => !source.includes(title))).toEqual([])
})

/** The value of an input written on one line, as YAML reads it. */
function yamlValue(line: string): unknown {
  try {
    return Object.values(parse(line))[0]
  } catch {
    return undefined
  }
}

test('each YAML slip in one line is one, and the right spelling gives the value that is meant', () => {
  const row = /^\| `(\w[\w-]*: [^`|>]+)` \| .* \| `([^`|]+)` \|$/gm
  const slips = [...read('docs/troubleshooting.md').matchAll(row)]
  expect(slips.length).toBeGreaterThan(5)
  for (const [, slip = '', right = ''] of slips) {
    const meant = slip.replace(/^[\w-]+: /, '')
    expect([slip, yamlValue(slip)]).not.toEqual([slip, meant])
    expect([right, yamlValue(right)]).toEqual([right, meant])
  }
})

test('the expressions of docs/outputs.md give names, number, links and the rest of a partial run', () => {
  const files = uploaded(foundFiles(3))
  const run = delivered('partial', [
    message(files.slice(0, 2), { C1: 'posted' }),
    message(files.slice(2), { C1: 'not-sent' }),
  ])
  const { values } = renderOutputs(describeRun(run))
  const steps = blocksOf('docs/outputs.md', 'yaml').map((block) => parse(block))
  const { env, with: inputs } = Object.assign({}, ...steps.filter(Array.isArray).flat())
  const given = (text: string) => evaluate(text, { steps: { overview: { outputs: values } } })
  expect(Object.values<string>(env).map(given)).toEqual([
    'https://team.example/archives/C1/p1760688662900270',
    'unit-1.csv, unit-2.csv',
    'https://team.example/files/F1',
    '2',
  ])
  expect(JSON.parse(given(inputs.files))).toEqual([
    { path: 'reports/unit-3.csv', name: 'unit-3.csv' },
  ])
})

test('each row of the threat model names tests that exist, or whose promise it is', () => {
  const rows = read('SECURITY.md').match(/^\| \*\*.*$/gm) ?? []
  expect(rows.length).toBeGreaterThan(5)
  for (const row of rows) {
    const shown = row.split(' | ').at(-1) ?? ''
    const tests = Array.from(
      shown.matchAll(/`([^`]+)`/g),
      ([, name]) => `__tests__/${name}.test.ts`,
    )
    if (tests.length === 0) expect(shown).toMatch(/^(GitHub|Slack|npm) \|$/)
    expect(tests.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
  }
})

test('SECURITY.md links to the form for a private report', () => {
  expect(read('SECURITY.md')).toContain('](../../security/advisories/new)')
})

test('the overview of the documentation leads to every page', () => {
  const overview = 'docs/README.md'
  const linked = Array.from(
    read(overview).matchAll(/\(([\w-]+\.md)[#)]/g),
    ([, name]) => `docs/${name}`,
  )
  const others = pages.filter((page) => page.startsWith('docs/') && page !== overview)
  expect(others.filter((page) => !linked.includes(page))).toEqual([])
})

test('CONTRIBUTING explains every script of package.json, and no page, comment or workflow names another one', () => {
  const scripts = Object.keys(JSON.parse(read('package.json')).scripts).filter(
    (name) => name !== 'postinstall',
  )
  const [, table = ''] = read('CONTRIBUTING.md').split('\n## Commands\n')
  const explained = Array.from(
    table.split('\n## ')[0]?.matchAll(/`npm (?:run )?([\w:]+)`/g) ?? [],
    ([, name]) => name,
  )
  expect(explained.sort()).toEqual(scripts.sort())
  const files = globSync(
    ['*.md', '{__tests__,bench,docs,sandbox,scripts,.github}/**/*.{md,ts,js,yml}'],
    { cwd: root },
  )
  const mentions = files.flatMap((path) =>
    Array.from(
      read(path).matchAll(/npm run (?:--silent )?([\w-]+(?::\w+)*)/g),
      ([, name = '']) => `${path}: ${name}`,
    ),
  )
  expect(mentions.length).toBeGreaterThan(50)
  expect(mentions.filter((line) => !scripts.includes(line.split(': ')[1] ?? ''))).toEqual([])
})

test.each([
  ['CONTRIBUTING.md', 30],
  ['__tests__/README.md', 15],
])('%s names files and folders that are there', (page, least) => {
  const paths = [
    ...read(page).matchAll(
      /`((?:[\w.-]+\/)+[\w.-]*|[\w-]+(?:\.test)?\.(?:ts|md|json|yml))`|(?<=^npm test .*)__tests__\S+/gm,
    ),
  ].map(([whole, path = whole]) => path)
  expect(paths.length).toBeGreaterThan(least)
  // CONTRIBUTING also names files relative to src/ and to a file named before.
  const tests = ['', 'action/', 'repository/', 'unit/service/'].map(
    (folder) => `__tests__/${folder}`,
  )
  const folders = ['', 'src/', 'src/service/', ...tests]
  const isThere = (path: string) =>
    folders.some((folder) => existsSync(new URL(folder + path, root)))
  // `x/y` is a placeholder.
  const missing = paths.filter((path) => !path.includes('x/y') && !isThere(path))
  expect(missing).toEqual([])
})

/** As GitHub derives them from headings. */
const anchors = (markdown: string) =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

test.each(Object.entries(helpPages))(
  'the page about %s, which annotations link to, is there: %s',
  (_, page) => {
    const [path = '', anchor] = page.split('#')
    expect([undefined, ...anchors(read(path))]).toContain(anchor)
  },
)

test.each(pages)('%s links only to what is there', (page) => {
  const text = read(page).replace(/^```[\s\S]*?^```$/gm, '')
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    ([, link, image]) => link ?? image ?? '',
  )
  // Links to GitHub's own pages start at /owner/name/blob/main/.
  const own = /^\w+:|^\.\.\/\.\.\/security\/advisories\/new$/
  for (const target of targets.filter((link) => !own.test(link))) {
    const url = new URL(target, new URL(page, root))
    const { hash } = url
    url.hash = ''
    expect({ target, there: existsSync(url) }).toEqual({ target, there: true })
    if (hash !== '') expect(anchors(readFileSync(url, 'utf8'))).toContain(hash.slice(1))
  }
})
