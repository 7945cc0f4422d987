/**
 * `npm start`: posts files with the action, as the runner starts it, and checks that they arrived
 * in a sandbox or at a real service. See `npm start -- --help`.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { checkedRule, type FaultRule } from './faults.ts'
import { count, size } from './format.ts'
import { isJsonObject, type Json } from './json.ts'
import { addPage } from './page.ts'
import { type ActionResult, declaredInputs, runAction } from './runner.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'
import type { GivenSettings } from './settings.ts'
import type { Message } from './workspace.ts'

export const sampleFiles = 'examples/reports/**/*.csv'
const repository = fileURLToPath(new URL('..', import.meta.url))

const help = `Usage: npm start [-- [options] [patterns of files]]

Posts the sample reports, or your own files, to a sandbox: a messaging service
on this machine. Checks that the same bytes arrived in every channel.

  --keep             keep the sandbox and its page until Ctrl-C
  --log              show the log of each run
  --fault RULE       make requests fail, by a rule in JSON (sandbox/README.md
                     lists them)
  --method METHOD    one method: external, files.upload or auto (default:
                     external, then files.upload)
  --channels LIST    channels of the sandbox (default: general releases direct);
                     the step looks up a name that begins with #, if the method
                     is external
  --base-url URL     post to a real service instead, with --channels and
                     --token-env, through the proxy of HTTPS_PROXY and NO_PROXY,
                     and with the certificates of NODE_EXTRA_CA_CERTS
  --token-env NAME   the environment variable with the token of that service
  --help             show this text

Every other input of the action is an option too, always with a value:
--comment TEXT, --dry-run true. Errors of the action quote inputs as a workflow
writes them, in YAML.

  npm start -- --keep
  npm start -- --log \\
    --fault '{"on": "upload-bytes", "call": 1, "fault": {"kind": "silence"}}'
  npm start -- 'reports/**/*.csv' --channels general --comment 'For {source}'
  npm start -- --base-url https://slack.com --token-env SLACK_BOT_TOKEN \\
    --channels C0123456789`

interface CommandLine extends Posting {
  readonly tokenEnv: string | undefined
  readonly help: boolean
  readonly keep: boolean
  readonly fault: FaultRule | undefined
}

interface Posting {
  readonly inputs: Readonly<Record<string, string>>
  /** Patterns start from it. */
  readonly folder: string
  /** Also shows the log of a run that succeeds. */
  readonly log: boolean
}

function readCommandLine(args: readonly string[]): CommandLine {
  // The shell's history would keep a token.
  const names = Object.keys(declaredInputs).filter((name) => name !== 'token')
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(
        [...names, 'fault', 'token-env'].map((name) => [name, { type: 'string' }]),
      ),
      ...Object.fromEntries(['help', 'keep', 'log'].map((name) => [name, { type: 'boolean' }])),
    },
    allowPositionals: true,
  })
  const given = names
    .map((name) => [name, values[name]] as const)
    .filter(([, value]) => value !== undefined)
  const inputs: Record<string, string> = Object.fromEntries(
    given.map(([name, value]) => [name, String(value)]),
  )
  if (positionals.length > 0) inputs['files'] = positionals.join('\n')
  const own = inputs['files'] !== undefined
  inputs['files'] ??= sampleFiles
  const tokenEnv = values['token-env']
  return {
    inputs,
    folder: own ? (process.env['INIT_CWD'] ?? process.cwd()) : repository,
    tokenEnv: typeof tokenEnv === 'string' ? tokenEnv : undefined,
    help: values['help'] === true,
    keep: values['keep'] === true,
    fault: typeof values['fault'] === 'string' ? readFault(values['fault']) : undefined,
    log: values['log'] === true,
  }
}

function readFault(text: string): FaultRule {
  const rule = parsed(text)
  if (isJsonObject(rule)) return checkedRule(rule)
  throw new Error(
    `--fault ${text} is not a rule. Write JSON such as {"on": "upload-bytes", "fault": {"kind": "silence"}}.`,
  )
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the exit code. */
async function start(args: readonly string[], settings: GivenSettings): Promise<number> {
  const commandLine = readCommandLine(args)
  if (commandLine.help) {
    console.log(help)
    return 0
  }
  if (commandLine.inputs['base-url'] !== undefined) return postToService(commandLine)
  const sandbox = await startSandbox({ page: addPage, ...settings })
  if (commandLine.fault) sandbox.faults.add(commandLine.fault)
  try {
    const interrupted = commandLine.keep && once(process, 'SIGINT')
    const outcome = await postToSandbox(sandbox, commandLine)
    if (commandLine.log && !commandLine.keep) {
      console.log('\nThe sandbox stops now: links of the log lead nowhere without --keep.')
    }
    console.log(`\n${outcome.text}`)
    if (commandLine.keep) {
      console.log(`\nOpen this page in a browser; it stays until Ctrl-C:\n${linkToFirst(sandbox)}`)
      await interrupted
    } else if (outcome.code === 0 && sandbox.workspace.messages.length > 0) {
      console.log('To see it in a browser: npm start -- --keep')
    }
    return outcome.code
  } finally {
    await sandbox.stop()
  }
}

export function linkToFirst({ origin, workspace: { messages } }: Sandbox): string {
  const [first] = messages
  return first
    ? `${origin}/archives/${encodeURIComponent(first.channel)}/p${first.ts.replace('.', '')}`
    : `${origin}/`
}

/** There is no run that a link could lead to. */
const noRun = Object.fromEntries(
  ['REPOSITORY', 'REPOSITORY_OWNER', 'RUN_ID', 'REF', 'REF_NAME', 'SHA'].map((name) => [
    `GITHUB_${name}`,
    undefined,
  ]),
)

/** How this machine reaches a real service. */
const network = [
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'https_proxy',
  'http_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
]

async function postToService({ fault, inputs, folder, tokenEnv }: CommandLine): Promise<number> {
  if (fault) throw new Error('--fault needs the sandbox: leave --base-url out.')
  if (tokenEnv === undefined || inputs['channels'] === undefined) {
    throw new Error(
      '--base-url needs --token-env NAME, the environment variable that holds the token, and --channels LIST, IDs of channels there.',
    )
  }
  const token = process.env[tokenEnv]
  if (!token)
    throw new Error(`The environment variable ${tokenEnv} is not set. Store the token there.`)
  console.log(`The action posts to ${inputs['base-url']}. Its log:\n`)
  const result = await runAction({
    inputs: { comment: '{files}', ...inputs, token },
    workspace: folder,
    eventName: 'push',
    env: { ...noRun, ...Object.fromEntries(network.map((name) => [name, process.env[name]])) },
    onOutput: printLog((line) => console.log(line)),
  })
  console.log(`\n${summarize(result)}`)
  return result.code ?? 1
}

const failures: Readonly<Record<string, string>> = {
  failed: 'Nothing arrived',
  unknown: "We don't know what arrived",
}

/**
 * The status in words.
 *
 * @param arrived after a failure; only a sandbox can be looked into
 */
function summarize(
  { code, outputs, signal }: ActionResult,
  arrived = failures[outputs['status'] ?? ''],
): string {
  const { status = '' } = outputs
  const files = count(Number(outputs['count']), 'file')
  const meaning = {
    posted: `Everything arrived: ${files}, seen in every channel.`,
    accepted: `The service accepted ${files}. The step did not check that people see them.`,
    skipped: 'Nothing was sent: there was nothing to do.',
    'dry-run': 'Nothing was sent: it was a dry run.',
  }[status]
  return (
    meaning ??
    `${arrived ?? 'Not everything arrived'}: the step ended with ${code ?? signal} (${status || 'no status'}).`
  )
}

const methodNames: Readonly<Record<string, string>> = {
  external: 'the upload that Slack offers (external)',
  'files.upload': 'files.upload, the interface of servers other than Slack',
}

type Outcome = Readonly<{ code: number; text: string; results: readonly ActionResult[] }>

/** Runs each method, compares the messages with the files on disk, and prints both. */
export async function postToSandbox(
  sandbox: Sandbox,
  { folder, inputs, log }: Posting,
): Promise<Outcome> {
  const written = inputs['channels'] ?? 'general releases direct'
  const methods = inputs['method'] === undefined ? ['external', 'files.upload'] : [inputs['method']]
  const runs: Run[] = []

  const what = inputs['files'] === sampleFiles ? 'the sample reports' : 'your files'
  console.log(`The action posts ${what} to a sandbox on this machine,\nwhich stands in for Slack.`)
  for (const method of methods) {
    // Keep what is around the names, since the step reads JSON and judges other forms.
    const channels = written.replace(channelName, (name) => channelFor(sandbox, name, method))
    const run = await runMethod(sandbox, { ...inputs, method, channels }, folder)
    const newNotes = run.notes.filter((line) => !runs.some(({ notes }) => notes.includes(line)))
    console.log(`\nBy ${methodNames[method] ?? `the method ${method}`}`)
    const told = log || !run.sent ? run.log : newNotes
    for (const line of [...told, ...describeMessages(sandbox, run.messages), ...run.types])
      console.log(`   ${line}`.trimEnd())
    runs.push(run)
    if (run.result.code !== 0) break
  }

  const paths = new Set(runs.flatMap(({ files }) => files.map(({ path }) => path)))
  const wrong = printComparison(runs, [...paths])
  const results = runs.map(({ result }) => result)
  const failed = runs.find(({ result, sent }) => result.code !== 0 || !sent)?.result
  if (failed) {
    const arrived =
      sandbox.workspace.messages.length > 0 ? 'Not everything arrived' : 'Nothing arrived'
    return { code: failed.code ?? 1, text: summarize(failed, arrived), results }
  }
  if (wrong.length > 0)
    return { code: 1, text: `Not everything arrived: ${wrong.join(', ')}.`, results }
  if (paths.size === 0 && sandbox.workspace.messages.length > 0)
    return {
      code: 0,
      text: 'Everything arrived: only the comment, because no file was found.',
      results,
    }
  if (paths.size === 0)
    return { code: 1, text: 'Nothing arrived: the step reports no file.', results }
  const by = runs.length > 1 ? ', by both methods' : ''
  return {
    code: 0,
    text: `Everything arrived: ${count(paths.size, 'file')} in every channel${by}.`,
    results,
  }
}

interface Run {
  readonly result: ActionResult
  /** The step reports that it sent files. */
  readonly sent: boolean
  readonly log: readonly string[]
  /** Errors, warnings and notices of the log. */
  readonly notes: readonly string[]
  readonly messages: readonly Message[]
  /** A line for each file of a form: the type of its part. */
  readonly types: readonly string[]
  /** What the step reports, and how what arrived of it differs from the disk. */
  readonly files: readonly (SentFile & {
    readonly path: string
    readonly differences: readonly string[]
  })[]
}

async function runMethod(
  sandbox: Sandbox,
  inputs: Readonly<Record<string, string>>,
  folder: string,
): Promise<Run> {
  const { workspace } = sandbox
  const before = workspace.messages.length
  const requestsBefore = sandbox.requests.length
  const log: string[] = []
  const notes: string[] = []
  const result = await runAction({
    inputs: { token: sandbox.tokens.all, 'base-url': sandbox.baseUrl, ...inputs },
    workspace: folder,
    eventName: 'release',
    event: JSON.parse(await readFile(resolve(repository, 'examples/events/release.json'), 'utf8')),
    onOutput: printLog((line, command) => {
      log.push(line)
      if (command !== undefined) notes.push(line)
    }),
  })
  // A step without lookups ends before its messages appear. Timers can fire a millisecond early.
  while (workspace.settledAt > Date.now()) await setTimeout(workspace.settledAt - Date.now())
  const messages = workspace.messages.slice(before)
  const reported: readonly { name: string; path: string }[] = JSON.parse(
    result.outputs['files'] || '[]',
  )
  const files = await Promise.all(
    reported.map(async ({ name, path }) => ({
      name,
      path,
      sha256: await checksum(resolve(folder, path)),
    })),
  )
  const channels = conversationsOf(sandbox, inputs['channels']?.match(channelName) ?? [])
  const describe = ({ channel, problem }: Difference) =>
    `${problem} in ${nameOf(sandbox, channel)} (${inputs['method']})`
  return {
    result,
    sent: ['posted', 'accepted'].includes(result.outputs['status'] ?? ''),
    log,
    notes,
    messages,
    types: sandbox.requests
      .slice(requestsBefore)
      .flatMap(({ file }) => (file?.field ? [`${file.name} was sent as ${file.contentType}`] : [])),
    files: files.map((file) => ({
      ...file,
      differences: findDifferences(file, files, channels, messages).map(describe),
    })),
  }
}

/** Prints a line per file, and returns the differences. */
function printComparison(runs: readonly Run[], paths: readonly string[]): readonly string[] {
  if (paths.length > 0) console.log('\nCompared with the files on disk, by SHA-256')
  const widest = Math.max(0, ...paths.map((path) => path.length))
  return paths.flatMap((path) => {
    const sent = runs.flatMap(({ files }) => files.filter((file) => file.path === path))
    const found = sent.flatMap(({ differences }) => differences)
    const verdict = found.length === 0 ? 'same bytes in every channel' : found.join(', ')
    console.log(`   ${sent[0]?.sha256.slice(0, 12)}…  ${path.padEnd(widest)}  ${verdict}`)
    return found.map((text) => `${path} ${text}`)
  })
}

interface SentFile {
  /** As the service received it. */
  readonly name: string
  /** Of the bytes on disk. */
  readonly sha256: string
}

interface Difference {
  readonly channel: string
  readonly problem: string
}

/**
 * The errors with a file in each channel.
 *
 * @param files all of the run
 */
function findDifferences(
  file: SentFile,
  files: readonly SentFile[],
  channels: readonly string[],
  messages: readonly Message[],
): readonly Difference[] {
  const isSame = ({ name, sha256 }: SentFile) => name === file.name && sha256 === file.sha256
  const expected = files.filter(isSame).length
  return channels.flatMap((channel) => {
    const arrived = messages
      .filter((message) => message.channel === channel)
      .flatMap((message) => message.files)
    const times = arrived.filter(isSame).length
    if (times === expected) return []
    if (times > 0) return [{ channel, problem: `${times} instead of ${expected}` }]
    return [
      {
        channel,
        problem: arrived.some(({ name }) => name === file.name) ? 'other bytes' : 'missing',
      },
    ]
  })
}

/** A name in a list with any separators and quotes; not the mark of a YAML list. */
const channelName = /(?!-\s)[^\s,"'[\]]+/g

/**
 * A channel as the step gets it. The external upload looks up a `#name`; other methods take only
 * IDs. An ID of another workspace becomes a channel here, so that a step can be tried unchanged.
 */
function channelFor(
  { channels, users, workspace }: Sandbox,
  written: string,
  method: string,
): string {
  const name = written.replace(/^#/, '')
  const known = workspace.conversations.find((one) => [one.id, one.name].includes(name))
  const id = known?.id ?? Object.entries(channels).find(([key]) => key === name)?.[1]
  if (known && written.startsWith('#') && method === 'external') return written
  if (id !== undefined) return id
  if (/^[UW][A-Z0-9]{8,}$/.test(name)) return name
  if (!/^[CGDZ][A-Z0-9]{8,}$/.test(name)) {
    throw new Error(
      `The sandbox has no channel ${name}. It has: ${Object.keys(channels).join(', ')}.`,
    )
  }
  workspace.addConversation({ id: name, name, kind: 'public', members: [users.app] })
  return name
}

/** IDs of conversations. A user ID means the direct conversation with that user. */
function conversationsOf({ workspace }: Sandbox, requested: readonly string[]): readonly string[] {
  const find = (entry: string) =>
    workspace.conversations.find(
      ({ kind, members, name }) =>
        entry === `#${name}` || (kind === 'direct' && members.includes(entry)),
    )?.id ?? entry
  return [...new Set(requested.map(find))]
}

/** The messages of each channel, text and files; channels with the same messages together. */
function describeMessages(sandbox: Sandbox, messages: readonly Message[]): readonly string[] {
  const ids = [...new Set(messages.map(({ channel }) => channel))]
  const groups = Map.groupBy(ids, (id) => {
    const own = messages.filter(({ channel }) => channel === id)
    const files = own.reduce((sum, message) => sum + message.files.length, 0)
    return [
      `${count(files, 'file')} in ${count(own.length, 'message')}`,
      ...own.flatMap(describeMessage),
    ].join('\n')
  })
  return [...groups].flatMap(([description, channels]) => {
    const [summary, ...lines] = description.split('\n')
    const names = channels.map((id) => nameOf(sandbox, id)).join(', ')
    return [
      `${names}: ${summary}${channels.length > 1 ? ' each' : ''}`,
      ...lines.map((line) => `   ${line}`),
    ]
  })
}

const maxShown = 10

function describeMessage({ blocks = [], files, text }: Message): readonly string[] {
  // Beside blocks, the text is for notifications.
  const shown =
    blocks.length > 0 ? blocks.map(sectionText).join('\n') : readable(text ?? '', (typed) => typed)
  const names = files.slice(0, maxShown).map((file) => `   ${file.title} (${size(file.size)})`)
  const more =
    files.length > maxShown ? [`   and ${count(files.length - maxShown, 'more file')}`] : []
  const lines = shown.split('\n').filter((line) => line !== '')
  return [
    ...lines.map((line) => (line.length > 90 ? `${line.slice(0, 90)}…` : line)),
    ...names,
    ...more,
  ]
}

/** The text of a section block, with labels in place of links. */
function sectionText(block: Json): string {
  const text = isJsonObject(block) && isJsonObject(block['text']) ? block['text'] : {}
  const typed = String(text['text'] ?? '')
  return text['type'] === 'mrkdwn' ? readable(typed, (_, label) => `${label} (link)`) : typed
}

/**
 * With mentions and bare links as people see them.
 *
 * @param link replaces `<url|label>`
 */
function readable(text: string, link: (typed: string, label: string) => string): string {
  const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }
  return text
    .replace(/<([^<>|\n]+)(?:\|([^<>\n]+))?>/g, (typed, target: string, label?: string) => {
      const [, sign = '', id] = /^([@#]|!(?:subteam\^)?)(\w+)$/.exec(target) ?? []
      if (id !== undefined) return sign[0] === '!' ? (label ?? `@${id}`) : `${sign}${label ?? id}`
      return label === undefined ? target : link(typed, label)
    })
    .replace(/\(https?:[^\s()]+\)/g, '(link)')
    .replace(/&(?:lt|gt|amp);/g, (entity) => entities[entity] ?? entity)
}

function nameOf({ workspace }: Sandbox, id: string): string {
  const conversation = workspace.conversations.find((known) => known.id === id)
  if (conversation === undefined) return id
  return conversation.kind === 'direct' ? `${conversation.name} (direct)` : `#${conversation.name}`
}

/**
 * Prints whole lines as the runner's log shows them, with `***` for masked values, and the meaning
 * of commands.
 */
function printLog(print: (line: string, command?: string) => void): (text: string) => void {
  const masked: string[] = []
  let rest = ''
  return (text) => {
    // On Windows, lines end in CRLF.
    const lines = (rest + text).split(/\r?\n/)
    rest = lines.pop() ?? ''
    for (const { command, shown } of lines.map(readLine)) {
      if (command === 'add-mask') masked.push(shown)
      else
        for (const part of masked
          .reduce((rest, mask) => rest.replaceAll(mask, '***'), shown)
          .split('\n'))
          print(part, command)
    }
  }
}

/** A line with a command of the runner as people see it. */
function readLine(line: string): { readonly command?: string | undefined; readonly shown: string } {
  const [, command, title = '', value = ''] =
    /^::(add-mask|error|notice|warning)(?: title=(.*?))?(?:,.*?)?::(.*)$/.exec(line) ?? []
  if (command === undefined) return { shown: line }
  // Properties escape `:` and `,` too.
  const text = value.replace(/%(?:25|0D|0A)/g, decodeURIComponent)
  const name = title.replace(/%(?:25|0D|0A|3A|2C)/g, decodeURIComponent)
  return {
    command,
    shown: command === 'add-mask' ? text : `${command.toUpperCase()} ${name}: ${text}`,
  }
}

async function checksum(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Node explains unknown options at length, for those who call `parseArgs`. */
function explain({ code, message }: NodeJS.ErrnoException): string {
  if (!code?.startsWith('ERR_PARSE_ARGS_')) return message
  const option = /--?[\w-]+/.exec(message)?.[0]
  if (option === '--token')
    return 'The shell would keep a token in its history: put it in an environment variable, and name that with --token-env.'
  return code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? `There is no option ${option}.` : message
}

/** Returns the exit code. */
export async function main(args: readonly string[], settings: GivenSettings = {}): Promise<number> {
  try {
    return await start(args, settings)
  } catch (error) {
    console.error(explain(error as NodeJS.ErrnoException))
    console.error('npm start -- --help describes the options.')
    return 1
  }
}

if (import.meta.main) {
  // Ctrl-C also reaches the step. This process ends after it.
  process.on('SIGINT', () => {})
  process.exitCode = await main(process.argv.slice(2))
}
