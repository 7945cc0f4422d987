import type { Sandbox } from '../../sandbox/sandbox.ts'

/** Calls the sandbox's Web API with forms. */
export class ApiClient {
  readonly sandbox: Sandbox

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox
  }

  async call(method: string, form: Record<string, string> = {}, token = this.sandbox.tokens.all) {
    return this.send(method, {
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams(form),
    })
  }

  /** `method` may carry a query. */
  async send(method: string, init: RequestInit) {
    const response = await fetch(`${this.sandbox.baseUrl}/api/${method}`, {
      method: 'POST',
      ...init,
    })
    return JSON.parse(await response.text())
  }

  /** Uploads a file without completing it, and returns its ID. */
  async stage(filename: string, content = filename): Promise<string> {
    const form = { filename, length: String(Buffer.byteLength(content)) }
    const { upload_url, file_id } = await this.call('files.getUploadURLExternal', form)
    await fetch(upload_url, { method: 'POST', body: content })
    return file_id
  }
}

/** A PNG of one pixel. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Posts a file by the given method, by default to `general`, and returns its record. */
export async function post(
  sandbox: Sandbox,
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  fields: Readonly<Record<string, string>> = {},
) {
  const body = new FormData()
  body.set('file', new File([content], name))
  for (const [field, value] of Object.entries({ channels: sandbox.channels.general, ...fields }))
    body.set(field, value)
  const headers = { authorization: `Bearer ${sandbox.tokens.all}` }
  return (await new ApiClient(sandbox).send('files.upload', { headers, body })).file
}

/** Posts a file with a comment of `blocks`, by the external upload. */
export async function postBlocks(sandbox: Sandbox, blocks: readonly object[]): Promise<void> {
  const api = new ApiClient(sandbox)
  const files = JSON.stringify([{ id: await api.stage('a.csv') }])
  const form = { files, channel_id: sandbox.channels.general, blocks: JSON.stringify(blocks) }
  await api.call('files.completeUploadExternal', form)
}

export const section = (type: 'mrkdwn' | 'plain_text', text: string, more: object = {}) => ({
  type: 'section',
  text: { type, text, ...more },
})
