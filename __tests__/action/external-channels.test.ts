// refuse-external-channels: nothing is posted to a channel that another organization is in, or of which that is unknown.
// `unit/service/preflight.test.ts` has every response to the check.
import { describe, expect, test } from '@jest/globals'
import type { Conversation } from '../../sandbox/entities.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { annotations } from '../support/shown-log.ts'
import { type Done, errorsIn, runStep } from '../support/step.ts'

const files = { 'a.csv': 'a\n' }
const refusing = { method: 'external', 'refuse-external-channels': 'true' }
const partner = 'C0PARTNER00'
const called = ({ requests }: Done): readonly string[] => requests.map(({ path }) => path.replace('/api/', ''))
const titlesOf = (done: Done) => errorsIn(done).map(({ title }) => title)

function addPartner({ users, workspace }: Sandbox, more: Partial<Conversation> = { shared: 'external' }): void {
  workspace.addConversation({ id: partner, name: 'partner', kind: 'public', members: [users.app], ...more })
}

function expectNothingSent(done: Done): void {
  expect(done).toMatchObject({ code: 1, messages: [], outputs: { status: 'failed', count: '0' } })
  expect(called(done)).not.toContain('files.getUploadURLExternal')
  expect(called(done)).not.toContain('files.upload')
}

describe('a channel of another organization', () => {
  test('is refused before anything is staged', async () => {
    const done = await runStep({
      files,
      inputs: ({ channels }) => ({ ...refusing, channels: `${channels.general}, ${partner}` }),
      prepare: (sandbox) => addPartner(sandbox),
    })
    expectNothingSent(done)
    expect(annotations(done)).toBe(`Error: A channel is shared with another organization
  Nothing is posted, because another organization is in this channel or invited to it: \`C0PARTNER00\` (\`#partner\`).
  Remove it from \`channels\`. If the other organization may get the files, remove \`refuse-external-channels\`.`)
  })

  test('is refused in a dry run too, also if the app is not in it', async () => {
    const done = await runStep({
      files,
      inputs: { ...refusing, channels: partner, 'dry-run': 'true' },
      prepare: (sandbox) => addPartner(sandbox, { shared: 'external', members: [] }),
    })
    expectNothingSent(done)
    expect(titlesOf(done)).toEqual(['A channel is shared with another organization'])
  })

  test('gets the files without the input', async () => {
    const done = await runStep({
      files,
      inputs: { method: 'external', channels: partner },
      prepare: (sandbox) => addPartner(sandbox),
    })
    expect(done).toMatchObject({ code: 0, messages: [{ channel: partner }] })
  })
})

test('channels that belong to one organization get the files', async () => {
  const done = await runStep({
    files,
    inputs: ({ channels, users }) => ({
      ...refusing,
      channels: [channels.general, channels.private, channels.direct, users.newcomer, partner].join(),
    }),
    prepare: (sandbox) => addPartner(sandbox, { shared: 'organization' }),
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
  expect(done.messages).toHaveLength(5)
})

test('channels that cannot be checked are refused, with one error for each reason', async () => {
  const done = await runStep({
    files,
    inputs: ({ channels, tokens }) => ({
      ...refusing,
      token: tokens.files,
      channels: [channels.general, channels.releases, channels.direct].join(),
    }),
  })
  expectNothingSent(done)
  expect(annotations(done)).toContain('another organization is in `C0GENERAL00`, `C0RELEASES0`: the token')
  expect(titlesOf(done)).toHaveLength(2)
})

describe('files.upload offers no check, so the step fails:', () => {
  test.each(['files.upload', 'auto'])('method %s', async (method) => {
    const done = await runStep({ files, inputs: { ...refusing, method } })
    expectNothingSent(done)
    expect(done.requests).toEqual([])
    expect(annotations(done)).toBe(`Error: The channels could not be checked
  Nothing is posted, because \`files.upload\` offers no way to find out whether another organization is in a channel.
  If \`127.0.0.1:PORT\` offers the external upload, write \`method: external\`. To post without the check, remove \`refuse-external-channels\`.`)
  })
})
