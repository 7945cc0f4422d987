/**
 * Writes the repeated parts of pages, so that they cannot drift.
 *
 * `npm run docs` writes the tables of inputs and outputs, from action.yml, into README,
 * docs/inputs.md and docs/outputs.md; the link to Slack's form, from the manifest in docs/setup.md;
 * the table of docs/errors.md; docs/evidence.md, with the answers that it
 * has; the version that requests name, from package.json; and figures of bench/README.md into
 * docs/migrating.md.
 *
 * `npm run docs -- owner/name` also writes into every page, example and package.json whose
 * repository it is, and `npm run docs -- owner/name@<commit SHA> v1.2.3` which release a step uses.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'yaml'
import { type Advice, errorCodes, type FailureFacts } from '../src/service/errors/error-codes.ts'
import { remedyOf } from '../src/service/errors/failures.ts'
import { quoted, text } from '../src/text/text.ts'
import { renderPage, runOf } from './live/page.ts'
import { writeName } from './repository-name.ts'

const root = new URL('../', import.meta.url)
const userAgentFile = 'src/service/http/http.ts'

interface Declared {
  readonly description: string
  readonly default?: string
  readonly required?: boolean
}

const inMostSteps = 'In most steps'
/** In docs/inputs.md. README has those of the first group. */
const groupsOfInputs = {
  [inMostSteps]: [
    'token',
    'channels',
    'files',
    'comment',
    'if-no-files-found',
    'thread-ts',
    'dry-run',
  ],
  Text: ['title', 'comment-format', 'allow-broadcast'],
  Delivery: ['if-not-confirmed', 'timeout-minutes'],
  Files: ['working-directory', 'include-hidden-files', 'max-files'],
  'Other servers': ['base-url', 'method'],
}

/** README with its table as `action.yml` has it now. */
function withMostUsed(readme: string, actionYml: string): string {
  const { inputs } = declared(actionYml)
  return withTable(
    readme,
    'inputs',
    table(inputHead, inputRows(inputs, groupsOfInputs[inMostSteps], firstSentence)),
  )
}

/** docs/outputs.md with all outputs. */
function withOutputs(page: string, actionYml: string): string {
  const { outputs } = declared(actionYml)
  const rows = Object.entries(outputs).map(([name, output]) => [code(name), meaning(output)])
  return withTable(page, 'outputs', table(['Output', 'Meaning'], rows))
}

/** docs/inputs.md with all inputs, in groups. */
function withInputs(page: string, actionYml: string): string {
  const { inputs } = declared(actionYml)
  const placed = Object.values(groupsOfInputs).flat()
  const missing = Object.keys(inputs).filter((name) => !placed.includes(name))
  if (missing.length > 0)
    throw new Error(`Add ${missing.join(', ')} to a group of groupsOfInputs in scripts/docs.ts`)
  const groups = Object.entries(groupsOfInputs).flatMap(([group, names]) => [
    [`**${group}**`, '', ''],
    ...inputRows(inputs, names, meaning),
  ])
  return withTable(page, 'inputs', table(inputHead, groups))
}

type Declarations = Readonly<Record<string, Declared>>

const declared = (actionYml: string): Readonly<Record<'inputs' | 'outputs', Declarations>> =>
  parse(actionYml)

function declaredAs(name: string, declarations: Declarations): Declared {
  const found = declarations[name]
  if (found === undefined) throw new Error(`action.yml does not declare ${name}`)
  return found
}

const inputHead = ['Input', 'Default', 'Meaning']

function inputRows(
  inputs: Declarations,
  names: readonly string[],
  say: (input: Declared) => string,
): string[][] {
  return names.map((name) => {
    const input = declaredAs(name, inputs)
    return [`\`${name}\``, input.required ? '**required**' : code(input.default), say(input)]
  })
}

/** In place of values in remedies. */
const placeholders: FailureFacts = {
  service: text`the service`,
  host: 'HOST',
  origin: 'https://HOST',
  method: 'METHOD',
  needed: 'SCOPE',
}

function withErrors(page: string): string {
  const said = (entry: Advice) =>
    `${entry.title} | ${quoted(remedyOf(entry, placeholders)).replaceAll('|', '\\|')}`
  // Codes that differ only in their retry are one row.
  const rows = Array.from(Map.groupBy(errorCodes, said), ([text, entries]) => [
    entries.flatMap(({ codes }) => codes.map(code)).join(' '),
    text,
  ])
  return withTable(page, 'errors', table(['Code', 'Error', 'What to do'], rows))
}

/** With links to Slack's form for a new app, filled in with the manifest of docs/setup.md. */
function withManifest(page: string, setup: string): string {
  const [, indented = ''] = /^ *```yaml\n( *display_information:[\s\S]*?)^ *```$/m.exec(setup) ?? []
  const indent = /^ */.exec(indented)?.[0] ?? ''
  const manifest = indented.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trimEnd()
  const encoded = encodeURIComponent(manifest).replaceAll(
    /[()]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
  return page.replaceAll(/(?<=\?new_app=1&manifest_yaml=)[^)\s]*/g, () => encoded)
}

/** With the memory of bench/README.md, where the last two columns are in the other order. */
function withPeakMemory(page: string, bench: string): string {
  const [, ours, meilCli, slackapi] =
    /^\| 1 GiB \(.*?\) \| (.+?) \| (.+?) \| (.+?) \|$/m.exec(bench) ?? []
  if (slackapi === undefined) throw new Error('bench/README.md has no row for 1 GiB')
  const cells = [ours, slackapi, meilCli].map((figure) => ` ${figure} ¹ |`)
  return page.replace(/(?<=^\| peak memory for a file of 1 GiB \|).*$/m, cells.join(''))
}

/** The code that sends requests, with the version of package.json. */
function withVersion(code: string, packageJson: string): string {
  return code.replace(/(?<='channel-file-upload\/)[^']+/, JSON.parse(packageJson).version)
}

function withTable(page: string, name: string, rows: string): string {
  const place = new RegExp(`(<!-- ${name}: .*-->\\n)[\\s\\S]*?(<!-- end -->)`)
  if (!place.test(page)) throw new Error(`There is no place for the table of ${name}`)
  return page.replace(place, (_, begin, end) => `${begin}\n${rows}\n${end}`)
}

const code = (text = '') => (text === '' ? '' : `\`${text}\``)

/** Without the indented sample, which is for editors. */
function meaning({ description }: Declared): string {
  const lines = description.split('\n').filter((line) => line !== '' && !line.startsWith('    '))
  return escapedCell(lines.join(' '))
}

const escapedCell = (text: string) => text.replaceAll('|', '\\|')

/** Its first line. */
const firstSentence = ({ description }: Declared): string =>
  escapedCell(description.split('\n')[0] ?? '')

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')

const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

/** Path → content as it has to be. */
export function writtenFiles(): Readonly<Record<string, string>> {
  const actionYml = read('action.yml')
  const setup = read('docs/setup.md')
  return {
    'README.md': withManifest(withMostUsed(read('README.md'), actionYml), setup),
    'docs/inputs.md': withInputs(read('docs/inputs.md'), actionYml),
    'docs/outputs.md': withOutputs(read('docs/outputs.md'), actionYml),
    'docs/setup.md': withManifest(setup, setup),
    'docs/errors.md': withErrors(read('docs/errors.md')),
    'docs/evidence.md': renderPage(runOf(read('docs/evidence.md'))),
    'docs/migrating.md': withPeakMemory(read('docs/migrating.md'), read('bench/README.md')),
    [userAgentFile]: withVersion(read(userAgentFile), read('package.json')),
  }
}

function main(): void {
  for (const [path, text] of Object.entries(writtenFiles()))
    writeFileSync(new URL(path, root), text)
  const [uses, version] = process.argv.slice(2)
  if (uses !== undefined) writeName(uses, version)
}

if (import.meta.main) {
  try {
    main()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
