/** Responses that no documentation rules out, and an environment that no runner has: the step still follows its rules. */
import { resolve } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { Body, FaultRule } from '../../sandbox/faults.ts'
import { withClock } from '../support/scaled-clock.ts'
import { type Done, errorsIn, runStep, type Step } from '../support/step.ts'

const files = { 'a.csv': 'a,b\n' }

const responding = (on: FaultRule['on'], body: Body, more: Partial<FaultRule> = {}, headers = {}): FaultRule => ({
  on,
  ...more,
  fault: { kind: 'response', status: 200, effect: true, body, headers },
})

/** One file by the external upload, unless `inputs` has another method, to a service with these faults. */
const run = (rules: readonly FaultRule[], { inputs, ...more }: Step = {}): Promise<Done> =>
  runStep({
    files,
    prepare: ({ faults }) => faults.add(...rules),
    inputs: { method: 'external', ...(typeof inputs === 'object' ? inputs : {}) },
    ...more,
  })

describe('the external upload', () => {
  test('whose completion responds without the files is looked up, and found', async () => {
    const done = await run([responding('files.completeUploadExternal', { json: { ok: true } })])
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
  })

  test('whose file has no record is accepted', async () => {
    const done = await run([responding('files.info', { json: { ok: true } })])
    expect(done).toMatchObject({ code: 0, outputs: { status: 'accepted', ts: '' } })
  })

  test('that lacks a scope which the service does not name says that one is missing', async () => {
    const fault = { kind: 'error', code: 'missing_scope' } as const
    const done = await run([{ on: 'files.getUploadURLExternal', fault }])
    expect(done).toMatchObject({ code: 1, messages: [], outputs: { status: 'failed' } })
    expect(errorsIn(done)[0]?.text).toContain('that is missing')
  })

  test('to a user without a conversation fails, and says what to write', async () => {
    const done = await runStep({
      files,
      inputs: ({ users }) => ({ method: 'external', channels: users.reviewer }),
      prepare: ({ faults }) => faults.add(responding('conversations.open', { json: { ok: true } })),
    })
    expect(done).toMatchObject({ code: 1, messages: [], outputs: { status: 'failed' } })
    expect(errorsIn(done)).toEqual([
      { title: 'The direct conversation could not be opened', text: expect.stringContaining('D…') },
    ])
  })
})

describe('files.upload', () => {
  const upload = { inputs: { method: 'files.upload' } }

  test('is accepted if the response is a list', async () => {
    const done = await run([responding('files.upload', { text: '[]' })], upload)
    expect(done).toMatchObject({ code: 0, outputs: { status: 'accepted' } })
  })

  test.each<[string, number, Body]>([
    ['a redirect to nowhere', 302, 'none'],
    ['a page without a title', 403, { html: '<p>No</p>' }],
    ['an empty page', 403, { html: '' }],
    ['an error code with 404', 404, { json: { ok: false, error: 'nothing_here' } }],
  ])('is refused if the response is %s', async (_, status, body) => {
    const rule: FaultRule = { on: 'files.upload', fault: { kind: 'response', status, body } }
    expect(await run([rule], upload)).toMatchObject({ code: 1, messages: [], outputs: { status: 'failed' } })
  })

  test.each([
    ['a date, and sends no time of its own', new Date(Date.now() + 3_600).toUTCString()],
    ['a date that is over', new Date(0).toUTCString()],
    ['no time at all', 'soon'],
  ])('that asks to wait until %s is called again', async (_, when) => {
    const headers = { 'retry-after': when, date: 'today' }
    const rule: FaultRule = { on: 'files.upload', call: 1, fault: { kind: 'response', status: 429, headers } }
    const done = await run([rule], { ...upload, ...withClock() })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(done.requests).toHaveLength(2)
  })
})

describe('a dry run', () => {
  const dry = { inputs: { 'dry-run': 'true' } }
  const closed: FaultRule = { on: 'conversations.info', fault: { kind: 'error', code: 'missing_scope' } }

  test('whose token the service does not describe cannot check the channel, and succeeds', async () => {
    const done = await run([responding('auth.test', { json: { ok: true } }), closed], dry)
    expect(done).toMatchObject({ code: 0, outputs: { status: 'dry-run' } })
    expect(done.stdout).toContain('user unknown in workspace unknown')
    expect(done.stdout).toContain('did not report the scopes')
  })

  test.each([
    ['', 'the token has no scope'],
    ['chat:write,files:read', 'the token has `chat:write`, `files:read`'],
  ])('whose token has the scopes %j fails, and lists them', async (scopes, text) => {
    const rule = responding('auth.test', { json: { ok: true } }, {}, { 'x-oauth-scopes': scopes })
    const done = await run([rule, closed], dry)
    expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' } })
    expect(errorsIn(done)[0]?.text).toContain(text)
  })

  test('to a user whom the app has no conversation with yet shows the user', async () => {
    const rule: FaultRule = { on: 'conversations.open', fault: { kind: 'error', code: 'channel_not_found' } }
    const done = await run([rule], { inputs: { ...dry.inputs, channels: 'U0REVIEWER0' } })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'dry-run' } })
    expect(done.stdout).toContain('U0REVIEWER0')
  })
})

describe('an environment', () => {
  test('without the files that only a newer or older runner has is no problem', async () => {
    const done = await run([], { env: { GITHUB_STATE: undefined, GITHUB_PATH: undefined, GITHUB_ENV: undefined } })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
  })

  test('without the workspace fails, and the error names what is missing in the workflow', async () => {
    const workspace = resolve('/nowhere/at/all')
    const done = await run([], { env: { GITHUB_WORKSPACE: workspace } })
    expect(done).toMatchObject({ code: 1, requests: [], outputs: { status: 'failed' } })
    expect(
      errorsIn(done)
        .map(({ text }) => text)
        .join(),
    ).toContain(`the workspace \`${workspace}\` does not exist. Is there a checkout`)
  })

  test('with a token of three letters, as another service may have, posts', async () => {
    const done = await runStep({
      files,
      inputs: { token: 'abc' },
      service: { strictIds: false },
      prepare: ({ users, workspace }) =>
        workspace.set({ tokens: new Map([['abc', { user: users.app, scopes: ['files:write'] }]]) }),
    })
    expect(done).toMatchObject({ code: 0, outputs: { count: '1' } })
  })
})
