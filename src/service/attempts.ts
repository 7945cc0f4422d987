import type { Budget } from '../time.ts'
import { type Call, type Failure, type Reply, readNoAnswer, type Verdict } from './answers.ts'
import { isPermanent } from './error-codes.ts'
import { said } from './errors.ts'
import { type HttpAnswer, NoAnswerError } from './http.ts'
import type { ServiceEvent } from './service.ts'

export interface CallOptions {
  /** Nothing becomes visible by it: it may be repeated although it is not known what became of it. */
  readonly harmless: boolean
  /** Default 5. Waits for a rate limit are no attempts. */
  readonly attempts?: number
  /** Milliseconds: a call that has to wait longer than that is given up. Default: what is left of the run. */
  readonly patience?: number
  /** Gives the call up, in addition to the budget. */
  readonly signal?: AbortSignal
}

const defaultAttempts = 5
const firstBackoff = 1_000
const longestBackoff = 30_000
/** A shorter wait is not told, nor one that becomes longer by less. */
const worthTelling = 1_000

/** The one loop of attempts for all calls, inside the run's budget. */
export class Attempts {
  readonly #budget: Budget
  readonly #tell: (event: ServiceEvent) => void
  /** Per method: nobody calls it before `until`, on the word of an answer that came at `since`. Times of the clock. */
  readonly #pauses = new Map<string, { readonly since: number; readonly until: number }>()
  /** Per method: the end of the wait that was last told. */
  readonly #told = new Map<string, number>()

  constructor(budget: Budget, tell: (event: ServiceEvent) => void) {
    this.#budget = budget
    this.#tell = tell
  }

  /**
   * @param attempt sends the request, made anew each time, and gives the answer; what it throws besides `NoAnswerError`
   *   is no matter of the network and is thrown on
   * @param read what the answer means
   */
  async run(
    call: Call,
    attempt: (signal: AbortSignal) => Promise<HttpAnswer>,
    read: (answer: HttpAnswer, call: Call) => Verdict,
    options: CallOptions,
  ): Promise<Reply> {
    const { clock, ended, stopping } = this.#budget
    const begun = options.signal ? AbortSignal.any([options.signal, ended]) : ended
    const waiting = options.signal ? AbortSignal.any([options.signal, stopping]) : stopping
    let failures = 0
    let limits = 0
    for (;;) {
      await this.#untilAllowed(call.method, waiting)
      if (waiting.aborted) return { kind: 'refused', failure: { ...call, code: 'INTERRUPTED' } }

      const sentAt = clock.now()
      const verdict = await this.#once(call, () => attempt(begun), read)
      if (verdict.kind === 'refused' || verdict.kind === 'not-offered') {
        return limits > 0 ? { ...verdict, afterRateLimit: true } : verdict
      }
      if (verdict.kind === 'ok' || (verdict.kind === 'ambiguous' && !options.harmless)) return verdict

      const { failure } = verdict
      const limited = verdict.kind === 'again' && verdict.limited
      if (limited) limits += 1
      else failures += 1
      const kind = verdict.kind === 'ambiguous' ? 'ambiguous' : 'refused'
      if (failures >= (options.attempts ?? defaultAttempts) || isPermanent(failure)) return { kind, failure }
      const asked = verdict.kind === 'again' ? verdict.wait : undefined
      // Asked to wait for no time at all, it would be called as fast as it answers.
      const wait = asked || backoff(limited ? limits : failures)
      if (wait >= Math.min(options.patience ?? Number.POSITIVE_INFINITY, this.#budget.remaining())) {
        const tooLong = asked !== undefined && !stopping.aborted
        return { kind, failure: tooLong ? { ...failure, askedToWait: asked } : failure }
      }
      if (limited) this.#pause(call.method, wait, sentAt, asked !== undefined, failure)
      else await this.#wait(wait, failure, waiting)
    }
  }

  async #once(
    call: Call,
    attempt: () => Promise<HttpAnswer>,
    read: (answer: HttpAnswer, call: Call) => Verdict,
  ): Promise<Verdict> {
    const { clock } = this.#budget
    const begin = clock.now()
    const answer = await attempt().catch((error: unknown) => {
      if (error instanceof NoAnswerError) return error
      throw error
    })
    const verdict = answer instanceof NoAnswerError ? readNoAnswer(answer, call) : read(answer, call)
    const requestId = answer instanceof NoAnswerError ? undefined : answer.headers['x-slack-req-id']
    this.#tell({
      kind: 'call',
      method: call.method,
      outcome: verdict.kind === 'ok' ? 'ok' : verdict.failure.code,
      milliseconds: clock.now() - begin,
      ...(answer instanceof NoAnswerError ? {} : { status: answer.status }),
      ...(requestId === undefined ? {} : { requestId }),
    })
    return verdict
  }

  /** A pause holds for every call of the method, also for those that others make beside this one. */
  #pause(method: string, wait: number, sentAt: number, asked: boolean, failure: Failure): void {
    const now = this.#budget.clock.now()
    const pause = this.#pauses.get(method)
    // Refused with those that began the pause: by itself it says nothing new.
    if (!asked && pause !== undefined && pause.since >= sentAt) return
    this.#pauses.set(method, { since: now, until: Math.max(pause?.until ?? now, now + wait) })
    this.#tellWait(wait, failure)
  }

  async #untilAllowed(method: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const wait = (this.#pauses.get(method)?.until ?? 0) - this.#budget.clock.now()
      if (wait <= 0 || signal.aborted) return
      await this.#budget.clock.sleep(wait, signal).catch(() => undefined)
    }
  }

  async #wait(milliseconds: number, failure: Failure, signal: AbortSignal): Promise<void> {
    this.#tellWait(milliseconds, failure)
    await this.#budget.clock.sleep(milliseconds, signal).catch(() => undefined)
  }

  /** Once for all that wait for the same: many calls go side by side. */
  #tellWait(milliseconds: number, failure: Failure): void {
    const now = this.#budget.clock.now()
    const ends = now + milliseconds
    if (ends < Math.max(now, this.#told.get(failure.method) ?? now) + worthTelling) return
    this.#told.set(failure.method, ends)
    this.#tell({ kind: 'waiting', milliseconds, why: said(failure) })
  }
}

/** Full jitter: those who failed together do not come back together. */
function backoff(failures: number): number {
  return Math.random() * Math.min(longestBackoff, firstBackoff * 2 ** (failures - 1))
}
