import type { Budget } from '../time.ts'
import { isPassing, type Json } from './answers.ts'
import { objectIn, textIn, type WebApi } from './web-api.ts'

/** The result of one lookup of a file. */
export type FileLookup =
  /** `record` is the record of that very file. */
  | { readonly kind: 'found'; readonly record: Json }
  /** The service says that there is no such file. */
  | { readonly kind: 'missing' }
  /** The token may not look, or this server offers no lookup: another one is of no use. */
  | { readonly kind: 'cannot-tell'; readonly why: string }
  /** No result this time. */
  | { readonly kind: 'no-result'; readonly why: string }

const strength = { 'no-result': 0, 'cannot-tell': 0, missing: 1, found: 2 } as const

/** https://docs.slack.dev/reference/methods/files.info, scope files:read */
async function lookUp(api: WebApi, fileId: string, patience: number): Promise<FileLookup> {
  const reply = await api.call('files.info', { file: fileId }, { harmless: true, attempts: 1, patience })
  if (reply.kind === 'ok') {
    const record = objectIn(reply.json, 'file')
    if (record === undefined) return { kind: 'cannot-tell', why: 'files.info answered without a file' }
    if (textIn(record, 'id') === fileId) return { kind: 'found', record }
    return { kind: 'no-result', why: 'files.info answered with another file' }
  }
  const { code } = reply.failure
  if (code === 'file_not_found') return { kind: 'missing' }
  return { kind: isPassing(reply.failure) ? 'no-result' : 'cannot-tell', why: code }
}

/** The result of polling a file. */
export interface FileLookups {
  /** The lookup that says most, and of those the last: a file that was found once exists. */
  readonly best: FileLookup | undefined
  /** The service said for the whole time of the delays that there is no such file. */
  readonly absent: boolean
  /** The run had to end before the polling was over. */
  readonly interrupted: boolean
  /** How long it took. */
  readonly milliseconds: number
}

/**
 * Looks a file up again and again, with a delay before each lookup (milliseconds). It ends when a lookup was `enough`,
 * when another one is of no use, or when the run has to end. Lookups that an outage or a rate limit makes slow may take
 * twice the time.
 *
 * @param untilAbsent go on after the last delay, for twice the time at most, until the service has said for the whole time
 *   that there is no such file: time in which it said nothing does not count
 */
export async function pollFile(
  api: WebApi,
  budget: Budget,
  fileId: string,
  delays: readonly number[],
  enough: (lookup: FileLookup, lookupNumber: number) => boolean,
  { untilAbsent = false } = {},
): Promise<FileLookups> {
  const { clock } = budget
  const begin = clock.now()
  const window = delays.reduce((sum, delay) => sum + delay, 0)
  let delayed = 0
  const passed = () => Math.max(delayed, clock.now() - begin)
  let best: FileLookup | undefined
  /** When the service last said nothing, before it said anything. */
  let silentUntil = 0
  const result = (more: Partial<FileLookups> = {}): FileLookups => ({
    best,
    absent: false,
    interrupted: false,
    milliseconds: clock.now() - begin,
    ...more,
  })
  if (api.lacks('files:read')) {
    best = { kind: 'cannot-tell', why: 'missing_scope' }
    return result()
  }
  for (let number = 1; ; number += 1) {
    const delay = delays[number - 1] ?? delays.at(-1) ?? 0
    if (delay > 0) await budget.sleep(delay).catch(() => undefined)
    if (budget.stopping.aborted) return result({ interrupted: true })
    delayed += delay
    const sentAt = passed()
    const lookup = await lookUp(api, fileId, 2 * window - sentAt)
    if (strength[lookup.kind] >= strength[best?.kind ?? 'no-result']) best = lookup
    if (best?.kind === 'no-result') silentUntil = passed()
    if (lookup.kind === 'cannot-tell' || enough(lookup, number)) return result()
    const absent = lookup.kind === 'missing' && best?.kind === 'missing' && sentAt - silentUntil >= window
    if (absent || passed() >= 2 * window) return result({ absent })
    if (untilAbsent && best?.kind !== 'found') continue
    if (number >= delays.length || (strength[lookup.kind] > 0 && passed() >= window)) return result()
  }
}
