/** Messages in a sandbox without the action. */
import type { Sandbox } from '../../sandbox/sandbox.ts'

/** A PNG of one pixel. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Posts by the specified upload, to the channel `general` unless `fields` say otherwise; returns the file's record. */
export async function post(
  sandbox: Sandbox,
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  fields: Readonly<Record<string, string>> = {},
) {
  const form = new FormData()
  form.set('file', new File([content], name))
  for (const [field, value] of Object.entries({ channels: sandbox.channels.general, ...fields })) form.set(field, value)
  const response = await fetch(`${sandbox.baseUrl}/api/files.upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.tokens.all}` },
    body: form,
  })
  return JSON.parse(await response.text()).file
}

/** Posts a file with blocks by the external upload. */
export function postBlocks({ channels, tokens, workspace }: Sandbox, blocks: readonly object[]): void {
  const call = (method: string, form: Readonly<Record<string, string>>) =>
    workspace.call(method, { token: tokens.all, form }).json ?? {}
  const { file_id, upload_url } = call('files.getUploadURLExternal', { filename: 'a.csv', length: '1' })
  workspace.receive(String(upload_url).split('/').at(-1) ?? '', { length: 1, sha256: '' })
  call('files.completeUploadExternal', {
    files: JSON.stringify([{ id: file_id }]),
    channel_id: channels.general,
    blocks: JSON.stringify(blocks),
  })
}

/** A section block. */
export const section = (type: 'mrkdwn' | 'plain_text', text: string, more: object = {}) => ({
  type: 'section',
  text: { type, text, ...more },
})
