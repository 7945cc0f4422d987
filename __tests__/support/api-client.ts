import type { Sandbox } from '../../sandbox/sandbox.ts'

/** Calls the sandbox's Web API with forms. */
export class ApiClient {
  readonly sandbox: Sandbox

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox
  }

  async call(method: string, form: Record<string, string> = {}, token = this.sandbox.tokens.all) {
    return this.send(method, { headers: { authorization: `Bearer ${token}` }, body: new URLSearchParams(form) })
  }

  /** `method` may carry a query. */
  async send(method: string, init: RequestInit) {
    const response = await fetch(`${this.sandbox.baseUrl}/api/${method}`, { method: 'POST', ...init })
    return JSON.parse(await response.text())
  }

  /** Uploads a file without completing it: its ID. */
  async stage(name = 'report.csv', more: Record<string, string> = {}, token?: string): Promise<string> {
    const form = { filename: name, length: String(name.length), ...more }
    const { upload_url, file_id } = await this.call('files.getUploadURLExternal', form, token)
    await fetch(upload_url, { method: 'POST', body: name })
    return file_id
  }

  /** Uploads a file and completes it: its ID. Without channels it stays private. */
  async post(name: string, channels: readonly string[], title = name, token?: string): Promise<string> {
    const id = await this.stage(name, {}, token)
    const destination = channels.length === 0 ? {} : { channels: channels.join(',') }
    await this.call('files.completeUploadExternal', { files: JSON.stringify([{ id, title }]), ...destination }, token)
    return id
  }
}
