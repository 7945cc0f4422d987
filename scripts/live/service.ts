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
  /** How long a message may take to show. */
  readonly maxWaitMilliseconds: number
  /** Between two lookups. */
  readonly intervalMilliseconds: number
  /** How long a second message, which should not come, is waited for. */
  readonly settleMilliseconds: number
}

export const describe = ({ error, ok }: JsonObject) =>
  ok === true ? 'ok' : `refused: ${String(error)}`

/** The few requests that the questions need. It remembers what has to be deleted. */
export class Service {
  readonly workspace: Workspace
  readonly #made = new Set<string>()

  constructor(workspace: Workspace) {
    this.workspace = workspace
  }

  async call(method: string, fields: Readonly<Record<string, string>>): Promise<JsonObject> {
    const response = await fetch(`${this.workspace.baseUrl}/api/${method}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { authorization: `Bearer ${this.workspace.token}` },
      body: new URLSearchParams(fields),
    })
    return response
      .json()
      .then((answer) => answer as JsonObject)
      .catch(() => ({ ok: false, error: `status ${response.status}` }))
  }

  async ticket(length: number) {
    const filename = `question-${randomBytes(4).toString('hex')}.txt`
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
  async send(url: string, content: Buffer): Promise<string> {
    const body = new Uint8Array(content)
    const response = await fetch(url, { method: 'POST', redirect: 'manual', body })
    const text = await response.text()
    return `status ${response.status}: ${text.slice(0, 100) || 'no text'}`
  }

  async upload(content: Buffer = Buffer.from('abc')) {
    const ticket = await this.ticket(content.length)
    const answer = await this.send(ticket.url, content)
    if (!answer.startsWith('status 200:')) throw new Error(`the bytes were refused: ${answer}`)
    return ticket
  }

  /** Completes uploads in the channel, or in those that the fields name. */
  complete(ids: readonly string[], fields: Readonly<Record<string, string>> = {}) {
    return this.call('files.completeUploadExternal', {
      files: JSON.stringify(ids.map((id) => ({ id, title: 'A question to the service' }))),
      ...('channels' in fields ? {} : { channel_id: this.workspace.channel }),
      ...fields,
    })
  }

  /** Uploads a file of its own, and completes it. */
  async post(fields?: Readonly<Record<string, string>>, content?: Buffer) {
    const { id } = await this.upload(content)
    return { id, completed: await this.complete([id], fields) }
  }

  /** The record of the file; empty if there is none. */
  async record(id: string): Promise<JsonObject> {
    const { file } = await this.call('files.info', { file: id })
    return isJsonObject(file) ? file : {}
  }

  /** The entries of a file in the channel, as soon as there are any, or after the longest wait. */
  async shares(
    id: string,
    maxWait = this.workspace.maxWaitMilliseconds,
    channel = this.workspace.channel,
  ): Promise<readonly JsonObject[]> {
    for (const begin = performance.now(); ; await wait(this.workspace.intervalMilliseconds)) {
      const { shares } = await this.record(id)
      const kinds = isJsonObject(shares) ? Object.values(shares).filter(isJsonObject) : []
      const found = kinds.flatMap((kind) => kind[channel]).filter(isJsonObject)
      if (found.length > 0 || performance.now() - begin >= maxWait) return found
    }
  }

  /** What a person says of a message, if there are both. */
  async look(question: string, response: JsonObject): Promise<string> {
    if (response['ok'] !== true) return describe(response)
    return (await this.workspace.look?.(question)) ?? 'accepted; nobody looked'
  }

  async runStep(): ReturnType<typeof runAction> {
    const { baseUrl, token, channel } = this.workspace
    const name = 'question.txt'
    await using folder = await mkdtempDisposable(join(tmpdir(), 'live-'))
    await writeFile(join(folder.path, name), 'abc')
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
