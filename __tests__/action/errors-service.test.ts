// What a person reads for every code that the service can answer with: what happened, to which channel or file, what to do.
import { beforeAll, describe, expect, test } from '@jest/globals'
import pMap from 'p-map'
import type { Fault, Target } from '../../sandbox/faults.ts'
import type { JsonObject } from '../../sandbox/json.ts'
import { remedies } from '../../src/service/errors.ts'
import { annotations, leaked, quickWaits } from '../support/seen.ts'
import { type Done, errorsIn, runStep, type Step } from '../support/step.ts'

const ticket = 'files.getUploadURLExternal'
const completion = 'files.completeUploadExternal'

/** Where the service answers with which codes. */
const codes: Readonly<Partial<Record<Target, readonly string[]>>> = {
  [ticket]: [
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
    'never_heard_of',
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
  invalid_arguments: { response_metadata: { messages: ['[ERROR] must match pattern: ^[CGDZ][A-Z0-9]{8,}$'] } },
  never_heard_of: { response_metadata: { messages: ['Ask at the reception'] } },
}

/** Statuses without an envelope, and where they come from. */
const statuses: readonly (readonly [status: number, on: Target])[] = [
  [401, ticket],
  [403, ticket],
  [403, 'upload-bytes'],
  [404, ticket],
  [405, ticket],
  [407, ticket],
  [408, ticket],
  [410, ticket],
  [413, 'upload-bytes'],
  [418, ticket],
  [500, ticket],
  [502, completion],
  [503, completion],
  [504, 'upload-bytes'],
]

/** What would be waited for until the step's time is over. */
const shortTime: Step = { inputs: { method: 'external', 'timeout-minutes': '0.02' }, nodeOptions: [] }

const page = (title: string) => ({ html: `<!doctype html><title>${title}</title><h1>${title}</h1>` })

const situations: Readonly<Record<string, Step>> = {
  ...Object.fromEntries(
    Object.entries(codes).flatMap(([method, list]) =>
      list.map((code) => [code, answering(method as Target, { kind: 'error', code, more: more[code] ?? {} })]),
    ),
  ),
  ...Object.fromEntries(
    statuses.map(([status, on]) => [
      `status ${status} to ${on}`,
      answering(on, { kind: 'response', status, body: page('Nginx says no') }),
    ]),
  ),
  ...Object.fromEntries(
    ([301, 302, 303, 307, 308] as const).map((status) => [
      `a redirect by ${status}`,
      answering(ticket, { kind: 'redirect', status, location: 'https://sso.example/login?ticket=1' }),
    ]),
  ),
  'a portal that answers with a page': answering(ticket, {
    kind: 'response',
    status: 200,
    body: page('Hotel Wi-Fi: please sign in'),
  }),
  'a portal that answers the completion with a page': answering(completion, {
    kind: 'response',
    status: 200,
    body: page('Hotel Wi-Fi: please sign in'),
  }),
  'a file of one byte that the service refuses': {
    ...answering(ticket, {
      kind: 'error',
      code: 'invalid_arguments',
      more: { response_metadata: { messages: ['[ERROR] must be greater than 1 [json-pointer:/length]'] } },
    }),
    files: { 'unit.csv': '1' },
  },
  'an internal error to the completion, without the scope to look': {
    ...answering(completion, { kind: 'error', code: 'internal_error' }),
    inputs: ({ tokens }) => ({ method: 'external', token: tokens.uploadOnly }),
  },
  'an answer that is no JSON': answering(ticket, { kind: 'response', status: 200, body: { text: 'fine' } }),
  'a wait that does not fit into the time of the step': answering(ticket, {
    kind: 'response',
    status: 429,
    headers: { 'retry-after': '3600' },
    body: { json: { ok: false, error: 'ratelimited' } },
  }),
  ...Object.fromEntries(
    Object.entries({
      ratelimited: { kind: 'error', code: 'ratelimited' },
      rate_limited: { kind: 'error', code: 'rate_limited' },
      'status 429': { kind: 'response', status: 429 },
    } satisfies Record<string, Fault>).map(([name, fault]) => [
      `${name}, without a time to wait`,
      { ...answering(ticket, fault), ...shortTime },
    ]),
  ),
  'no answer within the time of the step': { ...answering(ticket, { kind: 'silence' }), ...shortTime },
  'the wrong one of several channels, where the token may look': {
    inputs: ({ channels }) => ({
      method: 'external',
      channels: [channels.general, channels.notJoined, channels.archived, 'C0UNKNOWN00'].join(),
    }),
  },
  'two wrong ones of several channels, for the same reason': {
    prepare: ({ workspace, users }) =>
      workspace.addConversation({ id: 'C0ALSO00000', name: 'also', kind: 'public', members: [users.person] }),
    inputs: ({ channels }) => ({
      method: 'external',
      channels: [channels.general, channels.notJoined, 'C0ALSO00000'].join(),
    }),
  },
  'the wrong one of several channels, where the token may not look': {
    inputs: ({ channels, tokens }) => ({
      method: 'external',
      token: tokens.files,
      channels: [channels.general, channels.notJoined].join(),
    }),
  },
  'a user, without the scope to open a direct conversation': {
    inputs: ({ tokens, users }) => ({ method: 'external', token: tokens.files, channels: users.person }),
  },
  'an unknown outcome, without the scope to look': {
    ...answering(completion, { kind: 'reset', when: 'after', effect: true }),
    inputs: ({ tokens }) => ({ method: 'external', token: tokens.uploadOnly }),
  },
  'a base-url that is another web server': {
    inputs: ({ baseUrl }) => ({ 'base-url': `${baseUrl}/intranet` }),
  },
  'by files.upload, a channel that is not found': {
    inputs: { method: 'files.upload', channels: 'C0UNKNOWN00' },
  },
  'by files.upload, a missing scope': {
    inputs: ({ tokens }) => ({ method: 'files.upload', token: tokens.noScopes }),
  },
  'by files.upload, an internal error': {
    ...answering('files.upload', { kind: 'error', code: 'internal_error' }),
    inputs: { method: 'files.upload' },
  },
  'by files.upload, a portal that answers with a page': {
    ...answering('files.upload', { kind: 'response', status: 200, body: page('Hotel Wi-Fi: please sign in') }),
    inputs: { method: 'files.upload' },
  },
  'by files.upload, on Slack as it is today': {
    inputs: { method: 'files.upload' },
    service: { offers: { 'files.upload': 'retired' } },
  },
}

function answering(on: Target, fault: Fault): Step {
  return {
    inputs: ({ users }) => ({ method: 'external', ...(on === 'conversations.open' && { channels: users.person }) }),
    prepare: ({ faults }) => faults.add({ on, fault }),
  }
}

const done = new Map<string, Done>()

beforeAll(async () => {
  const run = async ([situation, step]: readonly [string, Step]) => {
    const defaults = { files: { 'unit.csv': 'a,b\n1,2\n' }, nodeOptions: quickWaits, env: { RUNNER_DEBUG: '1' } }
    done.set(situation, await runStep({ ...defaults, ...step }))
  }
  await pMap(Object.entries(situations), run, { concurrency: 3 })
}, 300_000)

const resultOf = (situation: string): Done => {
  const result = done.get(situation)
  if (result === undefined) throw new Error('It did not run')
  return result
}

describe('what is read, when the service answers', () => {
  test.each(Object.keys(situations))('%s', (situation) => {
    const result = resultOf(situation)
    expect(`${result.outputs['status']}\n${annotations(result)}`).toMatchSnapshot()
    expect(result).toMatchObject({ code: 1, stderr: '' })
    for (const { title, text } of errorsIn(result)) {
      expect(title.length).toBeLessThan(70)
      expect(text.split('\n').length).toBeLessThanOrEqual(3)
      // Nothing is left to be filled in.
      expect(text).not.toMatch(/\{\w+\}|undefined|\[object/)
    }
    expect(leaked(result, result.token)).toEqual([])
  })
})

test('every code of the service that has a remedy is among them', () => {
  const known = remedies.flatMap((remedy) => remedy.codes).filter((code) => /^[a-z_]+$/.test(code))
  const tried = [...Object.values(codes).flat(), 'ratelimited', 'rate_limited', 'web_page', 'unreadable']
  expect(known.filter((code) => !tried.includes(code))).toEqual([])
})
