/** The workspace over HTTP, on loopback: one origin for the Web API, another one for the bytes of uploads. */
import { EventEmitter } from 'node:events'
import { rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { fastify } from 'fastify'
import { readForm, type Stored, store } from './body.ts'
import { type Exchange, exchange } from './exchange.ts'
import { Faults, type Plan, usual } from './faults.ts'
import { isJsonObject, type Json, type JsonObject } from './json.ts'
import { type RecordedRequest, redact } from './requests.ts'
import { type Message, methods, notFound, type ServiceResponse, type Workspace } from './workspace.ts'

export interface Tls {
  /** PEM. */
  readonly key: string
  readonly cert: string
}

export interface SandboxEvents {
  /** A message appeared in a conversation. */
  message: [message: Message]
  /** A request is finished, with or without a response. */
  request: [request: RecordedRequest]
}

/** What is there to look at, for a page as well as for tests. */
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
  /** More than this is not kept on disk; a file of any size can be sent. */
  readonly maxStoredBytes: number
  /** Without: a free one. */
  readonly port: number
  /** What the paths of the Web API begin with, such as `/chat/v1`. */
  readonly basePath: string
  readonly tls: Tls | undefined
  /** Adds routes, before the server listens. Their requests are not recorded. */
  readonly page: ((app: App, state: SandboxState) => void | Promise<void>) | undefined
}

export interface Server extends SandboxState {
  /** Without a slash at the end. */
  readonly origin: string
  readonly uploadOrigin: string
  readonly faults: Faults
  /** Shows the requests that follow as a run of their own. Without it, a pause or another client begins one. */
  startRun(): void
  stop(): Promise<void>
}

const uploadPath = '/upload/v1/'

/** Milliseconds: longer than the waits between the requests of one run usually are. */
const pauseBetweenRuns = 15_000

export async function serve(options: ServerOptions): Promise<Server> {
  const { workspace, folder, basePath } = options
  const events = new EventEmitter<SandboxEvents>()
  const requests: RecordedRequest[] = []
  const stopping = new AbortController()
  const { signal } = stopping
  const state = { workspace, requests, events }
  const faults = new Faults((target) => `${target === 'upload-bytes' ? origin : uploadOrigin}/elsewhere`)

  workspace.onMessage = (message) => {
    events.emit('message', message)
  }

  let run = 1
  const startRun = () => {
    if (requests.at(-1)?.run === run) run += 1
  }

  const record = (
    request: IncomingMessage,
    origin: RecordedRequest['origin'],
    { fault }: Plan = usual,
  ): RecordedRequest => {
    const time = Date.now()
    const headers = request.rawHeaders.flatMap((name, index, all) =>
      index % 2 === 0 ? [[name, all[index + 1] ?? ''] as const] : [],
    )
    const previous = requests.at(-1)
    const client = (list: RecordedRequest['headers']) => list.find(([name]) => name.toLowerCase() === 'user-agent')?.[1]
    if (previous && (time - previous.time > pauseBetweenRuns || client(headers) !== client(previous.headers)))
      startRun()
    // Wherever a token is sent, in another header or in the URL, it is noticed.
    const head = [request.url, ...request.rawHeaders].join('\n')
    const right = [...workspace.settings.tokens].some(([token, { error }]) => !error && head.includes(token))
    const recorded: RecordedRequest = {
      run,
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
    requests.push(recorded)
    return recorded
  }

  /** Files in the order they came. The oldest go when there is no room; the workspace still knows their checksums. */
  const kept: Stored[] = []
  const settle = async (file: Stored) => {
    const remove = ({ stored }: Stored) => rm(stored, { force: true })
    if (!workspace.holds(file.stored)) return remove(file)
    kept.push(file)
    while (kept.reduce((bytes, { length }) => bytes + length, 0) > options.maxStoredBytes) {
      for (const oldest of kept.splice(0, 1)) await remove(oldest)
    }
  }

  const handle = async (
    request: IncomingMessage,
    response: ServerResponse,
    recorded: RecordedRequest,
    plan: Plan,
    { read, act }: Pick<Exchange, 'read' | 'act'>,
  ): Promise<void> => {
    await exchange({ request, response, recorded, plan, read, act, settle, signal })
    redact(recorded, workspace.settings.tokens.keys())
    events.emit('request', recorded)
  }

  const callMethod = async (request: IncomingMessage, response: ServerResponse) => {
    const method = pathOf(request).slice(`${basePath}/api/`.length)
    const known = methods.find((name) => name === method)
    const plan = known === undefined ? usual : faults.next(known)
    const authorization = request.headers.authorization
    const contentType = request.headers['content-type'] ?? ''
    await handle(request, response, record(request, 'api', plan), plan, {
      read: (bytes) => readForm(contentType, bytes, folder),
      act: ({ fields, json, file }) => {
        const token = authorization?.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : undefined
        const part = file?.field === 'file' ? { ...file, name: file.name ?? '' } : undefined
        return workspace.call(method, {
          token,
          form: Object.fromEntries(fields),
          json,
          ...(part && { file: part }),
        })
      },
    })
  }

  const takeBytes = async (request: IncomingMessage, response: ServerResponse) => {
    const ticket = pathOf(request).slice(uploadPath.length)
    const contentType = request.headers['content-type']
    const plan = faults.next('upload-bytes')
    await handle(request, response, record(request, 'upload', plan), plan, {
      read: async (bytes) => {
        const named = { field: undefined, disposition: undefined, name: undefined, contentType }
        return { fields: [], json: false, file: { ...(await store(bytes, folder)), ...named } }
      },
      act: ({ file: left }, { file: sent }) => {
        if (request.headers['content-length'] === undefined) return lengthRequired
        return sent ? workspace.receive(ticket, sent, left) : notFound
      },
    })
  }

  const webhook = async (request: IncomingMessage, response: ServerResponse) => {
    const contentType = request.headers['content-type'] ?? ''
    await handle(request, response, record(request, 'api'), usual, {
      read: (bytes) => readForm(contentType, bytes, folder),
      act: ({ fields, file }) => {
        const form = Object.fromEntries(fields)
        const payload = file === undefined ? (jsonObject(form['payload'] ?? '') ?? form) : undefined
        return workspace.webhook(pathOf(request).slice(basePath.length), payload)
      },
    })
  }

  const absent = (origin: RecordedRequest['origin']) => async (request: IncomingMessage, response: ServerResponse) => {
    await handle(request, response, record(request, origin), usual, {
      read: (bytes) => readForm('', bytes, folder),
      act: () => notFound,
    })
  }

  const api = newApp(options.tls)
  api.post(`${basePath}/api/*`, (request, reply) => callMethod(request.raw, reply.hijack().raw))
  api.post(`${basePath}/services/*`, (request, reply) => webhook(request.raw, reply.hijack().raw))
  api.setNotFoundHandler((request, reply) => absent('api')(request.raw, reply.hijack().raw))
  await options.page?.(api, state)
  const uploads = newApp(options.tls)
  uploads.post(`${uploadPath}*`, (request, reply) => takeBytes(request.raw, reply.hijack().raw))
  uploads.setNotFoundHandler((request, reply) => absent('upload')(request.raw, reply.hijack().raw))

  const origin = await api.listen({ host: '127.0.0.1', port: options.port })
  const uploadOrigin = await uploads.listen({ host: '127.0.0.1', port: 0 })
  workspace.set({ url: `${origin}${basePath}/`, uploadUrl: `${uploadOrigin}${uploadPath}` })
  const appearing = setInterval(() => workspace.appear(), 50).unref()

  return {
    ...state,
    origin,
    uploadOrigin,
    faults,
    startRun,
    async stop() {
      clearInterval(appearing)
      stopping.abort()
      await Promise.all([api.close(), uploads.close()])
    },
  }
}

const lengthRequired: ServiceResponse = {
  status: 411,
  headers: { 'content-type': 'text/plain' },
  text: 'Length required',
}

function newApp(tls: Tls | undefined) {
  const app = fastify({
    https: tls ?? null,
    // Sockets that a fault left hanging would keep it open.
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 10_000 },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  // A page on the web that had its name point to this machine sends its own name; one that posts here sends its origin.
  app.addHook('onRequest', async (request, reply) => {
    const { host = '', origin = `${request.protocol}://${host}` } = request.headers
    const { hostname } = new URL(`http://${host}`)
    if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) return reply.code(403).send('Loopback only\n')
    if (origin !== `${request.protocol}://${host}`) return reply.code(403).send('No requests of other pages\n')
  })
  return app
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?')[0] ?? ''

function jsonObject(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
