import type { Budget } from '../time.ts'
import { isPassing, type Json } from './answers.ts'
import { objectIn, type WebApi } from './web-api.ts'

/** What one look at a file came to. */
export type Look =
  | { readonly kind: 'seen'; readonly record: Json }
  /** The service says that there is no such file. */
  | { readonly kind: 'missing' }
  /** The token may not look, or this server offers no look: looking again is of no use. */
  | { readonly kind: 'cannot-tell'; readonly why: string }
  /** No verdict this time. */
  | { readonly kind: 'nothing'; readonly why: string }

const telling = { nothing: 0, 'cannot-tell': 0, missing: 1, seen: 2 } as const

/** https://docs.slack.dev/reference/methods/files.info, scope files:read */
async function lookOnce(api: WebApi, fileId: string, patience: number): Promise<Look> {
  const reply = await api.call('files.info', { file: fileId }, { harmless: true, attempts: 1, patience })
  if (reply.kind === 'ok') {
    const record = objectIn(reply.json, 'file')
    return record ? { kind: 'seen', record } : { kind: 'cannot-tell', why: 'files.info answered without a file' }
  }
  const { code } = reply.failure
  if (code === 'file_not_found') return { kind: 'missing' }
  return { kind: isPassing(reply.failure) ? 'nothing' : 'cannot-tell', why: code }
}

/** What looking at a file again and again came to. */
export interface Looks {
  /** What tells most of them, and of those the last: a file that was seen once is there. */
  readonly best: Look | undefined
  /** No look saw the file, and the last one, when the looking was over, said that there is none. */
  readonly absent: boolean
  /** The run had to end before the looking was over. */
  readonly interrupted: boolean
  /** How long it took. */
  readonly milliseconds: number
}

/**
 * Looks at a file again and again: before each look it waits (milliseconds). It ends when a look was `enough`, when
 * looking is of no use, or when the run has to end. Looks that an outage or a rate limit makes slow may take twice the time.
 */
export async function lookUntil(
  api: WebApi,
  budget: Budget,
  fileId: string,
  waits: readonly number[],
  enough: (look: Look, lookNumber: number) => boolean,
): Promise<Looks> {
  const { clock } = budget
  const begin = clock.now()
  const window = waits.reduce((sum, wait) => sum + wait, 0)
  const left = (milliseconds: number) => begin + milliseconds - clock.now()
  let best: Look | undefined
  let last: Look | undefined
  const looks = (interrupted = false): Looks => ({
    best,
    absent: !interrupted && last?.kind === 'missing' && best?.kind === 'missing',
    interrupted,
    milliseconds: clock.now() - begin,
  })
  if (api.lacks('files:read')) {
    best = { kind: 'cannot-tell', why: 'missing_scope' }
    return looks()
  }
  for (const [index, wait] of waits.entries()) {
    if (wait > 0) await budget.sleep(wait).catch(() => undefined)
    if (budget.stopping.aborted) return looks(true)
    const look = await lookOnce(api, fileId, left(2 * window))
    last = look
    if (telling[look.kind] >= telling[best?.kind ?? 'nothing']) best = look
    if (look.kind === 'cannot-tell' || enough(look, index + 1)) break
    if (left(telling[look.kind] > 0 ? window : 2 * window) <= 0) break
  }
  return looks()
}
