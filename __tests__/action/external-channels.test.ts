// refuse-external-channels: nothing is posted to a channel that another organization is in, or of which that is unknown.
// `unit/service/preflight.test.ts` has every response to the check.
import { expect, test } from '@jest/globals'
import type { Conversation } from '../../sandbox/entities.ts'
import { annotations } from '../support/shown-log.ts'
import { called, type Done, runStep } from '../support/step.ts'

const partner = 'C0PARTNER00'

/** The files go to `general` and to a channel of which this is known. */
const post = (known: Partial<Conversation>, inputs: Readonly<Record<string, string>> = {}) =>
  runStep({
    inputs: {
      method: 'external',
      'refuse-external-channels': 'true',
      channels: `C0GENERAL00, ${partner}`,
      ...inputs,
    },
    prepare: ({ users, workspace }) =>
      workspace.addConversation({ id: partner, name: 'partner', kind: 'public', members: [users.app], ...known }),
  })

function expectNothingSent(done: Done): void {
  expect(done).toMatchObject({ code: 1, messages: [], outputs: { status: 'failed', count: '0' } })
  expect(called(done).filter((method) => method.startsWith('files.'))).toEqual([])
}

test('a channel of another organization is refused before anything is staged', async () => {
  const done = await post({ shared: 'external' })
  expectNothingSent(done)
  expect(annotations(done)).toBe(`Error: A channel is shared with another organization
  Nothing is posted, because another organization is in this channel or invited to it: \`C0PARTNER00\` (\`#partner\`).
  Remove it from \`channels\`. If the other organization may get the files, remove \`refuse-external-channels\`.`)
})

test.each<[string, string, Partial<Conversation>]>([
  ['by its name', '#partner', {}],
  ['if the app is not in it', partner, { members: [] }],
])('so it is in a dry run, %s', async (_, channels, known) => {
  const done = await post({ shared: 'external', ...known }, { channels, 'dry-run': 'true' })
  expectNothingSent(done)
  expect(annotations(done)).toContain('Error: A channel is shared with another organization')
})

test.each<[string, Partial<Conversation>, string]>([
  ['of another organization, without the input', { shared: 'external' }, 'false'],
  ['that workspaces of one organization share', { shared: 'organization' }, 'true'],
])('a channel %s gets the files', async (_, known, refuse) => {
  const done = await post(known, { 'refuse-external-channels': refuse })
  expect(done).toMatchObject({ code: 0, messages: [{}, { channel: partner }] })
})

test('channels that cannot be checked are refused, with one error for each reason', async () => {
  const done = await runStep({
    inputs: ({ channels, tokens }) => ({
      method: 'external',
      'refuse-external-channels': 'true',
      token: tokens.files,
      channels: [channels.general, channels.releases, channels.direct].join(),
    }),
  })
  expectNothingSent(done)
  expect(annotations(done)).toContain('another organization is in `C0GENERAL00`, `C0RELEASES0`: the token')
  expect(annotations(done)).toContain('another organization is in `D0DIRECT000`: the token')
})

test.each(['files.upload', 'auto'])('files.upload offers no check, so the step fails: method %s', async (method) => {
  const done = await post({}, { method })
  expectNothingSent(done)
  expect(done.requests).toEqual([])
  expect(annotations(done)).toBe(`Error: The channels could not be checked
  Nothing is posted, because \`files.upload\` offers no way to find out whether another organization is in a channel.
  If \`127.0.0.1:PORT\` offers the external upload, write \`method: external\`. To post without the check, remove \`refuse-external-channels\`.`)
})
