/**
 * `npm start`: posts the sample reports, or one's own files, with the action as the runner starts it, to a sandbox on this
 * machine or to a real service, and shows what arrived. With `--keep` the sandbox and its page stay until Ctrl-C.
 *
 *     npm start
 *     npm start -- --keep
 *     npm start -- 'reports/**\/*.csv' --channels general,releases --comment 'For {source}'
 *     npm start -- report.csv --channels C0123456789 --base-url https://slack.com --token-env SLACK_BOT_TOKEN
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isJsonObject, type Json } from './json.ts'
import { addPage } from './page.ts'
import { type ActionResult, declaredInputs, runAction } from './runner.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))

interface CommandLine {
  /** Inputs of the action, and `token-env`. */
  readonly options: Record<string, string>
  readonly patterns: readonly string[]
  readonly keep: boolean
}

async function commandLine(): Promise<CommandLine> {
  const names = [...Object.keys(await declaredInputs()), 'token-env']
  const { values, positionals } = parseArgs({
    options: { ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])), keep: { type: 'boolean' } },
    allowPositionals: true,
  })
  const options: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) if (typeof value === 'string') options[name] = value
  return { options, patterns: positionals, keep: values['keep'] === true }
}

async function main(): Promise<number> {
  const { keep, options, patterns } = await commandLine()
  const { 'token-env': tokenEnv, ...inputs } = options
  const own = patterns.length > 0 || inputs['files'] !== undefined
  if (patterns.length > 0) inputs['files'] = patterns.join('\n')
  inputs['files'] ??= 'examples/reports/**/*.csv'
  const workspace = own ? (process.env['INIT_CWD'] ?? process.cwd()) : repository
  if (inputs['base-url'] !== undefined) {
    const token = process.env[tokenEnv ?? '']
    if (token === undefined) throw new Error('Name the environment variable that holds the token: --token-env NAME')
    return (await run({ ...inputs, token }, workspace, 'workflow_dispatch', {})).code ?? 1
  }
  const sandbox = await startSandbox({ maxStoredBytes: 2 ** 30, page: addPage })
  try {
    console.log(
      `The sandbox's page: ${sandbox.origin}/${keep ? '' : ' (to keep it after the run: npm start -- --keep)'}\n`,
    )
    const interrupted = once(process, 'SIGINT')
    const code = await inSandbox(sandbox, inputs, workspace)
    if (keep) {
      console.log(`\nThe page stays at ${sandbox.origin}/ until Ctrl-C`)
      await interrupted
    }
    return code
  } finally {
    await sandbox.stop()
  }
}

async function inSandbox(sandbox: Sandbox, inputs: Readonly<Record<string, string>>, workspace: string) {
  const { channels } = sandbox
  const wanted = (inputs['channels'] ?? 'general releases direct').split(/[\s,]+/).filter((name) => name !== '')
  const ids = wanted.map((name) => Object.entries(channels).find(([known]) => known === name)?.[1] ?? name)
  for (const id of ids) makeKnown(sandbox, id)
  const event = JSON.parse(await readFile(resolve(repository, 'examples/events/release.json'), 'utf8'))
  const result = await run(
    { token: sandbox.tokens.all, 'base-url': sandbox.baseUrl, ...inputs, channels: ids.join(',') },
    workspace,
    'release',
    event,
  )
  const conversations = ids.filter((id) => !Object.values<string>(sandbox.users).includes(id))
  const same = await compare(sandbox, result, workspace, conversations)
  return result.code === 0 && !same ? 1 : (result.code ?? 1)
}

/** An identifier of one's own workspace becomes a channel here, so that a step can be tried as it is. */
function makeKnown({ workspace, users }: Sandbox, id: string): void {
  if (!/^[CGDZ]/.test(id) || workspace.conversations.some((known) => known.id === id)) return
  workspace.addConversation({ id, name: id, kind: 'public', members: [users.app] })
}

async function run(inputs: Record<string, string>, workspace: string, eventName: string, event: object) {
  const onOutput = logAsTheRunner()
  const result = await runAction({ inputs, workspace, eventName, event, onOutput })
  onOutput('\n')
  console.log(`The step ended with ${result.code ?? result.signal}: ${result.outputs['status'] ?? 'no status'}\n`)
  return result
}

/** Prints whole lines as the runner's log shows them: what is masked as `***`, and not the lines that ask for it. */
function logAsTheRunner(): (text: string) => void {
  const masked: string[] = []
  let rest = ''
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const value = /^::add-mask::(.*)$/.exec(line)?.[1]
      if (value === undefined) console.log(masked.reduce((shown, secret) => shown.replaceAll(secret, '***'), line))
      else masked.push(value.replace(/%(25|0D|0A)/g, decodeURIComponent))
    }
  }
}

/** Prints what stands where, and whether every posted file stands once in every channel with the bytes it has on disk. */
async function compare(
  { workspace }: Sandbox,
  result: ActionResult,
  folder: string,
  wanted: readonly string[],
): Promise<boolean> {
  for (const { id, name, kind } of workspace.conversations) {
    const messages = workspace.messages.filter(({ channel }) => channel === id)
    if (messages.length === 0) continue
    console.log(`${kind === 'direct' ? 'Direct conversation' : 'Channel'} ${name} (${id})`)
    for (const { ts, text, blocks, files } of messages) {
      console.log(`  ${ts}  ${text ?? blocks?.map(textOf).join(' | ') ?? ''}`)
      for (const { title, size, sha256 } of files) console.log(`    ${title}, ${size} bytes, sha256 ${sha256}`)
    }
  }
  const reported: readonly { readonly path: string }[] = JSON.parse(result.outputs['files'] || '[]')
  const channels = new Set([...wanted, ...workspace.messages.map(({ channel }) => channel)])
  const posted = ['posted', 'accepted'].includes(result.outputs['status'] ?? '')
  let same = reported.length > 0 || !posted
  if (reported.length > 0) console.log('\nOn disk')
  for (const { path } of reported) {
    const sha256 = await checksum(resolve(folder, path))
    const arrived = workspace.postings().filter((posting) => posting.sha256 === sha256 && posting.times === 1)
    const complete = [...channels].every((id) => arrived.some(({ channel }) => channel === id))
    console.log(`  ${path}, sha256 ${sha256}: ${complete ? 'the same in every channel, once' : 'DIFFERS'}`)
    same &&= complete
  }
  return same
}

/** The text of a section block. */
function textOf(block: Json): string {
  const text = isJsonObject(block) ? block['text'] : undefined
  return isJsonObject(text) && typeof text['text'] === 'string' ? text['text'] : JSON.stringify(block)
}

async function checksum(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

// Ctrl-C reaches the step as well: when that has reported and ended, so does this.
process.on('SIGINT', () => {})
try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
