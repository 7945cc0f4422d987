// node __tests__/fuzz/searches.ts --old CHECKOUT [--count N] [--seed S] [--in FOLDER]: plays random
// lines in random trees with the search of this checkout and that of another one, and shows where
// they send other files. What only this one refuses is counted by its title.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { findFiles } from '../../src/files/find.ts'
import { choices, seeded } from '../support/seeded.ts'

type Find = typeof findFiles

const { values } = parseArgs({
  options: {
    old: { type: 'string' },
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    in: { type: 'string', default: tmpdir() },
  },
})
const searchesInTree = 50
const { chance, pick, whole } = choices(seeded(Number(values.seed)))

const names = [
  'reports',
  'report',
  'private',
  'privat',
  'web',
  'web2',
  '.out',
  '_site',
  'node_modules',
]
const fileNames = [
  'unit.csv',
  'Unit.csv',
  'untt.csv',
  'a[1].csv',
  'app-1.zip',
  'x.tmp',
  '.h',
  'ü.csv',
  'd e',
]
const wildcards = [
  '*',
  '**',
  '?*',
  '*.csv',
  '*.cvs',
  're*',
  '{web,private}',
  '{ web, x }',
  '[a-z]*',
  '.*',
]
const others = ['', '..', '.', 'none', 'app-.zip', 'a--b', '{}', '"unit.csv"', 'unit.csv # x', '!']
const several = (of: () => string) => Array.from({ length: whole(1, 4) }, of).join('/')

function makeTree(root: string): readonly string[] {
  const made: string[] = []
  for (let left = whole(3, 25); left > 0; left -= 1) {
    const at = path.join(
      root,
      several(() => pick(names)),
      pick(fileNames),
    )
    try {
      mkdirSync(path.dirname(at), { recursive: true })
      if (chance(0.1)) symlinkSync(pick(['.', '..', '../..', 'unit.csv', '../web', '/', root]), at)
      else writeFileSync(at, chance(0.1) ? '' : at)
    } catch {
      // The path leads through a file, or exists.
    }
    made.push(path.relative(root, at))
  }
  return made
}

function randomLine(root: string, paths: readonly string[]): string {
  const start = pick([...Array(12).fill(''), `${root}/`, '/home/runner/work/r/r/', '/mnt/_temp/'])
  const other = () => pick(pick([names, fileNames, wildcards, wildcards, wildcards, others]))
  const segments = pick(paths).split(path.sep)
  const rest = segments.map((segment) => (chance(0.8) ? segment : other())).join('/')
  return (chance(0.3) ? '!' : '') + start + rest + (chance(0.1) ? '/' : '')
}

function randomInput(...tree: Parameters<typeof randomLine>): string {
  const lines = Array.from({ length: whole(1, 4) }, () => randomLine(...tree))
  if (chance(0.85)) return lines.join('\n')
  return JSON.stringify(lines.map((line) => (chance(0.3) ? { path: line, name: 'n.csv' } : line)))
}

/** What is sent, or why nothing is. */
async function outcome(find: Find, input: string, options: Parameters<Find>[1]) {
  const found = await find(input, options).catch((error: unknown) => error as Error)
  const [problem] = 'problems' in found ? (found as Awaited<ReturnType<Find>>).problems : []
  if (problem?.level === 'error')
    return { refused: String(problem.title), text: JSON.stringify(problem.text) }
  if (found instanceof Error) throw found
  return {
    sent: JSON.stringify([
      found.files.map(({ real, path: at, name, title }) => [real, at, name, title]),
      found.unmatched.map(({ pattern, literal }) => [pattern, literal]),
    ]),
  }
}

async function searchOf(checkout: string): Promise<Find> {
  return (await import(pathToFileURL(path.resolve(checkout, 'src/files/find.ts')).href)).findFiles
}

const [ours, theirs] = [
  await searchOf(fileURLToPath(new URL('../..', import.meta.url))),
  await searchOf(values.old ?? '.'),
]
const counts = new Map<string, number>()
for (let done = 0; done < Number(values.count); ) {
  const folder = mkdtempSync(path.join(values.in, 'searches-'))
  const root = path.join(folder, 'r')
  const paths = makeTree(root)
  for (let left = searchesInTree; left > 0; left -= 1, done += 1) {
    const input = randomInput(root, paths)
    const options = {
      workspace: root,
      workingDirectory: pick(['', '', '', '', 'reports', '..']),
      includeHiddenFiles: chance(0.2),
      maxFiles: 50,
      skipEmptyFiles: true,
      method: 'external',
      removeToken: String,
      signal: new AbortController().signal,
    }
    const [now, before] = [
      await outcome(ours, input, options),
      await outcome(theirs, input, options),
    ]
    const isNew = now.refused !== undefined && before.sent !== undefined
    const isOther = now.sent !== before.sent && !isNew
    const kind = now.refused
      ? 'refused by both'
      : now.sent?.startsWith('[[],')
        ? 'nothing'
        : 'the same files'
    const result = isOther ? 'OTHER FILES' : isNew ? `refused now: ${now.refused}` : kind
    counts.set(result, (counts.get(result) ?? 0) + 1)
    if (isOther) console.log(JSON.stringify({ input, ...options, now, before }))
  }
  rmSync(folder, { recursive: true })
}
console.log(Object.fromEntries(counts))
process.exitCode = counts.has('OTHER FILES') ? 1 : 0
