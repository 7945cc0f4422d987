/** The page: conversations as their members see them, and every request, live. */
import { createReadStream, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { mimetype } from './file-record.ts'
import type { Posted, ShownFile, ShownMessage, State } from './page/events.ts'
import type { RecordedRequest } from './requests.ts'
import type { App, SandboxState } from './server.ts'
import type { File, Message, Workspace } from './workspace.ts'

const types = { '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml' } as const
const folder = new URL('page/', import.meta.url)
const assets = [
  new URL('papaparse.min.js', import.meta.resolve('papaparse')),
  ...readdirSync(folder).map((name) => new URL(name, folder)),
]

const headers = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Nothing inline or from elsewhere, and no text becomes markup or code. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Without those that can hold scripts. */
const images = ['image/gif', 'image/jpeg', 'image/png', 'image/webp']

const maxRequests = 500
const maxValueLength = 2000

export function addPage(app: App, { workspace, requests, events }: SandboxState): void {
  const connections = new Set<ServerResponse>()
  const send = (event: string, data: Posted | RecordedRequest) => {
    for (const response of connections) response.write(eventText(event, data))
  }
  events.on('message', (message) => {
    const conversation = workspace.conversations.find(({ id }) => id === message.channel)
    if (conversation) send('message', { message: shownMessage(message), conversation })
  })
  events.on('request', (request) => send('request', shownRequest(request)))

  // Links of the service to conversations, messages and files lead to the page.
  const isKnown = (url: string) => {
    const [place, first, second] = new URL(url, 'http://localhost').pathname
      .slice(1)
      .split('/')
      .map(decodeURIComponent)
    if (place === 'archives') return workspace.conversations.some(({ id }) => id === first)
    return place !== 'files' || workspace.files.some(({ id }) => id === second)
  }
  for (const path of ['/', '/requests', '/archives/*', '/files/*']) {
    app.get(path, async ({ url }, reply) => {
      reply
        .headers({ ...headers, 'content-security-policy': pagePolicy })
        .type('text/html; charset=utf-8')
      return reply
        .code(isKnown(url) ? 200 : 404)
        .send(await readFile(new URL('index.html', folder)))
    })
  }

  for (const url of assets) {
    const [, name, extension] = /([^/]+?(\.\w+))$/.exec(url.pathname) ?? []
    const type = Object.entries(types).find(([known]) => known === extension)?.[1]
    if (type === undefined) continue
    app.get(`/page/${name}`, async (_request, reply) => {
      reply.headers(headers).type(`${type}; charset=utf-8`)
      return readFile(url)
    })
  }

  app.get('/page/events', (_request, reply) => {
    const response = reply.hijack().raw
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' })
    response.write(eventText('state', stateOf(workspace, requests)))
    connections.add(response)
    response.on('close', () => connections.delete(response))
  })

  // An upload is an image or bytes to save, never a page of this origin.
  app.get<{ Params: { id: string } }>('/page/files/:id', (request, reply) => {
    const file = workspace.files.find(({ id }) => id === request.params.id)
    if (file?.stored === undefined) return reply.code(404).headers(headers).send()
    const type = mimetype(file.name)
    return reply
      .headers({
        ...headers,
        'content-disposition': 'attachment',
        'content-length': file.size,
        'content-security-policy': "default-src 'none'; sandbox",
      })
      .type(images.includes(type) ? type : 'application/octet-stream')
      .send(createReadStream(file.stored))
  })
}

/** JSON has no line breaks, so one `data` line is enough. */
const eventText = (event: string, data: State | Posted | RecordedRequest) =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

function stateOf(
  { settings, conversations, messages }: Workspace,
  requests: readonly RecordedRequest[],
): State {
  const finished = requests.filter(({ milliseconds }) => milliseconds !== undefined)
  return {
    users: Object.fromEntries(settings.users),
    app: [...settings.tokens.values()].find(({ bot }) => bot !== undefined)?.user,
    conversations,
    messages: messages.map(shownMessage),
    requests: finished.slice(-maxRequests).map(shownRequest),
  }
}

const shownMessage = (message: Message): ShownMessage => ({
  ...message,
  files: message.files.map(shownFile),
})

const shownFile = ({ id, name, title, size }: File): ShownFile => ({
  id,
  name,
  title,
  size,
  mimetype: mimetype(name),
})

function shownRequest(request: RecordedRequest): RecordedRequest {
  const responseBody = request.responseBody && indented(request.responseBody)
  const isLong = (value: unknown) => typeof value === 'string' && value.length > maxValueLength
  const cut = (_: string, value: unknown) =>
    isLong(value) ? `${String(value).slice(0, maxValueLength)} …` : value
  return JSON.parse(JSON.stringify({ ...request, responseBody }, cut))
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
