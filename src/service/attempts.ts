import type { Budget } from '../time.ts'
import { type Call, type Failure, type Reply, readNoAnswer, type Verdict } from './answers.ts'
import { type HttpAnswer, NoAnswerError } from './http.ts'
import type { ServiceEvent } from './service.ts'

export interface CallOptions {
  /** Nothing becomes visible by it: it may be repeated although it is not known what became of it. */
  readonly harmless: boolean
  /** Default 5. Waits for a rate limit are no attempts. */
  readonly attempts?: number
  /** Gives the call up, in addition to the budget. */
  readonly signal?: AbortSignal
}

const defaultAttempts = 5
const firstBackoff = 1_000
const longestBackoff = 30_000

/** Codes of connections that fail in the same way however often they are tried. */
const lasting = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO|INTERRUPTED|PROXY_REFUSED|web_page)/

/** The one loop of attempts for all calls, inside the run's budget. */
export class Attempts {
  readonly #budget: Budget
  readonly #tell: (event: ServiceEvent) => void
  /** Per method: nobody calls it before this time of the clock. */
  readonly #pausedUntil = new Map<string, number>()

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
    const { ended, stopping } = this.#budget
    const begun = options.signal ? AbortSignal.any([options.signal, ended]) : ended
    const waiting = options.signal ? AbortSignal.any([options.signal, stopping]) : stopping
    let failures = 0
    for (let limits = 0; ; ) {
      await this.#untilAllowed(call.method, waiting)
      if (waiting.aborted) return { kind: 'refused', failure: { ...call, code: 'INTERRUPTED' } }

      const verdict = await this.#once(call, () => attempt(begun), read)
      if (verdict.kind !== 'again' && !(verdict.kind === 'unknown' && options.harmless)) return verdict

      const { failure } = verdict
      const limited = verdict.kind === 'again' && verdict.limited
      const asked = verdict.kind === 'again' ? verdict.wait : undefined
      if (limited) limits += 1
      else failures += 1
      const kind = verdict.kind === 'again' ? 'refused' : 'unknown'
      if (failures >= (options.attempts ?? defaultAttempts) || lasting.test(failure.code)) return { kind, failure }
      const wait = asked ?? backoff(limited ? limits : failures)
      if (wait >= this.#budget.remaining()) {
        return { kind, failure: asked === undefined ? failure : { ...failure, askedToWait: asked } }
      }
      if (limited) this.#pause(call.method, wait, failure)
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
  #pause(method: string, wait: number, failure: Failure): void {
    const now = this.#budget.clock.now()
    const until = this.#pausedUntil.get(method) ?? now
    this.#pausedUntil.set(method, Math.max(until, now + wait))
    if (until <= now) this.#tell({ kind: 'waiting', milliseconds: wait, why: whyWait(failure) })
  }

  async #untilAllowed(method: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const wait = (this.#pausedUntil.get(method) ?? 0) - this.#budget.clock.now()
      if (wait <= 0 || signal.aborted) return
      await this.#budget.clock.sleep(wait, signal).catch(() => undefined)
    }
  }

  async #wait(milliseconds: number, failure: Failure, signal: AbortSignal): Promise<void> {
    this.#tell({ kind: 'waiting', milliseconds, why: whyWait(failure) })
    await this.#budget.clock.sleep(milliseconds, signal).catch(() => undefined)
  }
}

/** Full jitter: those who failed together do not come back together. */
function backoff(failures: number): number {
  return Math.random() * Math.min(longestBackoff, firstBackoff * 2 ** (failures - 1))
}

function whyWait({ method, host, code }: Failure): string {
  return `${method} at ${host}: ${code}`
}
