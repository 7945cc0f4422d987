import type { Fault, Target } from '../../sandbox/faults.ts'
import type { ModelRule } from './model-http.ts'

type Happening = Pick<ModelRule, 'fault' | 'delay' | 'unreachable'>

const answer = (
  status: number,
  more: Omit<Fault & { readonly kind: 'response' }, 'kind' | 'status'> = {},
): Happening => ({
  fault: { kind: 'response', status, ...more },
})
const error = (code: string, effect = false): Happening => ({ fault: { kind: 'error', code, effect } })
const html = { html: '<!doctype html><title>Not now</title>' }

/** What can happen to a call. Where the service says ok, it did what was asked: a lie cannot be seen through. */
export const happenings: Readonly<Record<string, Happening>> = {
  unreachable: { unreachable: true },
  'reset before it was read': { fault: { kind: 'reset', when: 'before' } },
  'reset in the middle': { fault: { kind: 'reset', when: 'middle' } },
  'reset after it was read': { fault: { kind: 'reset', when: 'after' } },
  'reset after the effect': { fault: { kind: 'reset', when: 'after', effect: true } },
  'never answered': { fault: { kind: 'silence' } },
  'never answered, after the effect': { fault: { kind: 'silence', effect: true } },
  'answered after 10 s': { delay: 10_000 },
  'answered after 40 s': { delay: 40_000 },
  'read byte by byte': { fault: { kind: 'slow-reader', bytesPerSecond: 1 } },
  'answered byte by byte': { fault: { kind: 'trickle', bytesPerSecond: 1 } },
  'answer broken off': { fault: { kind: 'truncated' } },
  'answer of 10 MB': answer(200, { body: { megabytes: 10 }, effect: true }),
  '429 with Retry-After': answer(429, { headers: { 'retry-after': '3' } }),
  '429 with a date': answer(429, { headers: { 'retry-after': 'Fri, 15 Jan 2027 08:00:20 GMT' } }),
  '429 with Retry-After: 0': answer(429, { headers: { 'retry-after': '0' } }),
  '429 with Retry-After: a day': answer(429, { headers: { 'retry-after': '86400' } }),
  '429 without Retry-After': answer(429),
  'ratelimited with 200': error('ratelimited'),
  '500': answer(500, { body: html }),
  '500 after the effect': answer(500, { body: html, effect: true }),
  '503 with JSON': answer(503, { body: { json: { ok: false, error: 'service_unavailable' } } }),
  '504 as text, after the effect': answer(504, { body: { text: 'upstream timed out' }, effect: true }),
  '408 after the effect': answer(408, { effect: true }),
  internal_error: error('internal_error'),
  'internal_error after the effect': error('internal_error', true),
  'fatal_error after the effect': error('fatal_error', true),
  request_timeout: error('request_timeout'),
  file_update_failed: error('file_update_failed'),
  not_in_channel: error('not_in_channel'),
  file_not_found: error('file_not_found'),
  'a code nobody knows': error('tea_time'),
  'not offered': error('method_deprecated'),
  '404 with a web page': answer(404, { body: html }),
  '403': answer(403),
  '413 before it was read': answer(413, { early: true }),
  '200 before it was read': answer(200, { body: { json: { ok: true } }, early: true }),
  'a web page with 200': answer(200, { body: html }),
  'a web page with 200, after the effect': answer(200, { body: html, effect: true }),
  'an answer that is no envelope, after the effect': answer(200, { body: { json: { hello: 'there' } }, effect: true }),
  redirect: { fault: { kind: 'redirect', status: 307 } },
  'part of the bytes kept': { fault: { kind: 'wrong-size', bytes: 1 } },
}

export function rule(on: Target, call: number, happening: string): ModelRule {
  return { on, call, ...happenings[happening] }
}
