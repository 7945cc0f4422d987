import type { Deadline } from '../deadline.ts'
import { type Json, objectIn, textIn } from '../json.ts'
import { type Text, text } from '../text/text.ts'
import { isOwnCode } from './failures.ts'
import type { WebApi } from './web-api.ts'

const seconds = (list: readonly number[]) => list.map((one) => one * 1_000)
/** Milliseconds before each lookup of a message that should be visible: at once, then less often, a minute in all. */
export const confirmDelays = seconds([0, 1, 1, 2, 3, 5, 8, 10, 10, 10, 10])
/** After this number of lookups, a message that is visible without a ts is enough: the ts may follow. */
export const lookupsForTs = 6
/** Milliseconds before each lookup that finds out what became of a completion: half a minute in all. */
export const reconcileDelays = seconds([1, 1, 2, 3, 5, 8, 10])
export const reconcileSeconds = reconcileDelays.reduce((sum, delay) => sum + delay, 0) / 1_000
/** Milliseconds before each further lookup of one of many uploads that should be visible: a minute in all. */
export const earlierDelays = seconds([2, 4, 8, 16, 30])

/** The result of one lookup of a file. */
export type FileLookup =
  /** `record` is the record of this very file. */
  | { readonly kind: 'found'; readonly record: Json }
  /** The service responded that there is no such file. */
  | { readonly kind: 'missing' }
  /** The service responded with another error about the file, such as `file_deleted`: lookups work. */
  | { readonly kind: 'unclear'; readonly reason: Text }
  /** The token may not look it up, or the server offers no lookup: another lookup is of no use. */
  | { readonly kind: 'not possible'; readonly reason: Text; readonly lacksScope?: true }
  /** No result this time. */
  | { readonly kind: 'no result'; readonly reason: Text }

const strength = { 'no result': 0, 'not possible': 0, unclear: 1, missing: 1, found: 2 } as const

/** https://docs.slack.dev/reference/methods/files.info, scope files:read */
async function lookUp(api: WebApi, fileId: string, maxWait: number): Promise<FileLookup> {
  const options = { safeToRepeat: true, maxAttempts: 1, maxWait }
  const result = await api.call('files.info', { file: fileId }, options)
  if (result.outcome === 'succeeded') {
    const record = objectIn(result.json, 'file')
    if (record === undefined) return { kind: 'not possible', reason: text`${'files.info'} responded without a file` }
    if (textIn(record, 'id') === fileId) return { kind: 'found', record }
    return { kind: 'no result', reason: text`${'files.info'} responded with another file` }
  }
  const { failure } = result
  const reason = text`${failure.code}`
  if (result.outcome !== 'refused' || failure.isTransient) return { kind: 'no result', reason }
  if (failure.code === 'file_not_found') return { kind: 'missing' }
  if (result.unknownMethod || failure.row.aboutToken) {
    return { kind: 'not possible', reason, ...(failure.code === 'missing_scope' && { lacksScope: true }) }
  }
  return { kind: isOwnCode(failure) ? 'unclear' : 'no result', reason }
}

/** The result of polling a file. */
export interface PollResult {
  /** The lookup that says most, and of those the last: a file that was found once exists. */
  readonly best: FileLookup | undefined
  /** For the whole time of the delays without a break, every lookup showed that there is no such file. */
  readonly absent: boolean
  /** The run had to end before the polling was over. */
  readonly aborted: boolean
  /** How long it took. */
  readonly milliseconds: number
}

/**
 * Looks a file up repeatedly, with a delay before each lookup. It ends if a lookup was `enough`, if another one is of no
 * use, or if the run must end. Lookups that an outage or a rate limit slows down may take twice the time.
 *
 * @param delays milliseconds
 * @param untilAbsent continue after the last delay, for at most twice the time, until the file is absent: the time starts
 *   again after every lookup that shows anything else
 */
export async function pollFile(
  api: WebApi,
  deadline: Deadline,
  fileId: string,
  delays: readonly number[],
  enough: (lookup: FileLookup, lookupNumber: number) => boolean,
  { untilAbsent = false } = {},
): Promise<PollResult> {
  const { clock, signal } = deadline
  const start = clock.now()
  const window = delays.reduce((sum, delay) => sum + delay, 0)
  let delayed = 0
  const passed = () => Math.max(delayed, clock.now() - start)
  let best: FileLookup | undefined
  /** Since then, every lookup showed that there is no such file. */
  let missingSince = 0
  const result = (more: Partial<PollResult> = {}): PollResult => ({
    best,
    absent: false,
    aborted: false,
    milliseconds: clock.now() - start,
    ...more,
  })
  if (api.lacks('files:read')) {
    best = { kind: 'not possible', reason: text`${'missing_scope'}`, lacksScope: true }
    return result()
  }
  for (let number = 1; ; number += 1) {
    const delay = delays[number - 1] ?? delays.at(-1) ?? 0
    if (delay > 0) await clock.sleep(delay, signal).catch(() => undefined)
    if (signal.aborted) return result({ aborted: true })
    delayed += delay
    const sentAt = passed()
    const lookup = await lookUp(api, fileId, 2 * window - sentAt)
    if (strength[lookup.kind] >= strength[best?.kind ?? 'no result']) best = lookup
    if (lookup.kind !== 'missing') missingSince = passed()
    if (lookup.kind === 'not possible' || enough(lookup, number)) return result()
    const absent = best?.kind !== 'found' && sentAt - missingSince >= window
    if (absent || passed() >= 2 * window) return result({ absent })
    if (untilAbsent && best?.kind !== 'found') continue
    if (number >= delays.length || (strength[lookup.kind] > 0 && passed() >= window)) return result()
  }
}
