/** Messages in a sandbox without the action. */
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { ApiClient } from './api-client.ts'

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
export async function postBlocks(sandbox: Sandbox, blocks: readonly object[]): Promise<void> {
  const api = new ApiClient(sandbox)
  const files = JSON.stringify([{ id: await api.stage('a.csv') }])
  const form = { files, channel_id: sandbox.channels.general, blocks: JSON.stringify(blocks) }
  await api.call('files.completeUploadExternal', form)
}

/** A section block. */
export const section = (type: 'mrkdwn' | 'plain_text', text: string, more: object = {}) => ({
  type: 'section',
  text: { type, text, ...more },
})
