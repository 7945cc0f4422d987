/** Arguments of calls, checked as strictly as by the real service. */
import { blocksError } from './blocks.ts'
import type { Message, Token } from './entities.ts'
import { isJsonObject, type Json, type JsonObject } from './json.ts'
import { neededFor, type WorkspaceSettings } from './settings.ts'

export type Form = Readonly<Record<string, string>>

const conversationId = /^[CGDZ][A-Z0-9]{8,}$/
export const userId = /^[UW][A-Z0-9]{8,}$/
const tsPattern = /^\d{10}\.\d{6}$/
const maxChannels = 100

/** A failed call, with its error code and the rest of the response. */
export class Failure extends Error {
  readonly more: JsonObject

  constructor(code: string, more: JsonObject = {}) {
    super(code)
    this.more = more
  }
}

export const invalid = (message: string) =>
  new Failure('invalid_arguments', { response_metadata: { messages: [`[ERROR] ${message}`] } })

export function requireScope(token: Token, needed: string): void {
  if (token.scopes.includes(needed)) return
  throw new Failure('missing_scope', {
    needed: neededFor(needed),
    provided: token.scopes.join(','),
  })
}

export const isTrue = (field: string | undefined) => field === 'true' || field === '1'

export const list = (field: string | undefined) =>
  (field ?? '').split(',').filter((entry) => entry !== '')

function parsed(json: string, field: string): Json {
  try {
    return JSON.parse(json)
  } catch {
    throw invalid(`${field} is not JSON`)
  }
}

export function fileEntries(
  field: string | undefined,
): readonly { id: string; title: string | undefined }[] {
  const files = parsed(field ?? '', 'files')
  if (!Array.isArray(files) || files.length === 0)
    throw invalid('files must be a list with at least one entry')
  return files.map((entry: Json) => {
    if (!isJsonObject(entry) || typeof entry['id'] !== 'string')
      throw invalid('files: every entry needs an id')
    const title = entry['title']
    if (title !== undefined && typeof title !== 'string')
      throw invalid('files: a title must be text')
    return { id: entry['id'], title }
  })
}

/** Without the arguments of a completion that this service ignores. */
export function supportedArguments(form: Form, { completionArguments }: WorkspaceSettings): Form {
  const supported = { ...form }
  for (const [name, support] of Object.entries(completionArguments)) {
    if (form[name] === undefined || support === 'supported') continue
    if (support === 'refused') throw invalid(`unexpected argument: ${name}`)
    delete supported[name]
  }
  return supported
}

/** IDs of conversations. `channels` may name users too, which is documented and not verified. */
export function completionChannels(form: Form): readonly string[] {
  const { channel_id, channels } = form
  if (channel_id !== undefined && channels !== undefined)
    throw invalid('channel_id and channels exclude each other')
  const ids = channel_id === undefined ? list(channels) : [channel_id]
  if (ids.length > maxChannels) throw new Failure('channels_limit_exceeded')
  const isWrong = (id: string) =>
    !conversationId.test(id) && (channel_id !== undefined || !userId.test(id))
  if (ids.some(isWrong)) throw invalid(`input must match regex pattern: ${conversationId.source}`)
  return ids
}

export function thread(form: Form, channels: readonly string[]): string | undefined {
  const ts = form['thread_ts']
  if (ts === undefined) return undefined
  if (!tsPattern.test(ts)) throw new Failure('invalid_thread_ts')
  if (channels.length !== 1) throw invalid('thread_ts goes with one channel')
  return ts
}

// https://github.com/slackapi/python-slack-sdk/issues/1756
const refusedWithFiles = { markdown: 'internal_error' }

export function commentOf(form: Form): Pick<Message, 'text' | 'blocks'> {
  const comment = form['initial_comment']
  if (comment !== undefined) return { text: comment, blocks: undefined }
  return { text: undefined, blocks: blocksOf(form, refusedWithFiles) }
}

/** @param refuses error codes by type of block, as known of Slack */
export function blocksOf(
  form: Form,
  refuses: Readonly<Record<string, string>> = {},
): Message['blocks'] {
  if (form['blocks'] === undefined) return undefined
  const blocks = parsed(form['blocks'], 'blocks')
  const error = blocksError(blocks, refuses)
  if (error !== undefined) throw new Failure(error)
  return Array.isArray(blocks) ? blocks : undefined
}
