/** Responses that do not say whether the files were posted: they are looked up, and never answered by a blind repeat. */
import { describe, expect, test } from '@jest/globals'
import type { Fault, FaultRule } from '../../sandbox/faults.ts'
import type { JsonObject } from '../../sandbox/json.ts'
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts'
import { withClock } from '../support/scaled-clock.ts'
import { type Done, errorsIn, runStep, type Step } from '../support/step.ts'

const complete = 'files.completeUploadExternal'
const files = { 'a.csv': 'a,b\n' }
const error = (code: string, effect = true): Fault => ({ kind: 'error', code, effect })
const responding = (status: number, json: JsonObject, effect = true): Fault => ({
  kind: 'response',
  status,
  body: { json },
  effect,
})
const on = (target: FaultRule['on'], fault: Fault, call?: number | readonly number[]): FaultRule => ({
  on: target,
  fault,
  ...(call === undefined ? {} : { call }),
})

interface Run extends Step {
  readonly method?: string
  readonly channels?: (sandbox: Sandbox) => readonly string[]
  readonly token?: keyof Sandbox['tokens']
  readonly service?: SandboxOptions
}

interface Posted extends Done {
  /** How often each file is in each channel. */
  readonly times: readonly number[]
  readonly sandbox: Sandbox
}

/** A step whose waits are short. The service shares again when a completion is repeated. */
async function run(rules: readonly FaultRule[], { method, channels, token, ...step }: Run = {}): Promise<Posted> {
  let sandbox: Sandbox | undefined
  const done = await runStep({
    files,
    ...withClock(),
    ...step,
    service: { secondCompletion: 'shares again', ...step.service },
    inputs: (started) => ({
      method: method ?? 'external',
      token: started.tokens[token ?? 'all'],
      channels: (channels?.(started) ?? [started.channels.general]).join(),
    }),
    prepare: (started) => {
      sandbox = started
      started.faults.add(...rules)
    },
  })
  if (sandbox === undefined) throw new Error('The sandbox was not started')
  return { ...done, sandbox, times: sandbox.workspace.postings().map(({ times }) => times) }
}

const count = ({ requests }: Done, name: string) => requests.filter(({ path }) => path.endsWith(`/${name}`)).length
const states = ({ outputs }: Done): readonly string[] =>
  JSON.parse(outputs['messages'] ?? '[]').map(({ state }: { state: string }) => state)
const two = ({ channels }: Sandbox) => [channels.general, channels.releases]
/** The app is not in the second one. */
const oneBad = ({ channels }: Sandbox) => [channels.general, channels.notJoined]

describe('a completion that may have been carried out is looked up before anything is repeated:', () => {
  test.each(['file_not_found', 'file_update_failed', 'service_unavailable', 'internal_error'])(
    '%s, although the files are there',
    async (code) => {
      const done = await run([on(complete, error(code), 1)])
      expect(done).toMatchObject({ code: 0, times: [1], outputs: { status: 'posted' } })
      expect(count(done, complete)).toBe(1)
    },
  )

  test('file_not_found to a repeat after a 429, although the files are there', async () => {
    const done = await run([on(complete, { kind: 'response', status: 429, effect: true }, 1)], {
      service: { secondCompletion: 'file_not_found' },
    })
    expect(done).toMatchObject({ code: 0, times: [1], outputs: { status: 'posted' } })
    expect(count(done, 'files.getUploadURLExternal')).toBe(1)
  })

  test.each<readonly [string, Fault]>([
    ['a channel error', error('channel_not_found', false)],
    ['a web page with 404', { kind: 'response', status: 404, body: { html: '<h1>Not found</h1>' } }],
  ])('%s to a repeat after a 429, although the files are there', async (_, second) => {
    const limited: Fault = { kind: 'response', status: 429, effect: true }
    const done = await run([on(complete, limited, 1), on(complete, second, 2)])
    expect(done).toMatchObject({ code: 0, times: [1], outputs: { status: 'posted' } })
  })

  test('file_not_found, and the file is absent throughout: staged again and posted, once', async () => {
    const done = await run([on(complete, error('file_not_found', false), 1)])
    expect(done).toMatchObject({ code: 0, times: [1], outputs: { status: 'posted' } })
    expect(count(done, 'files.info')).toBeGreaterThanOrEqual(7)
    expect(count(done, 'files.getUploadURLExternal')).toBe(2)
  })

  test('file_not_found, and the token may not look: unknown, not repeated', async () => {
    const done = await run([on(complete, error('file_not_found', false), 1)], { token: 'uploadOnly' })
    expect(done).toMatchObject({ code: 1, times: [], outputs: { status: 'unknown' } })
    expect(count(done, complete)).toBe(1)
    expect(errorsIn(done)[0]?.text).toContain('files:read')
  })

  test.each([
    ['file_update_failed', error('file_update_failed', false)],
    ['a response whose status contradicts its body', responding(400, { ok: true }, false)],
  ])('%s, and the file is absent throughout: repeated with the same file', async (_, fault) => {
    const done = await run([on(complete, fault, 1)])
    expect(done).toMatchObject({ code: 0, times: [1], outputs: { status: 'posted' } })
    expect(count(done, complete)).toBe(2)
    expect(count(done, 'upload-bytes') + count(done, 'files.getUploadURLExternal')).toBe(1)
  })

  test.each<readonly [string, Fault]>([
    ['refused', error('not_in_channel', false)],
    ['refused with file_not_found', error('file_not_found', false)],
    ['lost', { kind: 'reset', when: 'after', effect: true }],
  ])('a repeat that is %s is unknown, not failed', async (_, second) => {
    const lost: Fault = { kind: 'reset', when: 'after' }
    const done = await run([on(complete, lost, 1), on(complete, second, 2), on('files.info', error('file_not_found'))])
    expect(done).toMatchObject({ code: 1, outputs: { status: 'unknown' } })
    expect(states(done)).toEqual(['unknown'])
    expect(count(done, complete)).toBe(2)
  })

  test('a lookup without a result does not count as absent', async () => {
    const outage = on('files.info', { kind: 'response', status: 500 }, [2, 3, 4])
    const done = await run([on(complete, error('internal_error', false), 1), outage])
    expect(done).toMatchObject({ code: 0, times: [1], outputs: { status: 'posted' } })
    // The file has to be absent for 30 s after the outage, which takes seven lookups without one.
    expect(count(done, 'files.info')).toBeGreaterThan(7)
  })
})

test('file_deleted is no proof that a message was posted: unknown, although the completion was ok', async () => {
  const hidden = { sharing: { channels: [], milliseconds: 0, lookups: 0 } }
  const done = await run([on('files.info', error('file_deleted', false))], { service: hidden })
  expect(done).toMatchObject({ code: 1, outputs: { status: 'unknown' } })
  expect(errorsIn(done)).toHaveLength(1)
})

describe('files.upload has no lookup, so the outcome is unknown:', () => {
  test.each(['file_update_failed', 'service_unavailable'])('%s', async (code) => {
    const done = await run([on('files.upload', error(code), 1)], { method: 'files.upload' })
    expect(done).toMatchObject({ code: 1, times: [1], outputs: { status: 'unknown' } })
    expect(count(done, 'files.upload')).toBe(1)
  })

  test.each<readonly [string, Fault]>([
    ['a code that is not in the table', error('tea_time')],
    ['cannot_dm_bot', error('cannot_dm_bot')],
    ['403', { kind: 'response', status: 403, effect: true }],
    ['404 with an error in JSON', responding(404, { error: 'channel_not_found' })],
  ])('several channels, and %s', async (_, fault) => {
    const done = await run([on('files.upload', fault, 1)], { method: 'files.upload', channels: two })
    expect(done).toMatchObject({ code: 1, times: [1, 1], outputs: { status: 'unknown' } })
    expect(states(done)).toEqual(['unknown', 'unknown'])
  })

  test.each<readonly [string, Fault]>([
    ['the token', error('invalid_auth', false)],
    ['a scope', error('missing_scope', false)],
    ['the size', { kind: 'response', status: 413 }],
    ['a redirect', { kind: 'redirect', status: 307 }],
    ['the method', error('method_deprecated', false)],
  ])('but a refusal about %s is certain for every channel', async (_, fault) => {
    const done = await run([on('files.upload', fault)], { method: 'files.upload', channels: two })
    expect(done).toMatchObject({ code: 1, times: [], outputs: { status: 'failed' } })
  })
})

describe('what files.upload may have posted to one of several channels is unknown:', () => {
  test.each<readonly [string, JsonObject]>([
    ['an error', { error: 'channel_not_found' }],
    ['an error that is an object', { error: { message: 'No such channel' } }],
    ['a message', { message: 'No such channel' }],
  ])('404 with %s in JSON', async (_, json) => {
    const done = await run([on('files.upload', responding(404, json), 1)], {
      method: 'files.upload',
      channels: oneBad,
      service: { wrongChannel: 'fails alone' },
    })
    expect(done).toMatchObject({ code: 1, times: [1], outputs: { status: 'unknown' } })
  })

  test('404 in JSON that cannot be decoded', async () => {
    const fault: Fault = {
      ...responding(404, { error: 'channel_not_found' }),
      kind: 'response',
      status: 404,
      headers: { 'content-encoding': 'br' },
    }
    const done = await run([on('files.upload', fault, 1)], { method: 'files.upload', channels: two })
    expect(done).toMatchObject({ code: 1, times: [1, 1], outputs: { status: 'unknown' } })
  })
})

describe('several channels by the external upload', () => {
  test('a channel error is final only after 30 s of lookups', async () => {
    const done = await run([], { channels: oneBad, token: 'files' })
    expect(done).toMatchObject({ code: 1, times: [], outputs: { status: 'failed' } })
    expect(count(done, 'files.info')).toBe(7)
  })

  test.each<readonly [string, Fault]>([
    ['a code that is not in the table', error('tea_time')],
    ['cannot_dm_bot', error('cannot_dm_bot')],
    ['403', { kind: 'response', status: 403, effect: true }],
  ])('%s is looked up: one channel has the files', async (_, fault) => {
    const service: SandboxOptions = { sharing: { milliseconds: 0, lookups: 4, channels: ['C0GENERAL00'] } }
    const channels = ({ channels: { releases } }: Sandbox) => [releases, 'C0GENERAL00']
    const open = { id: 'C0GENERAL00', name: 'there', kind: 'public' } as const
    let started: Sandbox | undefined
    const done = await runStep({
      files,
      ...withClock(),
      service,
      inputs: (sandbox) => ({ method: 'external', channels: channels(sandbox).join() }),
      prepare: (sandbox) => {
        started = sandbox
        sandbox.workspace.addConversation({ ...open, members: [sandbox.users.app] })
        sandbox.faults.add(on(complete, fault, 1))
      },
    })
    expect(started?.workspace.postings()).toHaveLength(1)
    expect(done).toMatchObject({ code: 1, outputs: { status: 'unknown' } })
    expect(states(done)).toEqual(['unknown', 'posted'])
  })

  test('a refusal about the token is final at once', async () => {
    const done = await run([on(complete, error('token_revoked', false))], { channels: two })
    expect(done).toMatchObject({ code: 1, times: [], outputs: { status: 'failed' } })
    expect(count(done, 'files.info')).toBe(0)
  })
})

describe('the record of a file', () => {
  const other = (channel: string): JsonObject => ({
    ok: true,
    file: { id: 'F0OTHER0000', shares: { public: { [channel]: [{ ts: '1760688662.900279' }] } } },
  })

  test('that is another one is no proof', async () => {
    let channel = ''
    const done = await runStep({
      files,
      ...withClock(),
      service: { sharing: { milliseconds: 0, lookups: 0, channels: [] } },
      inputs: { method: 'external' },
      prepare: ({ channels, faults }) => {
        channel = channels.general
        faults.add(on('files.info', responding(200, other(channel))))
      },
    })
    expect(done).toMatchObject({ code: 0, messages: [], outputs: { status: 'accepted', ts: '' } })
  })

  test('of another channel is no verdict on this one', async () => {
    const record = { ok: true, channel: { id: 'C0OTHER0000', is_archived: true, is_member: false } }
    const done = await run([on('conversations.info', responding(200, record))], { channels: two })
    expect(done).toMatchObject({ code: 0, times: [1, 1], outputs: { status: 'posted' } })
  })

  test('that lists only some of the messages, and the channels of all, proves them all', async () => {
    const done = await run([], { channels: two, service: { maxShares: 1 } })
    expect(done).toMatchObject({ code: 0, times: [1, 1], outputs: { status: 'posted' } })
    expect(states(done)).toEqual(['posted', 'posted'])
    expect(count(done, 'files.info')).toBe(1)
    expect(done.summary).not.toContain('undefined')
  })

  test('that lists a channel in groups or ims, without a ts, proves the message there', async () => {
    const done = await run([on(complete, error('internal_error'), 1)], {
      channels: ({ channels }) => [channels.general, channels.direct],
      service: { maxShares: 0 },
    })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', ts: '' } })
    expect(states(done)).toEqual(['posted', 'posted'])
  })
})

describe('two upload URLs for one file', () => {
  const taken = (json: (uploads: string, call: number) => JsonObject) => async () =>
    runStep({
      files: { 'a.csv': 'a\n', 'b.csv': 'b\n' },
      ...withClock(),
      inputs: { method: 'external' },
      prepare: ({ faults, uploadOrigin }) => {
        for (const call of [1, 2]) {
          faults.add(on('files.getUploadURLExternal', responding(200, json(uploadOrigin, call), false), call))
        }
        faults.add(
          on('upload-bytes', { kind: 'response', status: 200 }),
          on(complete, responding(200, { ok: true }, false)),
        )
      },
    })

  test.each([
    [
      'the same file_id',
      taken((uploads, call) => ({ ok: true, file_id: 'F0SAME00000', upload_url: `${uploads}/upload/v1/${call}` })),
    ],
    [
      'the same upload_url',
      taken((uploads, call) => ({ ok: true, file_id: `F0FILE0000${call}`, upload_url: `${uploads}/upload/v1/1` })),
    ],
  ])('%s: an error of the service, before anything is visible', async (_, play) => {
    const done = await play()
    expect(done).toMatchObject({ code: 1, messages: [], outputs: { status: 'failed', count: '0' } })
    expect(count(done, complete)).toBe(0)
    expect(errorsIn(done)).toMatchObject([{ text: expect.stringContaining('b.csv') }])
  })
})

describe('a response in another encoding is decoded:', () => {
  test('a refusal by files.upload in gzip', async () => {
    const done = await run([on('files.upload', { kind: 'encoded', as: 'gzip' })], {
      method: 'files.upload',
      channels: ({ channels }) => [channels.notJoined],
    })
    expect(done).toMatchObject({ code: 1, times: [], outputs: { status: 'failed' } })
    expect(errorsIn(done)[0]?.title).toBe('The app is not in the channel')
  })

  test('every response to the external upload in gzip', async () => {
    const done = await run([on('*', { kind: 'encoded', as: 'gzip' })])
    expect(done).toMatchObject({ code: 0, times: [1], outputs: { status: 'posted' } })
  })

  test.each<readonly [string, Fault]>([
    ['compressed, and no header says so', { kind: 'encoded', as: 'unnamed' }],
    ['in UTF-16', { kind: 'encoded', as: 'utf-16le' }],
    [
      'in an unknown content coding',
      { kind: 'response', status: 200, headers: { 'content-encoding': 'aws-chunked' }, body: { text: 'ok' } },
    ],
    [
      'in an unknown character encoding',
      { kind: 'response', status: 200, headers: { 'content-type': 'text/plain; charset=utf-7' }, body: { text: 'ok' } },
    ],
    [
      'in UTF-16, and no header says so',
      { kind: 'response', status: 200, body: { text: [...'{"ok":false}'].map((one) => `${one}\0`).join('') } },
    ],
    [
      'compressed to a bomb that is cut off',
      { kind: 'response', status: 200, headers: { 'content-encoding': 'gzip' }, body: { text: 'no gzip' } },
    ],
  ])('or, %s, it leaves the outcome unknown', async (_, fault) => {
    const done = await run([on('files.upload', fault)], {
      method: 'files.upload',
      channels: ({ channels }) => [channels.notJoined],
    })
    expect(done).toMatchObject({ code: 1, times: [], outputs: { status: 'unknown' } })
  })

  test('and every request asks for none', async () => {
    const done = await run([])
    const headers = done.requests.map(({ headers: sent }) => sent.map(([name]) => name.toLowerCase()))
    expect(headers.every((names) => names.includes('accept-encoding'))).toBe(true)
  })
})
