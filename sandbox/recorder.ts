import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { ReadBody } from './body.ts'
import type { Token } from './entities.ts'
import { type Plan, usual } from './faults.ts'
import type { RecordedRequest } from './requests.ts'

/** Records requests, grouped by run. */
export class Recorder {
  readonly requests: RecordedRequest[] = []
  readonly #tokens: () => ReadonlyMap<string, Token>
  readonly #connections = new Set<Socket>()
  #run = 1

  constructor(tokens: () => ReadonlyMap<string, Token>) {
    this.#tokens = tokens
  }

  begin(
    request: IncomingMessage,
    origin: RecordedRequest['origin'],
    { fault }: Plan = usual,
  ): RecordedRequest {
    const headers = request.rawHeaders.flatMap((name, index, all) =>
      index % 2 === 0 ? [[name, all[index + 1] ?? ''] as const] : [],
    )
    if (this.#beginsRun(request)) this.#run += 1
    const { socket } = request
    if (!this.#connections.has(socket)) socket.once('close', () => this.#connections.delete(socket))
    this.#connections.add(socket)
    const hasToken = this.#hasToken([request.url, ...request.rawHeaders].join('\n'))
    const recorded: RecordedRequest = {
      run: this.#run,
      time: Date.now(),
      origin,
      method: request.method ?? '',
      path: pathOf(request),
      headers,
      contentType: request.headers['content-type'],
      token: hasToken ? 'right' : request.headers.authorization === undefined ? 'none' : 'wrong',
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

  noteToken(recorded: RecordedRequest, { fields }: ReadBody): void {
    if (fields.some(([, value]) => this.#hasToken(value))) recorded.token = 'right'
    else if (recorded.token === 'none' && fields.some(([name]) => name === 'token'))
      recorded.token = 'wrong'
  }

  /** A run ends with all its connections, unless a fault or the client closed them. */
  #beginsRun(request: IncomingMessage): boolean {
    const previous = this.requests.at(-1)
    if (previous === undefined) return false
    const header = (wanted: string) =>
      previous.headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
    if (header('user-agent') !== request.headers['user-agent']) return true
    const isNext = Date.now() < previous.time + (previous.milliseconds ?? 0) + 1_000
    const path = pathOf(request)
    const isUpload = path.endsWith('/files.upload') && path === previous.path
    const isClosed =
      previous.fault !== undefined || ((header('connection') === 'close' || isUpload) && isNext)
    // After a pause, over a new connection.
    const goesOn = /upload\/|files\.(?:info|complete)|Permalink/.test(path)
    return this.#connections.size === 0 && !isClosed && !goesOn
  }

  /** Finds a valid token in any header, the URL or the form. */
  #hasToken(text: string): boolean {
    return [...this.#tokens()].some(([token, { error }]) => !error && text.includes(token))
  }
}

export const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?')[0] ?? ''
