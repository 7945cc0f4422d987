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

/** https://docs.slack.dev/reference/methods/files.info, scope files:read */
async function lookOnce(api: WebApi, fileId: string): Promise<Look> {
  const reply = await api.call('files.info', { file: fileId }, { harmless: true, attempts: 1 })
  if (reply.kind === 'ok') {
    const record = objectIn(reply.json, 'file')
    return record ? { kind: 'seen', record } : { kind: 'cannot-tell', why: 'files.info answered without a file' }
  }
  const { code } = reply.failure
  if (code === 'file_not_found') return { kind: 'missing' }
  return { kind: isPassing(reply.failure) ? 'nothing' : 'cannot-tell', why: code }
}

/**
 * Looks at a file again and again: before each look it waits (milliseconds), and it ends when that was `enough`, when
 * looking is of no use, or when the run has to end.
 */
export async function lookUntil(
  api: WebApi,
  budget: Budget,
  fileId: string,
  waits: readonly number[],
  enough: (last: Look, looks: readonly Look[]) => boolean,
): Promise<{ readonly looks: readonly Look[]; readonly interrupted: boolean }> {
  if (api.lacks('files:read')) return { looks: [{ kind: 'cannot-tell', why: 'missing_scope' }], interrupted: false }
  const looks: Look[] = []
  for (const wait of waits) {
    if (wait > 0) await budget.sleep(wait).catch(() => undefined)
    if (budget.stopping.aborted) return { looks, interrupted: true }
    const look = await lookOnce(api, fileId)
    looks.push(look)
    if (look.kind === 'cannot-tell' || enough(look, looks)) break
  }
  return { looks, interrupted: false }
}
