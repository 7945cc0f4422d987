// npm run test:bugs -- --count N --seed S counts the small bugs that the tests see. In a clone of
// the commit, each bug changes one thing in `src/`: an operator, number or boolean, a guard, an end
// of a list, an alternative of a regular expression. First the tests of its file run (`src/x/y.ts`:
// `unit/x/y.test.ts` and `y-*.test.ts`), then all fast tests that import it, until one fails. The
// draw depends on the text of a line, so a later version has the same bugs in the same lines.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdtempDisposableSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseSync, Visitor } from 'oxc-parser'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
})

const others: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '||=': '=',
  '??=': '=',
  '+=': '=',
  '!': '',
  true: 'false',
  false: 'true',
  break: 'continue',
  continue: 'break',
  find: 'findLast',
  findLast: 'find',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
}

interface Bug {
  readonly file: string
  readonly source: string
  readonly start: number
  readonly from: string
  readonly to: string
}

/** Behind a `|`, without groups in it. */
const simpleAlternative = /\|(?:\\.|\[(?:\\.|[^\]\\])*\]|[^|()[\]\\/])+/g

interface Part {
  readonly start: number
  readonly end: number
}

function bugsIn(file: string): readonly Bug[] {
  const bugs: Bug[] = []
  const source = readFileSync(file, 'utf8')
  const add = (start: number, from: string, to = others[from]) => {
    if (to !== undefined) bugs.push({ file, source, start, from, to })
  }
  const textOf = ({ start, end }: Part) => source.slice(start, end)
  const replace = (part: Part, to: string) => add(part.start, textOf(part), to)
  const between = ({ left, operator }: { left: Part; operator: string }) =>
    add(source.indexOf(operator, left.end), operator)
  const word = ({ start, type }: { start: number; type: string }) =>
    add(start, type.replace('Statement', '').toLowerCase())
  new Visitor({
    BinaryExpression: between,
    AssignmentExpression: between,
    LogicalExpression(node) {
      between(node)
      if (node.operator === '??') return
      replace(node, textOf(node.left))
      replace(node, textOf(node.right))
    },
    UnaryExpression: ({ operator, start }) => add(start, operator),
    IfStatement: ({ test }) => replace(test, 'false'),
    BreakStatement: word,
    ContinueStatement: word,
    MemberExpression: ({ computed, property }) => {
      if (!computed) add(property.start, textOf(property))
    },
    CallExpression(node) {
      const { arguments: given, callee } = node
      if (callee.type !== 'MemberExpression') return
      if (given.length === 0) replace(node, textOf(callee.object))
      else if (/\.at\(-1\)$/.test(textOf(node))) add(node.end - 3, '-1', '0')
    },
    Literal(node) {
      const { raw, start, value } = node
      if ('regex' in node && raw) {
        for (const { 0: alternative, index } of raw.matchAll(simpleAlternative))
          add(start + index, alternative, '')
      } else if (raw && typeof value === 'number') {
        add(start, raw, `(${raw} * 2 + 1)`)
        add(start, raw, `(${raw} + 1)`)
      } else if (raw) add(start, raw)
    },
  }).visit(parseSync(file, source).program)
  return bugs
}

/** Random, but independent of the line's place. */
function drawOf({ file, source, start, to }: Bug): string {
  const lineStart = source.lastIndexOf('\n', start) + 1
  const line = source.slice(lineStart, source.indexOf('\n', start))
  return createHash('sha256')
    .update([values.seed, file, line, start - lineStart, to].join('\n'))
    .digest('hex')
}

const planted = ({ from, source, start, to }: Bug) =>
  source.slice(0, start) + to + source.slice(start + from.length)

/** Not in a type, nor a mistake of syntax. */
function canRun(bug: Bug): boolean {
  try {
    return stripTypeScriptTypes(planted(bug)) !== stripTypeScriptTypes(bug.source)
  } catch {
    return false
  }
}

const root = join(import.meta.dirname, '..')
using folder = mkdtempDisposableSync(join(tmpdir(), 'bugs-'))
spawnSync('git', ['clone', '--quiet', '--shared', root, folder.path], { stdio: 'inherit' })
process.chdir(folder.path)
symlinkSync(join(root, 'node_modules'), 'node_modules')
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning']

/** One of the tests failed. An endless loop counts as seen. */
function isSeen(tests: readonly string[]): boolean {
  if (tests.length === 0) return false
  const jest = [...flags, 'node_modules/jest/bin/jest.js', '--selectProjects', 'fast', '--bail']
  const options = { stdio: 'ignore', timeout: 1_200_000, killSignal: 'SIGKILL' } as const
  const { status } = spawnSync(process.execPath, [...jest, '--runInBand', ...tests], options)
  if (status === null) console.log('Killed after 20 minutes:')
  return status !== 0
}

const bugs = globSync('src/**/*.ts')
  .flatMap(bugsIn)
  .sort((one, other) => (drawOf(one) < drawOf(other) ? -1 : 1))
let narrow = 0
let fast = 0
let played = 0
for (const bug of bugs) {
  if (played === Number(values.count)) break
  if (!canRun(bug)) continue
  played += 1
  const { file, from, source, start, to } = bug
  writeFileSync(file, planted(bug))
  const mirror = file.replace('src', '__tests__/unit').replace(/\.ts$/, '')
  const byFile = isSeen(globSync(`${mirror}{,-*}.test.ts`))
  const byFast = byFile || isSeen(['--passWithNoTests', '--findRelatedTests', file])
  writeFileSync(file, source)
  narrow += Number(byFile)
  fast += Number(byFast)
  const line = source.slice(0, start).split('\n').length
  const by = byFile ? 'its file' : byFast ? 'another fast test' : 'NO FAST TEST'
  console.log(`${file}:${line}: ${from} → ${to} seen by ${by}`)
}
console.log(
  `Of ${played} bugs, the tests of the file see ${narrow}, and npm run test:fast ${fast}.`,
)
