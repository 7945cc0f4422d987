// What a person reads for every code that the service can respond with: what happened, to which channel or file, what to do.
import { expect, test } from '@jest/globals'
import type { Fault, Target } from '../../../sandbox/faults.ts'
import type { JsonObject } from '../../../sandbox/json.ts'
import { isError, titleOf } from '../../../src/problem.ts'
import { errorCodes, remedyOf, rowOf } from '../../../src/service/error-codes.ts'
import { quoted, text } from '../../../src/text/text.ts'
import { channels } from '../../support/channels.ts'
import { playDelivery } from '../../support/model-delivery.ts'
import { seeded } from '../../support/seeded.ts'

const uploadUrl = 'files.getUploadURLExternal'
const completion = 'files.completeUploadExternal'
const person = 'U0PERSON000'

/** Which method responds with which codes. */
const codes: Readonly<Partial<Record<Target, string>>> = {
  [uploadUrl]: `not_authed invalid_auth account_inactive token_revoked token_expired not_allowed_token_type missing_scope
    no_permission access_denied team_access_not_granted ekm_access_denied accesslimited enterprise_is_restricted org_login_required team_added_to_org
    two_factor_setup_required invalid_arg_name invalid_form_data invalid_post_type invalid_charset missing_argument
    file_upload_size_restricted storage_limit_reached file_too_large file_uploads_disabled
    file_uploads_except_images_disabled file_type_not_allowed blocked_file_type malware_detected service_unavailable
    method_deprecated unknown_method deprecated_endpoint ratelimited rate_limited`,
  'conversations.open': `user_not_found users_not_found user_not_visible user_disabled cannot_dm_bot users_list_not_supplied`,
  [completion]: `not_in_channel channel_not_found invalid_channel is_archived posting_to_channel_denied
    posting_to_general_channel_denied restricted_action restricted_action_read_only_channel
    restricted_action_thread_only_channel channel_is_limited_access method_not_supported_for_channel_type
    slack_connect_file_upload_sharing_blocked slack_connect_blocked_file_type slack_connect_clip_sharing_blocked thread_not_found invalid_thread_ts cannot_reply_to_message
    channels_limit_exceeded invalid_arguments file_not_found file_update_failed internal_error fatal_error request_timeout
    invalid_blocks invalid_blocks_format msg_too_long`,
  'files.upload': 'channel_not_found missing_scope internal_error file_too_large',
}

/** Statuses without an error code, and what they are the response to. */
const statuses: readonly (readonly [status: number, on: Target])[] = [
  ...[401, 403, 404, 405, 407, 408, 410, 429, 500].map((status) => [status, uploadUrl] as const),
  [413, 'upload-bytes'],
  [502, completion],
  [503, completion],
  [504, 'upload-bytes'],
]

const page = { html: '<!doctype html><title>Nginx: access denied</title>' }

interface Situation {
  readonly on: Target
  /** Of the entry in the table. */
  readonly code: string
  readonly fault: Fault
  /** After the name of the host. */
  readonly response: string
}

const more: Readonly<Record<string, JsonObject>> = {
  missing_scope: { needed: 'files:write', provided: 'channels:read,chat:write' },
}
const called = (on: Target) => (on === 'upload-bytes' ? 'the bytes of `report-1.csv`' : `\`${on}\``)
const webPage = (on: Target): Situation => ({
  on,
  code: 'web_page',
  fault: { kind: 'response', status: 200, body: page },
  response: `responded to ${called(on)} with a web page (\`Nginx: access denied\`)`,
})

const situations: readonly Situation[] = [
  ...Object.entries(codes).flatMap(([method, list]) =>
    list.split(/\s+/).map((code): Situation => {
      const on = method as Target
      const response = `responded \`${code}\` to ${called(on)}`
      return { on, code, fault: { kind: 'error', code, more: more[code] ?? {} }, response }
    }),
  ),
  ...statuses.map(([status, on]): Situation => {
    const response = `responded to ${called(on)} with HTTP status ${status} (\`Nginx: access denied\`)`
    return { on, code: `http_${status}`, fault: { kind: 'response', status, body: page }, response }
  }),
  ...([301, 302, 303, 307, 308] as const).map((status): Situation => {
    const location = 'https://sso.example'
    const response = `responded to \`${uploadUrl}\` with HTTP status ${status}, a redirect to \`https://sso.example\``
    return { on: uploadUrl, code: `http_${status}`, fault: { kind: 'redirect', status, location }, response }
  }),
  ...([uploadUrl, completion, 'files.upload'] as const).map(webPage),
  {
    on: 'files.upload',
    code: 'unclear_response',
    fault: { kind: 'response', status: 200, body: { json: { error: 'quota' } } },
    response: 'responded to `files.upload`: `{"error":"quota"}`',
  },
  {
    on: 'files.upload',
    code: 'no_error_code',
    fault: { kind: 'response', status: 200, body: { json: { ok: false } } },
    response: 'refused `files.upload` without an error code',
  },
  {
    on: uploadUrl,
    code: 'unreadable',
    fault: { kind: 'response', status: 200, body: { text: 'fine' } },
    response: `responded to \`${uploadUrl}\` with something that is not JSON`,
  },
]

/** After these to a completion, the message may be visible. */
const unknownAfter = ['file_not_found', 'file_update_failed', 'internal_error', 'fatal_error', 'request_timeout']
const isUnknown = ({ code, on }: Situation) =>
  (on === completion || on === 'files.upload') &&
  [...unknownAfter, 'http_502', 'http_503', 'web_page', 'unclear_response'].includes(code)

const notPosted = `\`report-1.csv\` could not be posted to \`${channels.general}\``
const whatFailed: Readonly<Partial<Record<Target, string>>> = {
  [uploadUrl]: '`report-1.csv` could not be uploaded',
  'upload-bytes': '`report-1.csv` could not be uploaded',
  'conversations.open': `The direct conversation with \`${person}\` could not be opened`,
  [completion]: notPosted,
  'files.upload': notPosted,
}
const unknownTitle = 'It is unknown whether the message was posted'
const unknownWhether = `It is unknown whether \`report-1.csv\` was posted to \`${channels.general}\``
const checkFirst = `Check \`${channels.general}\` before you run the step again: if the file is there, the step may post it a second time.`

async function errorsOf({ on, fault }: Situation) {
  const { report } = await playDelivery({
    method: on === 'files.upload' ? on : 'external',
    files: [40],
    channels: [on === 'conversations.open' ? person : channels.general],
    scopes: 'all',
    rules: [{ on, fault }],
    // Shorter than the waits between attempts: the first failure is reported.
    timeoutMilliseconds: isRateLimit(fault) ? 900 : 600_000,
    random: seeded(1),
  })
  const errors = report.problems.filter(isError).map((one) => [quoted(titleOf(one)), ...quoted(one.text).split('\n')])
  return { status: report.status, errors }
}

const isRateLimit = (fault: Fault) =>
  (fault.kind === 'error' && /^rate_?limited$/.test(fault.code)) || (fault.kind === 'response' && fault.status === 429)

test.each(situations.map((situation) => [situation.code, situation.on, situation] as const))(
  '%s to %s: what failed, what the service responded, and the remedy of the table',
  async (code, on, situation) => {
    const entry = rowOf(code)
    const unknown = isUnknown(situation)
    const { errors, status } = await errorsOf(situation)
    expect(status).toBe(unknown ? 'unknown' : 'failed')
    expect(errors).toHaveLength(1)
    const [title = '', first = '', second, ...others] = errors[0] ?? []
    const host = on === 'upload-bytes' ? 'files.sandbox.example' : 'sandbox.example'
    expect(title).toBe(unknown ? unknownTitle : entry.title)
    expect(title.length).toBeLessThan(70)
    const failed = entry.aboutSize ? whatFailed[on]?.replace('`report-1.csv`', '`report-1.csv` (40 B)') : whatFailed[on]
    expect(first).toBe(`${unknown ? unknownWhether : failed}: \`${host}\` ${situation.response}.`)
    const method = on === 'upload-bytes' ? 'upload' : on
    const remedy = quoted(remedyOf(entry, { service: text`${'sandbox.example'}`, host, method, needed: 'files:write' }))
    // To run the step again is no advice where it could post the files twice.
    expect(remedy).not.toMatch(/run the step again/i)
    expect(second).toBe(unknown ? `${checkFirst} ${remedy}` : remedy)
    expect(others.filter((line) => !/^(Request ID|The token has): /.test(line))).toEqual([])
    // Nothing is left to be filled in.
    expect(errors[0]?.join('\n')).not.toMatch(/\{\w+\}|undefined|\[object/)
  },
)

test('every code of the service in the table is among them', () => {
  const inTable = errorCodes.flatMap((entry) => entry.codes).filter((code) => /^[a-z_]+$/.test(code))
  expect(inTable.filter((code) => !situations.some((situation) => situation.code === code))).toEqual([])
})
