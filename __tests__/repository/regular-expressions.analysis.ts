// With backtracking, a stranger's text can block Node for minutes, timers included. Here, one match
// is judged. With `g`, each match can look ahead to the end again, so a form with braces has a test
// of its own (unit/files/credentials.test.ts).
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from '@jest/globals'
import { parseSync, Visitor } from 'oxc-parser'
import { root } from '../support/repository.ts'

/**
 * Expressions that need more than linear time, by the reason that their text is short or trusted.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'the digits of a number': [String.raw`\B(?=(\d{3})+$)`],
  'the path of a file': [
    String.raw`\.env[^/]*\.(example|sample|template|schema|dist)$|(^|\/)(example|sample)\.env$`,
  ],
  'the name of a file': [String.raw`.*\.`, '[^.]*$'],
  'a message of Node': [String.raw`, \w+( '.*')?$`],
  'an input, which the author of the workflow writes': [
    String.raw`(?<=\s)#(?:\s.*)?$`,
    String.raw`(?<=^[^\\]*\.\w+)(?:\\n|%0A)`,
    `${String.raw`\$\(.+\)|`}\`.+\`${String.raw`|(?<!\w)\$\{?(?:env:)?[a-z_]\w*\}?|%[a-z_]\w*%|%[a-z](?!\w)`}`,
    '^[$%{]\\W*(?:env:)?(?:github.workspace|pwd)\\W*?[/\\\\]|^- +|%20|["\'`“”„‘’«»]|\\s+(?:#|=>|->|as\\s|!).*|(?<=\\.\\w+)[:=#,;].*|(?<=^[^{]*)[,;](?:\\s.*)?$',
    String.raw`\{[^}]*$|\[[^\]]*$`,
    String.raw`^[[{]\s*\\?["']|^\[(?=.*[,/].*\]$)`,
    String.raw`^[^\S\n]*-\s`,
    String.raw`^[^\S\n]*#(?!\S).*\n?`,
  ],
}

/**
 * Keep the search for a slow text short. They count steps, so they give the same result on any
 * machine. A text is slow if it takes more than an eighth of the square of the longest length.
 */
const limits = {
  attackLimit: 31_250,
  attackTimeout: null,
  crossoverSize: 5,
  incubationLimit: 1_250,
  incubationTimeout: null,
  maxAttackStringSize: 500,
  maxGenerationSize: 20,
  maxInitialGenerationSize: 20,
  maxIteration: 1,
  maxNFASize: 1_000,
  maxSimpleRepeatCount: 10,
  mutationSize: 5,
  seedingLimit: 50,
  seedingTimeout: null,
  timeout: null,
}

test('Every regular expression can be read, and takes linear time, unless its text is short or its author’s own', async () => {
  process.env['RECHECK_BACKEND'] = 'pure'
  const { checkSync } = await import('recheck')
  const files = globSync('src/**/*.ts', { cwd: root }).map((file) =>
    fileURLToPath(new URL(file, root)),
  )
  const literals = files.flatMap(written)
  expect(literals.filter(({ pattern }) => pattern.length > 180)).toEqual([])
  const all = [...literals, ...(await built(files))]
  expect(all.length).toBeGreaterThan(100)
  const slow = all.filter(({ pattern, flags }) => {
    if (!repeats(pattern)) return false
    const { status } = checkSync(pattern, flags, limits)
    return status !== 'safe'
  })
  const patterns = slow.map(({ pattern }) => pattern)
  expect([...new Set(patterns)].sort()).toEqual(Object.values(allowed).flat().sort())
})

interface Expression {
  readonly pattern: string
  readonly flags: string
}

/** Literals in the file. */
function written(file: string): readonly Expression[] {
  const found: Expression[] = []
  const { program } = parseSync(file, readFileSync(file, 'utf8'))
  new Visitor({
    Literal(node) {
      if ('regex' in node) found.push(node.regex)
    },
  }).visit(program)
  return found
}

/** Results of `new RegExp` while the files load, and in these functions. */
async function built(files: readonly string[]): Promise<readonly Expression[]> {
  const found: Expression[] = []
  const original = RegExp
  globalThis.RegExp = new Proxy(RegExp, {
    construct(target, [pattern, flags = '']: [string, string?]) {
      found.push({ pattern, flags })
      return new target(pattern, flags)
    },
  })
  try {
    for (const file of files) if (!file.endsWith('index.ts')) await import(pathToFileURL(file).href)
    const { withoutCommands } = await import('../../src/report/log.ts')
    const { tokenRemover } = await import('../../src/text/token.ts')
    withoutCommands('##[error]')
    tokenRemover('xoxb-made-up')('\\')
  } finally {
    globalThis.RegExp = original
  }
  return found
}

/** Only unlimited repetition can be slow. */
function repeats(pattern: string): boolean {
  return /[*+]|\{\d+,\}/.test(pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, ''))
}
