// refuse-external-channels: nothing is posted to a channel that another organization is in, or of which that is unknown.
import { describe, expect, test } from '@jest/globals'
import type { Conversation } from '../../sandbox/entities.ts'
import type { Fault } from '../../sandbox/faults.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { withClock } from '../support/scaled-clock.ts'
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
  test.each(['external', 'external pending'] as const)('is refused before anything is staged: %s', async (shared) => {
    const done = await runStep({
      files,
      inputs: ({ channels }) => ({ ...refusing, channels: `${channels.general}, ${partner}` }),
      prepare: (sandbox) => addPartner(sandbox, { shared }),
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

  test('is found behind 25 others, whatever the rate limit', async () => {
    const others = Array.from({ length: 25 }, (_, index) => `C0OTHER${String(index).padStart(4, '0')}`)
    const limited: Fault = { kind: 'response', status: 429, headers: { 'retry-after': '1' } }
    const done = await runStep({
      files,
      inputs: { ...refusing, channels: [...others, partner].join() },
      ...withClock(),
      prepare: (sandbox) => {
        for (const id of others) addPartner(sandbox, { id, name: id.toLowerCase() })
        addPartner(sandbox)
        sandbox.faults.add({ on: 'conversations.info', call: 20, fault: limited })
      },
    })
    expectNothingSent(done)
    expect(called(done).filter((method) => method === 'conversations.info')).toHaveLength(27)
    expect(errorsIn(done).map(({ text }) => text)).toEqual([expect.stringContaining('`C0PARTNER00` (`#partner`)')])
  })
})

describe('channels that belong to one organization get the files', () => {
  test.each([false, true])('dry run: %j', async (dryRun) => {
    const done = await runStep({
      files,
      inputs: ({ channels, users }) => ({
        ...refusing,
        channels: [channels.general, channels.private, channels.direct, users.newcomer, partner].join(),
        'dry-run': String(dryRun),
      }),
      prepare: (sandbox) => addPartner(sandbox, { shared: 'organization' }),
    })
    expect(done).toMatchObject({ code: 0, outputs: { status: dryRun ? 'dry-run' : 'posted' } })
    expect(done.messages).toHaveLength(dryRun ? 0 : 5)
  })

  test('and a single one is checked too', async () => {
    const done = await runStep({ files, inputs: refusing })
    expect(done.code).toBe(0)
    expect(called(done)[0]).toBe('conversations.info')
  })
})

describe('a channel that cannot be checked is refused:', () => {
  const record = (more: object): Fault => ({
    kind: 'response',
    status: 200,
    body: { json: { ok: true, channel: { id: 'C0GENERAL00', name: 'general', is_member: true, ...more } } },
  })
  const situations: readonly (readonly [situation: string, why: string, fault: Fault | undefined])[] = [
    ['the token lacks the scopes', 'it lacks `channels:read` and `groups:read`', undefined],
    ['the service refuses', 'responded `never_heard_of`', { kind: 'error', code: 'never_heard_of' }],
    ['there is no such method', 'responded `unknown_method`', { kind: 'error', code: 'unknown_method' }],
    ['an outage', 'HTTP status 503', { kind: 'response', status: 503, body: { html: 'Down' } }],
    [
      'a response without a channel',
      'the service did not say',
      { kind: 'response', status: 200, body: { json: { ok: true } } },
    ],
    ['a record that does not say', 'the service did not say', record({})],
    ['a record with text in place of a boolean', 'the service did not say', record({ is_ext_shared: 'false' })],
    [
      'a record that is pending for another reason',
      'the service did not say',
      record({ is_ext_shared: false, is_pending_ext_shared: null }),
    ],
    [
      'the record of another channel',
      'the service described another channel',
      record({ id: 'C0OTHER0000', is_ext_shared: false }),
    ],
    ['a record without an ID', 'the service did not say', record({ id: null, is_ext_shared: false })],
  ]
  test.each(situations)('%s', async (_, why, fault) => {
    const done = await runStep({
      files,
      ...withClock(),
      inputs: ({ tokens }) => ({ ...refusing, token: fault ? tokens.all : tokens.files }),
      prepare: ({ faults }) => {
        if (fault) faults.add({ on: 'conversations.info', fault })
      },
    })
    expectNothingSent(done)
    expect(titlesOf(done)).toEqual(['A channel could not be checked'])
    const [{ text } = { text: '' }] = errorsIn(done)
    expect(text).toContain(`another organization is in \`C0GENERAL00\``)
    expect(text).toContain(why)
    expect(text).toContain('the scopes `channels:read` and `groups:read`')
  })

  test('channels that fail for one reason share one error', async () => {
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
