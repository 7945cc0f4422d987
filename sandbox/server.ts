/** The workspace over HTTP on loopback. Unless a port is given, uploads have their own origin. */
import { EventEmitter, once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Bytes, isMultipart, type ReadBody, readForm, type Stored, store } from './body.ts'
import type { Message } from './entities.ts'
import { type Exchange, exchange } from './exchange.ts'
import { Faults, type Plan, usual } from './faults.ts'
import { Line } from './line.ts'
import { pathOf, Recorder } from './recorder.ts'
import { type RecordedRequest, redact } from './requests.ts'
import { notFound, responseOf } from './responses.ts'
import { methods, needs } from './settings.ts'
import type { ServiceResponse, Workspace } from './workspace.ts'

export interface Tls {
  /** PEM. */
  readonly key: string
  readonly cert: string
}

export interface SandboxEvents {
  /** It appeared. */
  message: [message: Message]
  /** It ended, with or without a response. */
  request: [request: RecordedRequest]
}

/** For the page and tests. */
export interface SandboxState {
  readonly workspace: Workspace
  readonly requests: readonly RecordedRequest[]
  readonly events: EventEmitter<SandboxEvents>
}

/** By method and path. `*` at the end stands for any text; the first match applies. */
export type Routes = Map<string, (request: IncomingMessage, response: ServerResponse) => unknown>

export interface ServerOptions {
  readonly workspace: Workspace
  /** Where files are kept. */
  readonly folder: string
  /** Shared by the bodies of all requests. */
  readonly bitsPerSecond: number
  /** Also for uploads. 0: a free one, and another one for uploads. */
  readonly port: number
  readonly tls: Tls | undefined
  /** Adds routes that are not recorded, before the server listens. */
  readonly page: ((routes: Routes, state: SandboxState) => void) | undefined
}

export interface Server extends SandboxState {
  /** Without a slash at the end. */
  readonly origin: string
  readonly uploadOrigin: string
  readonly faults: Faults
  stop(): Promise<void>
}

const uploadPath = '/upload/v1/'

export async function serve(options: ServerOptions): Promise<Server> {
  const { workspace, port, tls } = options
  const faults = new Faults(
    (target) => `${target === 'upload-bytes' ? origin : uploadOrigin}/elsewhere`,
  )
  const requests = new Requests(options, faults)
  const state = { workspace, requests: requests.recorded, events: requests.events }
  workspace.onMessage = (message) => {
    requests.events.emit('message', message)
  }

  const routes: Routes = new Map()
  routes.set('GET /api/*', (request, response) => requests.callMethod(request, response))
  routes.set('POST /api/*', (request, response) => requests.callMethod(request, response))
  options.page?.(routes, state)
  const uploadRoutes: Routes = port === 0 ? new Map() : routes
  uploadRoutes.set(`POST ${uploadPath}*`, (request, response) =>
    requests.takeBytes(request, response),
  )
  uploadRoutes.set('*', (request, response) => requests.refuse(request, response, 'upload'))
  routes.set('*', (request, response) => requests.refuse(request, response, 'api'))

  const api = await listen(routes, port, tls)
  const uploads = uploadRoutes === routes ? api : await listen(uploadRoutes, 0, tls)
  const { origin } = api
  const { origin: uploadOrigin } = uploads
  workspace.set({ url: `${origin}/`, uploadUrl: `${uploadOrigin}${uploadPath}` })
  const appearing = setInterval(() => workspace.announce(), 50).unref()
  const stop = async () => {
    clearInterval(appearing)
    requests.stop()
    await Promise.all([api.close(), uploads.close()])
  }
  return { ...state, origin, uploadOrigin, faults, stop }
}

interface Incoming
  extends Pick<Exchange, 'request' | 'response' | 'read' | 'act'>,
    Pick<RecordedRequest, 'origin'> {
  readonly plan?: Plan | undefined
}

/** Handles and records requests. */
class Requests {
  readonly events = new EventEmitter<SandboxEvents>()
  readonly #workspace: Workspace
  readonly #folder: string
  readonly #faults: Faults
  readonly #line: Line
  readonly #recorder: Recorder
  readonly #controller = new AbortController()

  constructor({ workspace, folder, bitsPerSecond }: ServerOptions, faults: Faults) {
    this.#workspace = workspace
    this.#folder = folder
    this.#faults = faults
    this.#line = new Line(bitsPerSecond)
    this.#recorder = new Recorder(() => workspace.settings.tokens)
  }

  get recorded(): readonly RecordedRequest[] {
    return this.#recorder.requests
  }

  async callMethod(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = pathOf(request).slice('/api/'.length)
    const known = methods.find((name) => name === method)
    if (request.method === 'GET' && !(known && needs[known].get))
      return this.refuse(request, response, 'api')
    const query = [...new URLSearchParams(request.url?.split('?')[1])]
    await this.#handle({
      request,
      response,
      origin: 'api',
      plan: known && this.#faults.next(known),
      read: async (bytes) => {
        const body = await this.#readForm(request, bytes)
        return { ...body, fields: [...query, ...body.fields] }
      },
      act: ({ fields, json, file }) => {
        // Slack takes no token from the query for apps created since 2021.
        const token =
          bearer(request) ?? fields.slice(query.length).find(([name]) => name === 'token')?.[1]
        const part = file?.field === 'file' ? { ...file, name: file.name ?? '' } : undefined
        const form = Object.fromEntries(fields)
        return this.#workspace.call(method, { token, form, json, ...(part && { file: part }) })
      },
    })
  }

  takeBytes(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const ticket = pathOf(request).slice(uploadPath.length)
    const { 'content-length': announced, 'content-type': contentType } = request.headers
    const begin = performance.now()
    return this.#handle({
      request,
      response,
      origin: 'upload',
      plan: this.#faults.next('upload-bytes'),
      read: async (bytes) => {
        if (contentType !== undefined && isMultipart(contentType))
          return this.#readForm(request, bytes)
        const noPart = { field: undefined, disposition: undefined, name: undefined, contentType }
        return {
          fields: [],
          json: false,
          file: { ...(await store(bytes, this.#folder)), ...noPart },
        }
      },
      act: ({ file: left }, { file: sent }) => {
        if (sent === undefined) return responseOf(400, { text: 'No file in the form' })
        // slack-go sends each form in chunks.
        if (announced === undefined && sent.field === undefined)
          return responseOf(411, { text: 'Length required' })
        return this.#workspace.receive(ticket, sent, left, performance.now() - begin)
      },
    })
  }

  /** For unknown paths. */
  refuse(
    request: IncomingMessage,
    response: ServerResponse,
    origin: RecordedRequest['origin'],
  ): Promise<void> {
    return this.#handle({
      request,
      response,
      origin,
      read: (bytes) => readForm('', bytes, this.#folder),
      act: () => notFound,
    })
  }

  /** Ends all waits. */
  stop(): void {
    this.#controller.abort()
  }

  #readForm(request: IncomingMessage, bytes: Bytes): Promise<ReadBody> {
    return readForm(request.headers['content-type'] ?? '', bytes, this.#folder)
  }

  async #handle({ origin, plan = usual, ...incoming }: Incoming): Promise<void> {
    const recorded = this.#recorder.begin(incoming.request, origin, plan)
    const read = async (bytes: Bytes) => {
      const body = await incoming.read(bytes)
      this.#recorder.noteToken(recorded, body)
      return body
    }
    const retain = async ({ stored }: Stored) => {
      if (!this.#workspace.holds(stored)) await rm(stored, { force: true })
    }
    const carriesOut = (denial: ServiceResponse) => this.#workspace.carriesOut(denial)
    const { signal } = this.#controller
    await exchange({
      ...incoming,
      read,
      recorded,
      plan,
      line: this.#line,
      carriesOut,
      retain,
      signal,
    })
    redact(recorded)
    this.events.emit('request', recorded)
  }
}

async function listen(routes: Routes, port: number, tls: Tls | undefined) {
  const scheme = tls ? 'https' : 'http'
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      const refusal = refusalOf(request, scheme)
      if (refusal) response.writeHead(403, { 'content-type': 'text/plain' }).end(refusal)
      else await routeOf(routes, request)?.(request, response)
    } catch (error) {
      if (response.headersSent) response.destroy()
      else response.writeHead(error instanceof URIError ? 400 : 500).end(String(error))
    }
  }
  // Clients may pause between requests, and a slow upload may take any time.
  const patience = { keepAliveTimeout: 72_000, requestTimeout: 0 }
  const server = tls
    ? createTlsServer({ ...tls, ...patience }, handle)
    : createServer(patience, handle)
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address = server.address() as AddressInfo
  const close = async () => {
    const closed = once(server, 'close')
    // A fault can leave sockets open.
    server.close().closeAllConnections()
    await closed
  }
  return { origin: `${scheme}://127.0.0.1:${address.port}`, close }
}

/** A web page whose name points to this machine sends that name; one that posts here, its origin. */
function refusalOf({ headers }: IncomingMessage, scheme: string): string | undefined {
  const { host = '', origin = `${scheme}://${host}` } = headers
  const hostname = URL.parse(`http://${host}`)?.hostname ?? ''
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) return 'Loopback only\n'
  return origin === `${scheme}://${host}` ? undefined : 'No requests of other pages\n'
}

function routeOf(routes: Routes, request: IncomingMessage) {
  const wanted = `${request.method} ${pathOf(request)}`
  const matches = (route: string) =>
    route.endsWith('*') ? wanted.startsWith(route.slice(0, -1)) : wanted === route
  return [...routes].find(([route]) => matches(route))?.[1]
}

const bearer = ({ headers: { authorization } }: IncomingMessage): string | undefined =>
  authorization?.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : undefined
