import type { IncomingMessage } from 'node:http'
import type { ReadBody } from './body.ts'
import type { Token } from './entities.ts'
import { type Plan, usual } from './faults.ts'
import { type RecordedRequest, redact } from './requests.ts'

/** Milliseconds: longer than the waits between the requests of one run usually are. */
const pauseBetweenRuns = 15_000

/** Records the requests of one sandbox, grouped by run. */
export class Recorder {
  readonly requests: RecordedRequest[] = []
  readonly #tokens: () => ReadonlyMap<string, Token>
  #run = 1

  constructor(tokens: () => ReadonlyMap<string, Token>) {
    this.#tokens = tokens
  }

  startRun(): void {
    if (this.requests.at(-1)?.run === this.#run) this.#run += 1
  }

  begin(request: IncomingMessage, origin: RecordedRequest['origin'], { fault }: Plan = usual): RecordedRequest {
    const time = Date.now()
    const headers = request.rawHeaders.flatMap((name, index, all) =>
      index % 2 === 0 ? [[name, all[index + 1] ?? ''] as const] : [],
    )
    const previous = this.requests.at(-1)
    const client = (list: RecordedRequest['headers']) => list.find(([name]) => name.toLowerCase() === 'user-agent')?.[1]
    if (previous && (time - previous.time > pauseBetweenRuns || client(headers) !== client(previous.headers))) {
      this.startRun()
    }
    const right = this.#hasToken([request.url, ...request.rawHeaders].join('\n'))
    const recorded: RecordedRequest = {
      run: this.#run,
      time,
      origin,
      method: request.method ?? '',
      path: pathOf(request),
      headers,
      contentType: request.headers['content-type'],
      token: right ? 'right' : request.headers.authorization === undefined ? 'none' : 'wrong',
      fields: [],
      file: undefined,
      bytes: 0,
      status: undefined,
      error: undefined,
      responseBody: undefined,
      fault,
      milliseconds: undefined,
    }
    this.requests.push(recorded)
    return recorded
  }

  /** Records the token of a form. */
  noteToken(recorded: RecordedRequest, { fields }: ReadBody): void {
    if (fields.some(([, value]) => this.#hasToken(value))) recorded.token = 'right'
    else if (recorded.token === 'none' && fields.some(([name]) => name === 'token')) recorded.token = 'wrong'
  }

  finish(recorded: RecordedRequest): void {
    redact(recorded, this.#tokens().keys())
  }

  /** A valid token is noticed wherever it is sent: in any header, in the URL, in the form. */
  #hasToken(text: string): boolean {
    return [...this.#tokens()].some(([token, { error }]) => !error && text.includes(token))
  }
}

export const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?')[0] ?? ''
