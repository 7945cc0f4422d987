/** The page: conversations as their members see them, and every request, live. */
import { createReadStream, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { mimetype } from './file-record.ts'
import type { Posted, ShownFile, ShownMessage, State } from './page/events.ts'
import { pathOf } from './recorder.ts'
import type { RecordedRequest } from './requests.ts'
import type { Routes, SandboxState } from './server.ts'
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

export function addPage(routes: Routes, { workspace, requests, events }: SandboxState): void {
  const get = (path: string, show: (response: ServerResponse, path: string) => unknown) => {
    for (const method of ['GET', 'HEAD'])
      routes.set(`${method} ${path}`, (request, response) => show(response, pathOf(request)))
  }
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
  const isKnown = (path: string) => {
    const [place, first, second] = path.slice(1).split('/').map(decodeURIComponent)
    if (place === 'archives') return workspace.conversations.some(({ id }) => id === first)
    return place !== 'files' || workspace.files.some(({ id }) => id === second)
  }
  for (const route of ['/', '/requests', '/archives/*', '/files/*']) {
    get(route, (response, path) =>
      serve(response, isKnown(path) ? 200 : 404, 'text/html', new URL('index.html', folder)),
    )
  }

  for (const url of assets) {
    const [, name, extension] = /([^/]+?(\.\w+))$/.exec(url.pathname) ?? []
    const type = Object.entries(types).find(([known]) => known === extension)?.[1]
    if (type === undefined) continue
    get(`/page/${name}`, (response) => serve(response, 200, type, url))
  }

  get('/page/events', (response) => {
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' })
    response.write(eventText('state', stateOf(workspace, requests)))
    connections.add(response)
    response.on('close', () => connections.delete(response))
  })

  // An upload is an image or bytes to save, never a page of this origin.
  get('/page/files/*', async (response, path) => {
    const file = workspace.files.find(({ id }) => path === `/page/files/${id}`)
    if (file?.stored === undefined) {
      response.writeHead(404, headers).end()
      return
    }
    const type = mimetype(file.name)
    response.writeHead(200, {
      ...headers,
      'content-disposition': 'attachment',
      'content-length': file.size,
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': images.includes(type) ? type : 'application/octet-stream',
    })
    await pipeline(createReadStream(file.stored), response)
  })
}

async function serve(response: ServerResponse, status: number, type: string, url: URL) {
  const content = await readFile(url)
  const served = {
    ...headers,
    'content-security-policy': pagePolicy,
    'content-type': `${type}; charset=utf-8`,
    'content-length': content.length,
  }
  response.writeHead(status, served).end(content)
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
