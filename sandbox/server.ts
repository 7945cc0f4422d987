/** The workspace over HTTP on loopback. Unless a port is given, uploads have their own origin. */
import { EventEmitter } from 'node:events'
import { rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { fastify } from 'fastify'
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

export type App = Awaited<ReturnType<typeof newApp>>

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
  readonly page: ((app: App, state: SandboxState) => void | Promise<void>) | undefined
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

  const api = newApp(tls)
  routeApi(api, requests)
  await options.page?.(api, state)
  const uploads = port === 0 ? newApp(tls) : api
  uploads.post(`${uploadPath}*`, (request, reply) =>
    requests.takeBytes(request.raw, reply.hijack().raw),
  )
  if (uploads !== api) routeAbsent(uploads, 'upload', requests)

  const origin = await api.listen({ host: '127.0.0.1', port })
  const uploadOrigin =
    uploads === api ? origin : await uploads.listen({ host: '127.0.0.1', port: 0 })
  workspace.set({ url: `${origin}/`, uploadUrl: `${uploadOrigin}${uploadPath}` })
  const appearing = setInterval(() => workspace.announce(), 50).unref()
  const stop = async () => {
    clearInterval(appearing)
    requests.stop()
    await Promise.all([api.close(), uploads.close()])
  }
  return { ...state, origin, uploadOrigin, faults, stop }
}

function routeApi(app: App, requests: Requests): void {
  app.route({
    method: ['GET', 'POST'],
    url: '/api/*',
    exposeHeadRoute: false,
    handler: (request, reply) => requests.callMethod(request.raw, reply.hijack().raw),
  })
  routeAbsent(app, 'api', requests)
}

function routeAbsent(app: App, origin: RecordedRequest['origin'], requests: Requests): void {
  app.setNotFoundHandler((request, reply) =>
    requests.refuse(request.raw, reply.hijack().raw, origin),
  )
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

function newApp(tls: Tls | undefined) {
  const app = fastify({
    https: tls ?? null,
    // A fault can leave sockets open.
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 10_000 },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  // A web page whose name points to this machine sends that name; one that posts here, its origin.
  app.addHook('onRequest', async (request, reply) => {
    const { host = '', origin = `${request.protocol}://${host}` } = request.headers
    const { hostname } = new URL(`http://${host}`)
    if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
      return reply.code(403).send('Loopback only\n')
    if (origin !== `${request.protocol}://${host}`)
      return reply.code(403).send('No requests of other pages\n')
  })
  return app
}

const bearer = ({ headers: { authorization } }: IncomingMessage): string | undefined =>
  authorization?.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : undefined
