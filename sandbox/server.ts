/**
 * The workspace over HTTP, on loopback: one origin for the Web API, another one for the bytes of uploads, unless a port was
 * asked for.
 */
import { EventEmitter } from 'node:events'
import { rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { fastify } from 'fastify'
import { type Bytes, isMultipart, jsonFields, readForm, type Stored, store } from './body.ts'
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
  /** A message appeared in a conversation. */
  message: [message: Message]
  /** A request is finished, with or without a response. */
  request: [request: RecordedRequest]
}

/** The state that the page and tests read. */
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
  /** Shared by the bodies of all requests: a slow line between the client and the service. */
  readonly bitsPerSecond: number
  /** It then takes the bytes of uploads too. 0: a free one, and another one for them. */
  readonly port: number
  readonly tls: Tls | undefined
  /** Adds routes, before the server listens. Their requests are not recorded. */
  readonly page: ((app: App, state: SandboxState) => void | Promise<void>) | undefined
}

export interface Server extends SandboxState {
  /** Without a slash at the end. */
  readonly origin: string
  readonly uploadOrigin: string
  readonly faults: Faults
  stop(): Promise<void>
}

interface Incoming extends Pick<Exchange, 'request' | 'response'>, Pick<RecordedRequest, 'origin'> {
  readonly plan?: Plan
}

const uploadPath = '/upload/v1/'

export async function serve(options: ServerOptions): Promise<Server> {
  const { workspace, folder } = options
  const events = new EventEmitter<SandboxEvents>()
  const recorder = new Recorder(() => workspace.settings.tokens)
  const { requests } = recorder
  const controller = new AbortController()
  const { signal } = controller
  const state = { workspace, requests, events }
  const line = new Line(options.bitsPerSecond)
  const faults = new Faults((target) => `${target === 'upload-bytes' ? origin : uploadOrigin}/elsewhere`)

  workspace.onMessage = (message) => {
    events.emit('message', message)
  }

  const retain = async ({ stored }: Stored) => {
    if (!workspace.holds(stored)) await rm(stored, { force: true })
  }

  const handle = async (
    { request, response, origin, plan = usual }: Incoming,
    { read, act }: Pick<Exchange, 'read' | 'act'>,
  ): Promise<void> => {
    const recorded = recorder.begin(request, origin, plan)
    const noted = async (bytes: Bytes) => {
      const body = await read(bytes)
      recorder.noteToken(recorded, body)
      return body
    }
    const carriesOut = (denial: ServiceResponse) => workspace.carriesOut(denial)
    await exchange({ request, response, recorded, plan, line, read: noted, act, carriesOut, retain, signal })
    redact(recorded)
    events.emit('request', recorded)
  }

  const callMethod = async (request: IncomingMessage, response: ServerResponse) => {
    const method = pathOf(request).slice('/api/'.length)
    const known = methods.find((name) => name === method)
    if (request.method === 'GET' && !(known && needs[known].get)) return absent('api')(request, response)
    const plan = known === undefined ? usual : faults.next(known)
    const query = [...new URLSearchParams(request.url?.split('?')[1])]
    await handle(
      { request, response, origin: 'api', plan },
      {
        read: async (bytes) => {
          const body = await readForm(request.headers['content-type'] ?? '', bytes, folder)
          return { ...body, fields: [...query, ...body.fields] }
        },
        act: ({ fields, json, file }) => {
          // Slack takes no token from the query, of an app created since 2021.
          const token = bearer(request) ?? fields.slice(query.length).find(([name]) => name === 'token')?.[1]
          const part = file?.field === 'file' ? { ...file, name: file.name ?? '' } : undefined
          return workspace.call(method, { token, form: Object.fromEntries(fields), json, ...(part && { file: part }) })
        },
      },
    )
  }

  const callWebhook = (request: IncomingMessage, response: ServerResponse) =>
    handle(
      { request, response, origin: 'api' },
      {
        read: (bytes) => readForm(request.headers['content-type'] ?? '', bytes, folder),
        act: ({ fields, json }) => {
          const payload = json ? fields : jsonFields(new Map(fields).get('payload') ?? '')
          const path = pathOf(request).slice('/services/'.length)
          return workspace.receiveWebhook(path, payload.length === 0 ? undefined : Object.fromEntries(payload))
        },
      },
    )

  const takeBytes = async (request: IncomingMessage, response: ServerResponse) => {
    const ticket = pathOf(request).slice(uploadPath.length)
    const { 'content-length': announced, 'content-type': contentType } = request.headers
    await handle(
      { request, response, origin: 'upload', plan: faults.next('upload-bytes') },
      {
        read: async (bytes) => {
          if (contentType !== undefined && isMultipart(contentType)) return readForm(contentType, bytes, folder)
          const noPart = { field: undefined, disposition: undefined, name: undefined, contentType }
          return { fields: [], json: false, file: { ...(await store(bytes, folder)), ...noPart } }
        },
        act: ({ file: left }, { file: sent }) => {
          if (announced === undefined) return responseOf(411, { text: 'Length required' })
          return sent ? workspace.receive(ticket, sent, left) : responseOf(400, { text: 'No file in the form' })
        },
      },
    )
  }

  const absent = (origin: RecordedRequest['origin']) => (request: IncomingMessage, response: ServerResponse) =>
    handle({ request, response, origin }, { read: (bytes) => readForm('', bytes, folder), act: () => notFound })

  const api = newApp(options.tls)
  api.route({
    method: ['GET', 'POST'],
    url: '/api/*',
    exposeHeadRoute: false,
    handler: (request, reply) => callMethod(request.raw, reply.hijack().raw),
  })
  api.post('/services/*', (request, reply) => callWebhook(request.raw, reply.hijack().raw))
  api.setNotFoundHandler((request, reply) => absent('api')(request.raw, reply.hijack().raw))
  await options.page?.(api, state)
  const uploads = options.port === 0 ? newApp(options.tls) : api
  uploads.post(`${uploadPath}*`, (request, reply) => takeBytes(request.raw, reply.hijack().raw))
  if (uploads !== api) {
    uploads.setNotFoundHandler((request, reply) => absent('upload')(request.raw, reply.hijack().raw))
  }

  const origin = await api.listen({ host: '127.0.0.1', port: options.port })
  const uploadOrigin = uploads === api ? origin : await uploads.listen({ host: '127.0.0.1', port: 0 })
  workspace.set({ url: `${origin}/`, uploadUrl: `${uploadOrigin}${uploadPath}` })
  const appearing = setInterval(() => workspace.announce(), 50).unref()

  return {
    ...state,
    origin,
    uploadOrigin,
    faults,
    async stop() {
      clearInterval(appearing)
      controller.abort()
      await Promise.all([api.close(), uploads.close()])
    },
  }
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

const bearer = ({ headers: { authorization } }: IncomingMessage): string | undefined =>
  authorization?.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : undefined
