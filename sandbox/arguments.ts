/** The arguments of a call, checked as strictly as the real service does, and the way a call fails. */
import { isJsonObject, type Json, type JsonObject } from './json.ts'

export type Form = Readonly<Record<string, string>>

export const conversationId = /^[CGDZ][A-Z0-9]{8,}$/
const tsPattern = /^\d{10}\.\d{6}$/
const maxChannels = 100

/** A call that fails: the code and what the envelope says besides. */
export class Failure extends Error {
  readonly more: JsonObject

  constructor(code: string, more: JsonObject = {}) {
    super(code)
    this.more = more
  }
}

export const invalid = (message: string) =>
  new Failure('invalid_arguments', { response_metadata: { messages: [`[ERROR] ${message}`] } })

function parsed(json: string, field: string): Json {
  try {
    return JSON.parse(json)
  } catch {
    throw invalid(`${field} is no JSON`)
  }
}

export function fileEntries(field: string | undefined): readonly { id: string; title: string | undefined }[] {
  const files = parsed(field ?? '', 'files')
  if (!Array.isArray(files) || files.length === 0) throw invalid('files must be a list with an entry')
  return files.map((entry: Json) => {
    if (!isJsonObject(entry) || typeof entry['id'] !== 'string') throw invalid('files: every entry needs an id')
    const title = entry['title']
    if (title !== undefined && typeof title !== 'string') throw invalid('files: a title must be text')
    return { id: entry['id'], title }
  })
}

export function completionChannels(form: Form): readonly string[] {
  const { channel_id, channels } = form
  if (channel_id !== undefined && channels !== undefined) throw invalid('channel_id and channels exclude each other')
  const ids = channel_id === undefined ? (channels ?? '').split(',').filter((id) => id !== '') : [channel_id]
  if (ids.length > maxChannels) throw new Failure('channels_limit_exceeded')
  for (const id of ids) {
    if (!conversationId.test(id)) throw invalid(`must match pattern: ${conversationId.source}`)
  }
  return ids
}

export function thread(form: Form, channels: readonly string[]): string | undefined {
  const ts = form['thread_ts']
  if (ts === undefined) return undefined
  if (!tsPattern.test(ts)) throw new Failure('invalid_thread_ts')
  if (channels.length !== 1) throw invalid('thread_ts goes with one channel')
  return ts
}

export function commentOf(form: Form): {
  readonly text: string | undefined
  readonly blocks: readonly Json[] | undefined
} {
  const comment = form['initial_comment']
  if (comment !== undefined) return { text: comment, blocks: undefined }
  if (form['blocks'] === undefined) return { text: undefined, blocks: undefined }
  const blocks = parsed(form['blocks'], 'blocks')
  if (!Array.isArray(blocks) || blocks.length === 0 || blocks.length > 50) throw new Failure('invalid_blocks')
  if (blocks.some((block: Json) => isJsonObject(block) && block['type'] === 'markdown'))
    throw new Failure('internal_error')
  if (!blocks.every(isSection)) throw new Failure('invalid_blocks')
  return { text: undefined, blocks }
}

function isSection(block: Json): boolean {
  if (!isJsonObject(block) || block['type'] !== 'section' || !isJsonObject(block['text'])) return false
  const { type, text, verbatim, ...rest } = block['text']
  if (type !== 'mrkdwn' && type !== 'plain_text') return false
  if (verbatim !== undefined && (type !== 'mrkdwn' || typeof verbatim !== 'boolean')) return false
  if (Object.keys(rest).some((key) => key !== 'emoji' || type !== 'plain_text')) return false
  return typeof text === 'string' && text.length >= 1 && text.length <= 3000
}
