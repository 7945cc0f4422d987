// Responds as no service would: to a path's n-th request with the n-th reaction.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { listen, portOf } from '../support/servers.ts'
import { type Mutation, mutate } from './mutate.ts'

export interface Reaction {
  /** Responds before it has read the request. */
  readonly early: boolean
  readonly delay: number
  /** Statuses of informational responses before it. */
  readonly informs: readonly number[]
  readonly status: number
  /** As sent. `$TOKEN` is the request's token. */
  readonly headers: readonly string[]
  readonly body: /** The usual response, with some values replaced. */
    | { readonly kind: 'usual'; readonly mutations: readonly Mutation[] }
    | { readonly kind: 'json'; readonly json: object }
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'megabytes'; readonly megabytes: number; readonly start: string }
  readonly ending:
    | 'complete'
    | 'compressed'
    | 'trailers'
    | 'reset'
    | 'cut off'
    | 'no response'
    | 'endless'
    | 'not HTTP'
}

/** `tokenAt`: upload paths that got the token. */
export async function startHostileServer(
  reactions: readonly Reaction[],
  channels: readonly string[],
) {
  const counts = new Map<string, number>()
  const tokenAt: string[] = []
  const server = createServer((request) => {
    const path = (request.url ?? '').replace(/[\d?].*/, '')
    const count = counts.get(path) ?? 0
    counts.set(path, count + 1)
    if (path === '/upload/' && request.headers.authorization !== undefined) tokenAt.push(path)
    // Each path starts at another reaction.
    const reaction = reactions[(count + path.length) % reactions.length]
    if (reaction === undefined) throw new Error('No reaction is given')
    const method = path.replace(/^.*\/api\//, '')
    react(
      request,
      reaction,
      usualResponses(count, portOf(server), channels)[method] ?? 'OK - 5',
    ).catch(() => undefined)
  })
  server.on('connection', (socket) => socket.on('error', () => undefined))
  server.on('clientError', (_, socket) => socket.destroy())
  return {
    baseUrl: `http://127.0.0.1:${await listen(server)}`,
    tokenAt,
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function react(
  request: IncomingMessage,
  reaction: Reaction,
  usual: object | string,
): Promise<void> {
  const { socket } = request
  request.on('error', () => undefined)
  request.resume()
  if (!reaction.early) await once(request, 'end')
  if (reaction.delay > 0) await delay(reaction.delay)
  const token = (request.headers.authorization ?? '').replace('Bearer ', '')
  const filled = (text: string) => text.replaceAll('$TOKEN', token)
  const { ending } = reaction
  if (ending === 'no response') return
  if (ending === 'reset') return void socket.resetAndDestroy()
  if (ending === 'not HTTP')
    return void socket.end(filled(`$TOKEN ${bodyOf(reaction, usual)}`.slice(0, 10_000)))

  const text = Buffer.from(filled(bodyOf(reaction, usual)))
  const bytes = ending === 'compressed' ? gzipSync(text) : text
  const head = [
    `HTTP/1.1 ${reaction.status} ${filled('Hello $TOKEN')}`,
    ...(ending === 'trailers' ? ['transfer-encoding: chunked', 'trailer: retry-after'] : []),
    ...(['endless', 'trailers'].includes(ending) ? [] : [`content-length: ${bytes.length}`]),
    ...(ending === 'compressed' ? ['content-encoding: gzip'] : []),
    ...reaction.headers.map((line) => filled(line).replaceAll(/[\r\n]/g, ' ')),
  ]
  for (const status of reaction.informs)
    socket.write(filled(`HTTP/1.1 ${status} Wait\r\nx-slack-req-id: $TOKEN\r\n\r\n`))
  socket.write(Buffer.from(`${head.join('\r\n')}\r\n\r\n`))
  if (ending === 'cut off') return void socket.end(bytes.subarray(0, bytes.length / 2))
  if (ending === 'endless') {
    const chunk = Buffer.alloc(65_536, 'x')
    while (!socket.destroyed) {
      if (!socket.write(chunk))
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), delay(1_000)])
    }
    return
  }
  if (ending === 'trailers') {
    const size = bytes.length.toString(16)
    socket.write(bytes.length > 0 ? Buffer.concat([Buffer.from(`${size}\r\n`), bytes, crlf]) : '')
    socket.write(filled('0\r\nretry-after: 9\r\nx-slack-req-id: $TOKEN\r\n\r\n'))
  } else socket.write(bytes)
}

const crlf = Buffer.from('\r\n')

function bodyOf({ body }: Reaction, usual: object | string): string {
  switch (body.kind) {
    case 'usual':
      return typeof usual === 'string' ? usual : JSON.stringify(mutate(usual, body.mutations))
    case 'json':
      return JSON.stringify(body.json)
    case 'text':
      return body.text
    case 'megabytes':
      return body.start + 'x'.repeat(body.megabytes * 2 ** 20)
  }
}

/** Responses of the real service, by method. */
function usualResponses(
  count: number,
  port: number,
  channels: readonly string[],
): Readonly<Record<string, object>> {
  const id = `F0${String(count).padStart(8, '0')}`
  const shares = {
    public: Object.fromEntries(channels.map((channel) => [channel, [{ ts: '1760688662.900279' }]])),
  }
  // The bytes are not counted, so any size is wrong.
  const size = count % 4 === 3 ? { size: 5 } : {}
  const lists = { channels, groups: [], ims: [] }
  const file = { id, name: 'a.csv', ...size, permalink: 'https://chat.example/f', ...lists, shares }
  const [channel] = channels
  const listed = channels.map((id, at) => ({
    id,
    name: at === 0 ? 'general' : `c-${at}`,
    is_private: at > 1,
  }))
  // One list in four never ends.
  const metadata = { next_cursor: count % 4 === 0 ? 'more' : '' }
  return {
    'files.upload': { ok: true, file },
    'files.info': { ok: true, file },
    'files.getUploadURLExternal': {
      ok: true,
      upload_url: `http://127.0.0.1:${port}/upload/${count}`,
      file_id: id,
    },
    'files.completeUploadExternal': { ok: true, files: [file] },
    'chat.getPermalink': { ok: true, channel, permalink: 'https://chat.example/p1760688662900279' },
    'conversations.open': { ok: true, channel: { id: 'D0DIRECT000' } },
    'conversations.info': {
      ok: true,
      channel: { id: channel, name: 'general', is_member: true, is_archived: false },
    },
    'users.conversations': { ok: true, channels: listed, response_metadata: metadata },
    'auth.test': {
      ok: true,
      url: 'https://chat.example/',
      team: 'Team',
      user: 'bot',
      bot_id: 'B1',
    },
  }
}
