// What the questions to a real workspace need: requests, and what is seen of the files.
import { randomBytes } from 'node:crypto'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isJsonObject, type JsonObject } from '../../sandbox/json.ts'
import { runAction } from '../../sandbox/runner.ts'

export interface Workspace {
  readonly baseUrl: string
  readonly token: string
  readonly channel: string
  /**
   * Further channels that the bot is a member of: the more, the likelier a list of shares is cut
   * off.
   */
  readonly moreChannels?: readonly string[]
  /** A member who gets a direct message. */
  readonly user?: string | undefined
  /** A group direct conversation that the app is a member of. */
  readonly group?: string | undefined
  /** A channel that another organization shares. */
  readonly sharedChannel?: string | undefined
  /** How long an upload URL is kept before it is used. */
  readonly slowMilliseconds?: number | undefined
  /** Asks the person who runs this to look at a message. */
  readonly look?: ((question: string) => Promise<string>) | undefined
  /** The size of a large file. */
  readonly largeBytes: number
  /** The size of each long text. */
  readonly textBytes: number
  /** How long a share may take to show. */
  readonly maxWaitMilliseconds: number
  /** Between two lookups. */
  readonly intervalMilliseconds: number
  /** How long a second share, which should not come, is waited for. */
  readonly settleMilliseconds: number
}

export const describe = ({ error, ok }: JsonObject) =>
  ok === true ? 'ok' : `refused: ${String(error)}`

/** The few requests that the questions need. It remembers what has to be deleted. */
export class Service {
  readonly workspace: Workspace
  /** Of the last response. */
  bytes = 0
  readonly #made = new Set<string>()

  constructor(workspace: Workspace) {
    this.workspace = workspace
  }

  async call(method: string, fields: Readonly<Record<string, string>>): Promise<JsonObject> {
    const response = await fetch(`${this.workspace.baseUrl}/api/${method}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { authorization: `Bearer ${this.workspace.token}` },
      body: fields['content'] === undefined ? new URLSearchParams(fields) : formOf(fields),
    })
    const body = await response.text()
    this.bytes = Buffer.byteLength(body)
    const answer = parsed(body) ?? { ok: false, error: `status ${response.status}` }
    const { file } = answer
    if (isJsonObject(file) && typeof file['id'] === 'string') this.#made.add(file['id'])
    return answer
  }

  async ticket(length: number, extension = 'txt') {
    const filename = `question-${randomBytes(4).toString('hex')}.${extension}`
    const answer = await this.call('files.getUploadURLExternal', {
      filename,
      length: String(length),
    })
    const { file_id: id, upload_url: url } = answer
    if (typeof id !== 'string' || typeof url !== 'string')
      throw new Error(`no upload URL: ${describe(answer)}`)
    this.#made.add(id)
    return { id, url }
  }

  /** The status and the text of the answer. The URL is a right of its own: it gets no token. */
  async send(url: string, content: Buffer, milliseconds = 0): Promise<string> {
    const body =
      milliseconds > 0
        ? ReadableStream.from(slowly(content, milliseconds))
        : new Uint8Array(content)
    const headers = { 'content-length': String(content.length) }
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body,
      duplex: 'half',
    })
    const text = await response.text()
    return `status ${response.status}: ${text.slice(0, 100) || 'no text'}`
  }

  async upload(content: Buffer, extension?: string) {
    const ticket = await this.ticket(content.length, extension)
    const answer = await this.send(ticket.url, content)
    if (!answer.startsWith('status 200:')) throw new Error(`the bytes were refused: ${answer}`)
    return { ...ticket, answer }
  }

  async runStep(name = 'question.txt', content = 'abc'): ReturnType<typeof runAction> {
    const { baseUrl, token, channel } = this.workspace
    await using folder = await mkdtempDisposable(join(tmpdir(), 'live-'))
    await writeFile(join(folder.path, name), content)
    const inputs = {
      token,
      channels: channel,
      files: name,
      'base-url': baseUrl,
      method: 'external',
    }
    const result = await runAction({ workspace: folder.path, inputs })
    for (const id of (result.outputs['file-ids'] ?? '').split(',').filter(Boolean))
      this.#made.add(id)
    return result
  }

  /**
   * Deletes what was made. How many files are still there: those that were never completed never
   * were.
   */
  async cleanUp(): Promise<number> {
    let left = 0
    for (const file of this.#made) {
      const { ok, error } = await this.call('files.delete', { file })
      if (ok !== true && error !== 'file_not_found' && error !== 'file_deleted') left += 1
    }
    return left
  }
}

async function* slowly(content: Buffer, milliseconds: number): AsyncGenerator<Uint8Array> {
  const parts = 60
  const length = Math.ceil(content.length / parts)
  for (let at = 0; at < content.length; at += length) {
    yield content.subarray(at, at + length)
    await wait(milliseconds / parts)
  }
}

function parsed(body: string): JsonObject | undefined {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function formOf({ content = '', filename, ...fields }: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob([content]), filename)
  return form
}

/** One question, while it is asked. */
export class Asked {
  readonly service: Service
  readonly workspace: Workspace
  readonly values: Record<string, string>
  /** Of the last call. */
  response: JsonObject = { ok: true }

  constructor(service: Service, values: Record<string, string>) {
    this.service = service
    this.workspace = service.workspace
    this.values = values
  }

  async call(method: string, fields: Readonly<Record<string, string>>): Promise<JsonObject> {
    const filled = Object.entries(fields).map(([name, text]) => [name, this.#fill(text)])
    this.response = await this.service.call(method, Object.fromEntries(filled))
    const { channel } = this.response
    if (isJsonObject(channel)) this.values['opened'] = String(channel['id'])
    return this.response
  }

  #fill(text: string): string {
    return text.replace(/\{([a-z]+(?: \d)?)\}/g, (whole, name) => this.values[name] ?? whole)
  }

  /** Uploads a file of its own, and posts it. */
  async post(
    content: Buffer,
    extension: string,
    channel = this.workspace.channel,
  ): Promise<JsonObject> {
    const { id } = await this.service.upload(content, extension)
    this.values['file'] = id
    return this.call('files.completeUploadExternal', {
      channel_id: channel,
      files: JSON.stringify([{ id }]),
    })
  }

  /** Milliseconds until it is so; none if it is not so after the longest wait. */
  async until(
    isSo: () => Promise<boolean>,
    maxWait = this.workspace.maxWaitMilliseconds,
  ): Promise<number | undefined> {
    for (const begin = performance.now(); ; await wait(this.workspace.intervalMilliseconds)) {
      const holds = await isSo()
      const milliseconds = performance.now() - begin
      if (holds) return milliseconds
      if (milliseconds >= maxWait) return undefined
    }
  }

  /** The record of the file; empty if there is none. */
  async record(file = '{file}'): Promise<JsonObject> {
    const { file: record } = await this.service.call('files.info', { file: this.#fill(file) })
    return isJsonObject(record) ? record : {}
  }

  /** The entries of a file in the channel, as soon as there are any, or after the longest wait. */
  async shares(maxWait?: number, file = '{file}'): Promise<readonly JsonObject[]> {
    let found: readonly JsonObject[] = []
    await this.until(async () => {
      const lists = kindsOf(await this.record(file)).map((kind) => kind[this.workspace.channel])
      found = lists.flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []))
      return found.length > 0
    }, maxWait)
    return found
  }

  /**
   * The number of conversations in the shares of the file, and whether the record says that there
   * are more.
   */
  async places() {
    await this.shares()
    await wait(this.workspace.settleMilliseconds)
    const record = await this.record()
    return {
      count: kindsOf(record).flatMap(Object.keys).length,
      cutOff: record['has_more_shares'] === true,
    }
  }
}

export function kindsOf({ shares }: JsonObject): readonly JsonObject[] {
  return isJsonObject(shares) ? Object.values(shares).filter(isJsonObject) : []
}
