// What a person reads for every code that the service can respond with: what happened, to which channel or file, what to do.
import { beforeAll, describe, expect, test } from '@jest/globals'
import pMap from 'p-map'
import type { Fault, Target } from '../../sandbox/faults.ts'
import type { JsonObject } from '../../sandbox/json.ts'
import { errorCodes, rowOf } from '../../src/service/error-codes.ts'
import { quoted, text } from '../../src/text/text.ts'
import { withClock } from '../support/scaled-clock.ts'
import { annotations, leaked } from '../support/shown-log.ts'
import { type Done, errorsIn, runStep, type Step } from '../support/step.ts'

const uploadUrl = 'files.getUploadURLExternal'
const completion = 'files.completeUploadExternal'

/** Which method responds with which codes. */
const codes: Readonly<Partial<Record<Target, readonly string[]>>> = {
  [uploadUrl]: [
    'not_authed',
    'invalid_auth',
    'account_inactive',
    'token_revoked',
    'token_expired',
    'not_allowed_token_type',
    'missing_scope',
    'no_permission',
    'access_denied',
    'team_access_not_granted',
    'ekm_access_denied',
    'accesslimited',
    'org_login_required',
    'team_added_to_org',
    'two_factor_setup_required',
    'invalid_arg_name',
    'invalid_form_data',
    'invalid_post_type',
    'invalid_charset',
    'missing_argument',
    'file_upload_size_restricted',
    'storage_limit_reached',
    'file_too_large',
    'file_uploads_disabled',
    'file_uploads_except_images_disabled',
    'file_type_not_allowed',
    'blocked_file_type',
    'malware_detected',
    'service_unavailable',
    'method_deprecated',
    'unknown_method',
    'deprecated_endpoint',
  ],
  'conversations.open': [
    'user_not_found',
    'users_not_found',
    'user_not_visible',
    'user_disabled',
    'cannot_dm_bot',
    'users_list_not_supplied',
  ],
  [completion]: [
    'not_in_channel',
    'channel_not_found',
    'invalid_channel',
    'is_archived',
    'posting_to_channel_denied',
    'posting_to_general_channel_denied',
    'restricted_action',
    'thread_not_found',
    'invalid_thread_ts',
    'cannot_reply_to_message',
    'channels_limit_exceeded',
    'invalid_arguments',
    'file_not_found',
    'file_update_failed',
    'internal_error',
    'fatal_error',
    'request_timeout',
    'invalid_blocks',
    'invalid_blocks_format',
    'msg_too_long',
  ],
}

const more: Readonly<Record<string, JsonObject>> = {
  missing_scope: { needed: 'files:write', provided: 'channels:read,chat:write' },
}

/** Statuses without an error code, and what they are the response to. */
const statuses: readonly (readonly [status: number, on: Target])[] = [
  [401, uploadUrl],
  [403, uploadUrl],
  [404, uploadUrl],
  [405, uploadUrl],
  [407, uploadUrl],
  [408, uploadUrl],
  [410, uploadUrl],
  [413, 'upload-bytes'],
  [500, uploadUrl],
  [502, completion],
  [503, completion],
  [504, 'upload-bytes'],
]

/** After these to a completion, the message may be visible. */
const unknownAfter: readonly string[] = [
  'file_not_found',
  'file_update_failed',
  'internal_error',
  'fatal_error',
  'request_timeout',
  'http_502',
  'http_503',
]

/** The step gives up as soon as it would wait. */
const shortTime: Step = { inputs: { method: 'external', 'timeout-minutes': '0.02' }, nodeOptions: [] }

const page = (title: string) => ({ html: `<!doctype html><title>${title}</title><h1>${title}</h1>` })

/** The host of the service, in the texts below. */
const host = '127.0.0.1:PORT'

/** A situation whose error is one of the table. */
interface Known {
  readonly step: Step
  readonly on: Target
  /** Of the entry in the table. */
  readonly code: string
  /** What failed, if it is not what usually fails with `on`. */
  readonly what?: string
  readonly response: string
}

function known(
  on: Target,
  code: string,
  fault: Fault,
  response = `\`${host}\` responded \`${code}\` to ${requestOf(on)}`,
): Known {
  return { step: responding(on, fault), on, code, response }
}

function requestOf(on: Target): string {
  return on === 'upload-bytes' ? 'the bytes of the file' : `\`${on}\``
}

/** By name: what happens. */
const knownSituations: Readonly<Record<string, Known>> = {
  ...Object.fromEntries(
    Object.entries(codes).flatMap(([method, list]) =>
      list.map((code) => [code, known(method as Target, code, { kind: 'error', code, more: more[code] ?? {} })]),
    ),
  ),
  ...Object.fromEntries(
    statuses.map(([status, on]) => [
      `status ${status} to ${on}`,
      known(
        on,
        `http_${status}`,
        { kind: 'response', status, body: page('Nginx: access denied') },
        `\`${host}\` responded to ${requestOf(on)} with HTTP status ${status} (\`Nginx: access denied\`)`,
      ),
    ]),
  ),
  ...Object.fromEntries(
    ([301, 302, 303, 307, 308] as const).map((status) => [
      `a redirect by ${status}`,
      known(
        uploadUrl,
        `http_${status}`,
        { kind: 'redirect', status, location: 'https://sso.example/login?ticket=1' },
        `\`${host}\` responded to \`${uploadUrl}\` with HTTP status ${status}, a redirect to \`https://sso.example\``,
      ),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries({
      ratelimited: { kind: 'error', code: 'ratelimited' },
      rate_limited: { kind: 'error', code: 'rate_limited' },
      http_429: { kind: 'response', status: 429 },
    } satisfies Record<string, Fault>).map(([code, fault]) => {
      const status = `\`${host}\` responded to \`${uploadUrl}\` with HTTP status 429`
      const situation = known(uploadUrl, code, fault, ...(code === 'http_429' ? [status] : []))
      return [`${code}, without a time to wait`, { ...situation, step: { ...situation.step, ...shortTime } }]
    }),
  ),
  'a portal that responds with a web page': known(
    uploadUrl,
    'web_page',
    { kind: 'response', status: 200, body: page('Hotel Wi-Fi: please sign in') },
    `\`${host}\` responded to \`${uploadUrl}\` with a web page (\`Hotel Wi-Fi: please sign in\`)`,
  ),
  'a response that is not JSON': known(
    uploadUrl,
    'unreadable',
    { kind: 'response', status: 200, body: { text: 'fine' } },
    `\`${host}\` responded to \`${uploadUrl}\` with something that is not JSON`,
  ),
  'by files.upload, a channel that is not found': {
    step: { inputs: { method: 'files.upload', channels: 'C0UNKNOWN00' } },
    on: 'files.upload',
    code: 'channel_not_found',
    what: '`unit.csv` could not be posted to `C0UNKNOWN00`',
    response: `\`${host}\` responded \`channel_not_found\` to \`files.upload\``,
  },
  'by files.upload, a missing scope': {
    step: { inputs: ({ tokens }) => ({ method: 'files.upload', token: tokens.noScopes }) },
    on: 'files.upload',
    code: 'missing_scope',
    what: '`unit.csv` could not be posted to `C0GENERAL00`',
    response: `\`${host}\` responded \`missing_scope\` to \`files.upload\``,
  },
}

/** Situations whose text has more than an entry of the table, or other words. */
const wholeTexts: Readonly<Record<string, Step>> = {
  'an error code that the table does not have': responding(uploadUrl, {
    kind: 'error',
    code: 'never_heard_of',
    more: { response_metadata: { messages: ['Ask at the reception'] } },
  }),
  'a status that the table does not have': responding(uploadUrl, {
    kind: 'response',
    status: 418,
    body: page('Nginx: access denied'),
  }),
  'status 403 to the bytes, while the service responds': responding('upload-bytes', {
    kind: 'response',
    status: 403,
    body: page('Nginx: access denied'),
  }),
  'a redirect': responding(uploadUrl, {
    kind: 'redirect',
    status: 302,
    location: 'https://sso.example/login?ticket=1',
  }),
  'a portal that responds to the completion with a web page': responding(completion, {
    kind: 'response',
    status: 200,
    body: page('Hotel Wi-Fi: please sign in'),
  }),
  'a file of one byte that the service refuses': {
    ...responding(uploadUrl, {
      kind: 'error',
      code: 'invalid_arguments',
      more: { response_metadata: { messages: ['[ERROR] must be greater than 1 [json-pointer:/length]'] } },
    }),
    files: { 'unit.csv': '1' },
  },
  'an internal error to the completion, without the scope to look the file up': {
    ...responding(completion, { kind: 'error', code: 'internal_error' }),
    inputs: ({ tokens }) => ({ method: 'external', token: tokens.uploadOnly }),
  },
  'a wait that is longer than the run may last': responding(uploadUrl, {
    kind: 'response',
    status: 429,
    headers: { 'retry-after': '3600' },
    body: { json: { ok: false, error: 'ratelimited' } },
  }),
  'no response within timeout-minutes': { ...responding(uploadUrl, { kind: 'silence' }), ...shortTime },
  'wrong channels among several, where the token may look channels up': {
    inputs: ({ channels }) => ({
      method: 'external',
      channels: [channels.general, channels.notJoined, channels.archived, 'C0UNKNOWN00'].join(),
    }),
  },
  'two wrong channels among several, for the same reason': {
    prepare: ({ workspace, users }) =>
      workspace.addConversation({ id: 'C0ALSO00000', name: 'also', kind: 'public', members: [users.person] }),
    inputs: ({ channels }) => ({
      method: 'external',
      channels: [channels.general, channels.notJoined, 'C0ALSO00000'].join(),
    }),
  },
  'a wrong channel among several, where the token may not look channels up': {
    inputs: ({ channels, tokens }) => ({
      method: 'external',
      token: tokens.files,
      channels: [channels.general, channels.notJoined].join(),
    }),
  },
  'a user, without the scope to open a direct conversation': {
    inputs: ({ tokens, users }) => ({ method: 'external', token: tokens.files, channels: users.person }),
  },
  'an unknown outcome, without the scope to look the file up': {
    ...responding(completion, { kind: 'reset', when: 'after', effect: true }),
    inputs: ({ tokens }) => ({ method: 'external', token: tokens.uploadOnly }),
  },
  'a base-url that is another web server': {
    inputs: ({ baseUrl }) => ({ 'base-url': `${baseUrl}/intranet` }),
  },
  'by files.upload, an internal error': {
    ...responding('files.upload', { kind: 'error', code: 'internal_error' }),
    inputs: { method: 'files.upload' },
  },
  'by files.upload, a portal that responds with a web page': {
    ...responding('files.upload', { kind: 'response', status: 200, body: page('Hotel Wi-Fi: please sign in') }),
    inputs: { method: 'files.upload' },
  },
  'by files.upload, on Slack as it is today': {
    inputs: { method: 'files.upload' },
    service: { offers: { 'files.upload': 'retired' } },
  },
}

function responding(on: Target, fault: Fault): Step {
  return {
    inputs: ({ users }) => ({ method: 'external', ...(on === 'conversations.open' && { channels: users.person }) }),
    prepare: ({ faults }) => faults.add({ on, fault }),
  }
}

const done = new Map<string, Done>()

beforeAll(async () => {
  const run = async ([situation, step]: readonly [string, Step]) => {
    const defaults = { files: { 'unit.csv': 'a,b\n1,2\n' }, ...withClock(), env: { RUNNER_DEBUG: '1' } }
    done.set(situation, await runStep({ ...defaults, ...step }))
  }
  const steps = Object.entries(knownSituations).map(([situation, { step }]) => [situation, step] as const)
  await pMap([...steps, ...Object.entries(wholeTexts)], run, { concurrency: 3 })
}, 300_000)

const resultOf = (situation: string): Done => {
  const result = done.get(situation)
  if (result === undefined) throw new Error('It did not run')
  return result
}

const whatFailed: Readonly<Partial<Record<Target, string>>> = {
  [uploadUrl]: '`unit.csv` could not be uploaded',
  'upload-bytes': '`unit.csv` could not be uploaded',
  'conversations.open': 'The direct conversation with `U0PERSON000` could not be opened',
  [completion]: '`unit.csv` could not be posted to `C0GENERAL00`',
}
const unknownTitle = 'It is unknown whether the message was posted'
const unknownWhether = 'It is unknown whether `unit.csv` was posted to `C0GENERAL00`'
const checkFirst =
  'Check `C0GENERAL00` before you run the step again: if the file is there, the step may post it a second time.'

describe('the error says what failed, what the service responded, and the remedy of the table:', () => {
  test.each(Object.entries(knownSituations))('%s', (situation, { code, on, response, what }) => {
    const entry = rowOf(code)
    if (entry === undefined) throw new Error(`${code} is not in the table`)
    const result = resultOf(situation)
    const unknown = on === completion && unknownAfter.includes(code)
    expect(result.outputs['status']).toBe(unknown ? 'unknown' : 'failed')

    const errors = errorsIn(result)
    expect(errors.map(({ title }) => title)).toEqual([unknown ? unknownTitle : entry.title])
    const [first, second, ...others] = (errors[0]?.text ?? '').replace(/127\.0\.0\.1:\d+/g, host).split('\n')
    expect(first).toBe(`${unknown ? unknownWhether : (what ?? whatFailed[on])}: ${response}.`)
    const method = on === 'upload-bytes' ? 'upload' : on
    const remedy = quoted(entry.remedy({ service: text`${host}`, host, method, needed: 'files:write' }))
    // To run the step again is no advice where it could post the files twice.
    const advice = entry.meaning === 'ambiguous' ? quoted(entry.mayBePermanent ?? []) : remedy
    expect(second).toBe(unknown ? `${checkFirst} ${advice}`.trim() : remedy)
    expect(others.filter((line) => !/^(Request ID|The token has): /.test(line))).toEqual([])
  })
})

describe('the whole text:', () => {
  test.each(Object.keys(wholeTexts))('%s', (situation) => {
    const result = resultOf(situation)
    expect(`${result.outputs['status']}\n${annotations(result)}`).toMatchSnapshot()
  })
})

test.each(Object.keys({ ...knownSituations, ...wholeTexts }))('the report is short and complete: %s', (situation) => {
  const result = resultOf(situation)
  expect(result).toMatchObject({ code: 1, stderr: '' })
  expect(errorsIn(result).length).toBeGreaterThan(0)
  for (const { title, text: body } of errorsIn(result)) {
    expect(title.length).toBeLessThan(70)
    expect(body.split('\n').length).toBeLessThanOrEqual(3)
    // Nothing is left to be filled in.
    expect(body).not.toMatch(/\{\w+\}|undefined|\[object/)
  }
  expect(leaked(result, result.token)).toEqual([])
})

test('every code of the service in the table is among them', () => {
  const inTable = errorCodes.flatMap((entry) => entry.codes).filter((code) => /^[a-z_]+$/.test(code))
  const tried = Object.values(knownSituations).map(({ code }) => code)
  expect(inTable.filter((code) => !tried.includes(code))).toEqual([])
})
