/** The page: conversations as their members see them, and every request. */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { mimetype } from './file-record.ts'
import {
  conversationView,
  hrefOf,
  images,
  missingView,
  requestsView,
  type View,
  wholePage,
} from './page/views.ts'
import { pathOf } from './recorder.ts'
import type { Routes, SandboxState } from './server.ts'

const folder = new URL('page/', import.meta.url)
const assets = {
  'style.css': 'text/css',
  'live.js': 'text/javascript',
  'icon.svg': 'image/svg+xml',
}

const headers = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Nothing inline or from elsewhere. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function addPage(routes: Routes, { workspace, requests, events }: SandboxState): void {
  const get = (path: string, show: (response: ServerResponse, path: string) => unknown) => {
    for (const method of ['GET', 'HEAD'])
      routes.set(`${method} ${path}`, (request, response) => show(response, pathOf(request)))
  }
  const connections = new Set<ServerResponse>()
  // A page that is older than what there is now loads itself again.
  const versions = { message: randomUUID(), request: randomUUID() }
  const eventText = (kind: View['shows']) => `event: ${kind}\ndata: ${versions[kind]}\n\n`
  for (const kind of ['message', 'request'] as const)
    events.on(kind, () => {
      versions[kind] = randomUUID()
      for (const response of connections) response.write(eventText(kind))
    })

  const viewOf = (path: string) => {
    const [place, first] = path.slice(1).split('/').map(decodeURIComponent)
    if (place === 'requests') return requestsView(requests, workspace)
    const id = first ?? workspace.messages[0]?.channel ?? workspace.conversations[0]?.id
    const conversation = workspace.conversations.find((one) => one.id === id)
    return conversation && conversationView(workspace, conversation)
  }
  const redirect = (response: ServerResponse, location: string) =>
    response.writeHead(302, { ...headers, location }).end()
  const show = (response: ServerResponse, path: string) => {
    const [, channel, ts] = /^\/archives\/([^/]+)\/p(\d+\d{6})$/.exec(path) ?? []
    // Links of the service to messages and files lead to their place on the page.
    if (ts) return redirect(response, `/archives/${channel}#${ts.replace(/(\d{6})$/, '.$1')}`)
    const file = decodeURIComponent(path.split('/')[3] ?? '')
    const message = workspace.messages.find(({ files }) => files.some(({ id }) => id === file))
    if (message) return redirect(response, `${hrefOf(message.channel)}#${message.ts}`)
    const found = path.startsWith('/files/') ? undefined : viewOf(path)
    const view = found ?? missingView(path)
    const html = wholePage(view, workspace, versions[view.shows])
    return send(response, found ? 200 : 404, 'text/html', Buffer.from(html))
  }
  for (const route of ['/', '/requests', '/archives/*', '/files/*']) get(route, show)
  for (const [name, type] of Object.entries(assets))
    get(`/page/${name}`, async (response) =>
      send(response, 200, type, await readFile(new URL(name, folder))),
    )

  get('/page/events', (response) => {
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' })
    response.write(eventText('message') + eventText('request'))
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

function send(response: ServerResponse, status: number, type: string, content: Buffer) {
  const served = {
    ...headers,
    'content-security-policy': pagePolicy,
    'content-type': `${type}; charset=utf-8`,
    'content-length': content.length,
  }
  response.writeHead(status, served).end(content)
}
