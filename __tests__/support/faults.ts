import type { Fault, Target } from '../../sandbox/faults.ts'
import { channels } from './channels.ts'
import type { ModelRule } from './model-http.ts'

type Happening = Omit<ModelRule, 'on' | 'call'>

const answer = (
  status: number,
  more: Omit<Fault & { readonly kind: 'response' }, 'kind' | 'status'> = {},
): Happening => ({
  fault: { kind: 'response', status, ...more },
})
const error = (code: string, effect = false): Happening => ({
  fault: { kind: 'error', code, effect },
})
/**
 * A possible response although the first of several channels has the files. With one channel, it
 * would be false.
 */
const afterTheFirst = (fault: Fault): Happening => ({ fault, effectOnlyOn: 'several channels' })
const html = { html: '<!doctype html><title>Not now</title>' }

const anotherRecord = 'the record of another file'
/** In every channel. */
const anotherFile = {
  id: 'F0OTHER0000',
  shares: {
    public: Object.fromEntries(
      Object.values(channels).map((id) => [id, [{ ts: '1760688662.900279' }]]),
    ),
  },
  channels: Object.values(channels),
}

const withoutShares = 'shares that are not there yet'

/** Faults of a call. An ok is always true, because nobody can see through a false one. */
export const happenings: Readonly<Record<string, Happening>> = {
  unreachable: { unreachable: true },
  'reset before it was read': { fault: { kind: 'reset', when: 'before' } },
  'reset in the middle': { fault: { kind: 'reset', when: 'middle' } },
  'reset after it was read': { fault: { kind: 'reset', when: 'after' } },
  'reset after the effect': { fault: { kind: 'reset', when: 'after', effect: true } },
  'no response': { fault: { kind: 'silence' } },
  'no response, after the effect': { fault: { kind: 'silence', effect: true } },
  'response after 10 s': { delay: 10_000 },
  'response after 40 s': { delay: 40_000 },
  'read byte by byte': { fault: { kind: 'slow-reader', bytesPerSecond: 1 } },
  'response byte by byte': { fault: { kind: 'trickle', bytesPerSecond: 1 } },
  'truncated response': { fault: { kind: 'truncated' } },
  'response of 100 KB': answer(200, { body: { megabytes: 0.1 }, effect: true }),
  '429 with Retry-After': answer(429, { headers: { 'retry-after': '3' } }),
  '429 with Retry-After: 0': answer(429, { headers: { 'retry-after': '0' } }),
  '429 with Retry-After: a day': answer(429, { headers: { 'retry-after': '86400' } }),
  '429 with Retry-After: 0.001': answer(429, { headers: { 'retry-after': '0.001' } }),
  '429 with Retry-After: -1': answer(429, { headers: { 'retry-after': '-1' } }),
  // The clock of the model begins at 08:00:00.
  '429 with Retry-After: a date': answer(429, {
    headers: { 'retry-after': 'Fri, 15 Jan 2027 08:00:20 GMT' },
  }),
  '429 without Retry-After': answer(429),
  '503 with Retry-After': answer(503, { headers: { 'retry-after': '12' } }),
  '503 with Retry-After: a huge number': answer(503, {
    headers: { 'retry-after': '9'.repeat(400) },
    effect: true,
  }),
  'ratelimited with 200': error('ratelimited'),
  '500': answer(500, { body: html }),
  '500 after the effect': answer(500, { body: html, effect: true }),
  '503 with JSON': answer(503, { body: { json: { ok: false, error: 'service_unavailable' } } }),
  '500 as text': answer(500, { body: { text: 'Internal error' } }),
  '504 as text, after 30 s': {
    ...answer(504, { body: { text: 'upstream timed out' } }),
    delay: 30_000,
  },
  'OK with another number of bytes, after the effect': answer(200, {
    body: { text: 'OK - 3' },
    effect: true,
  }),
  '504 as text, after the effect': answer(504, {
    body: { text: 'upstream timed out' },
    effect: true,
  }),
  '408 after the effect': answer(408, { effect: true }),
  '499 after the effect': answer(499, { effect: true }),
  // After a completion, only the first file is posted. After any other call, the same as a 500.
  '500 after a part of the effect': { ...answer(500, { effect: true }), partly: true },
  internal_error: error('internal_error'),
  'internal_error after the effect': error('internal_error', true),
  'fatal_error after the effect': error('fatal_error', true),
  request_timeout: error('request_timeout'),
  file_update_failed: error('file_update_failed'),
  'file_update_failed after the effect': error('file_update_failed', true),
  'service_unavailable after the effect': error('service_unavailable', true),
  // A gateway sends the request twice, and passes on the second response.
  'file_not_found after the effect': {
    ...error('file_not_found', true),
    effectOnlyOn: 'a completion',
  },
  not_in_channel: error('not_in_channel'),
  file_not_found: error('file_not_found'),
  file_deleted: error('file_deleted'),
  'an undocumented code': error('tea_time'),
  'an undocumented code, after the effect': afterTheFirst({
    kind: 'error',
    code: 'tea_time',
    effect: true,
  }),
  'cannot_dm_bot after the effect': afterTheFirst({
    kind: 'error',
    code: 'cannot_dm_bot',
    effect: true,
  }),
  '403 after the effect': afterTheFirst({ kind: 'response', status: 403, effect: true }),
  '404 with an error in JSON, after the effect': afterTheFirst({
    kind: 'response',
    status: 404,
    body: { json: { error: 'channel_not_found' } },
    effect: true,
  }),
  'a status that contradicts the body, after the effect': answer(400, {
    body: { json: { ok: true } },
    effect: true,
  }),
  'compressed response': { fault: { kind: 'encoded', as: 'gzip' } },
  'compressed response without its header': { fault: { kind: 'encoded', as: 'unnamed' } },
  'response in UTF-16': { fault: { kind: 'encoded', as: 'utf-16le' } },
  [anotherRecord]: answer(200, { body: { json: { ok: true, file: anotherFile } } }),
  'not offered': error('method_deprecated'),
  '404 with a web page': answer(404, { body: html }),
  '403': answer(403),
  '413 before it was read': answer(413, { early: true }),
  '503 before it was read': answer(503, { early: true }),
  '302 before it was read': answer(302, { early: true }),
  'not_in_channel before it was read': answer(200, {
    body: { json: { ok: false, error: 'not_in_channel' } },
    early: true,
  }),
  '200 before it was read': answer(200, { body: { json: { ok: true } }, early: true }),
  'a web page with 200': answer(200, { body: html }),
  'a web page with 200, after the effect': answer(200, { body: html, effect: true }),
  'a response without `ok`, after the effect': answer(200, {
    body: { json: { hello: 'there' } },
    effect: true,
  }),
  redirect: { fault: { kind: 'redirect', status: 307 } },
  '302 after the effect': { fault: { kind: 'redirect', status: 302, effect: true } },
  '303 after the effect': { fault: { kind: 'redirect', status: 303, effect: true } },
  '304 after the effect': answer(304, { effect: true }),
  '409 after the effect': answer(409, { effect: true }),
  'already_posted after the effect': error('already_posted', true),
  'duplicate_file after the effect': error('duplicate_file', true),
  'an ok that is not a boolean': answer(200, { body: { json: { ok: 0 } } }),
  'an ok that is not a boolean, after the effect': answer(200, {
    body: { json: { ok: 'false' } },
    effect: true,
  }),
  'a success that is false': answer(200, { body: { json: { success: false } } }),
  'errors without ok, after the effect': answer(200, {
    body: { json: { errors: ['busy'] } },
    effect: true,
  }),
  '204 after the effect': answer(204, { effect: true }),
  'nothing with 200, after the effect': answer(200, { effect: true }),
  'no files in the response': { fault: { kind: 'fewer-files', files: 0 } },
  'one file in the response': { fault: { kind: 'fewer-files', files: 1 } },
  [withoutShares]: { hidesShares: true },
  'none of the bytes kept': { fault: { kind: 'wrong-size', bytes: 0 } },
}

export function rule(on: Target, call: number, happening: string): ModelRule {
  // After any other call, the response would be false.
  if ([anotherRecord, withoutShares].includes(happening) && on !== 'files.info') return { on, call }
  return { on, call, ...happenings[happening] }
}
