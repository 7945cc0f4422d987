/** A service that takes everything and keeps nothing, in a process of its own. It shares no code with the action. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SinkOptions {
  /** PEM. Without: http. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Milliseconds before each response. */
  readonly delay: number
  /** Milliseconds from the completion of an upload until its message is visible. */
  readonly sharesAfter: number
}

export interface SinkCounts {
  /** Calls by name, in the order of their first: a Web API method, or `upload` for the bytes of a file. */
  readonly requests: Readonly<Record<string, number>>
  readonly bytes: number
  readonly connections: number
  readonly maxAtOnce: number
}

export interface Sink {
  readonly baseUrl: string
  /** What came since the last time this was asked. */
  counts(): Promise<SinkCounts>
  close(): void
}

export async function startSink(options: SinkOptions): Promise<Sink> {
  const child = fork(import.meta.filename)
  const ask = async (question: SinkOptions | 'counts') => {
    child.send(question)
    const [reply] = await once(child, 'message')
    return reply
  }
  return {
    baseUrl: await ask(options),
    counts: () => ask('counts'),
    close: () => child.disconnect(),
  }
}

async function serve({ delay, sharesAfter, tls }: SinkOptions): Promise<void> {
  let counts = noCounts()
  let atOnce = 0
  let lastId = 0
  let completedAt = 0
  /** IDs of the channels that the last message went to. */
  let channels: readonly string[] = []

  const responseTo = (name: string, form: URLSearchParams): object => {
    switch (name) {
      case 'files.getUploadURLExternal':
        lastId += 1
        return { upload_url: `${origins.uploads}/upload/F${lastId}`, file_id: `F${lastId}` }
      case 'files.completeUploadExternal':
        completedAt = performance.now()
        channels = (form.get('channels') ?? form.get('channel_id') ?? '').split(',')
        return { files: JSON.parse(form.get('files') ?? '[]') }
      case 'files.info':
        return { file: { id: form.get('file'), shares: performance.now() - completedAt < sharesAfter ? {} : shares() } }
      case 'chat.getPermalink':
        return { permalink: `${origins.api}/archives/${form.get('channel')}/p1760688662900279` }
      case 'conversations.info':
        return { channel: { id: form.get('channel'), is_member: true } }
      default:
        return {}
    }
  }
  const shares = () => ({
    public: Object.fromEntries(channels.map((channel) => [channel, [{ ts: '1760688662.900279' }]])),
  })

  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    const name = path.startsWith('/upload/') ? 'upload' : path.replace('/api/', '')
    counts.requests[name] = (counts.requests[name] ?? 0) + 1
    atOnce += 1
    counts.maxAtOnce = Math.max(counts.maxAtOnce, atOnce)
    const carriesFile = name === 'upload' || name === 'files.upload'
    let text = ''
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (!carriesFile) text += chunk.toString('utf8')
    })
    await once(request, 'end')
    if (carriesFile) counts.bytes += bytes
    if (delay > 0) await sleep(delay)
    atOnce -= 1
    const body =
      name === 'upload' ? `OK - ${bytes}` : JSON.stringify({ ok: true, ...responseTo(name, new URLSearchParams(text)) })
    response.setHeader('content-type', name === 'upload' ? 'text/plain' : 'application/json')
    response.end(body)
  }
  // Two origins, as the upload host is another one than that of the Web API.
  const listen = async () => {
    const server = tls ? createHttpsServer(tls, listener) : createHttpServer(listener)
    server.keepAliveTimeout = 60_000
    server.on('connection', () => {
      counts.connections += 1
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const origins = { api: await listen(), uploads: await listen() }
  process.on('message', () => {
    process.send?.(counts)
    counts = noCounts()
  })
  process.send?.(origins.api)
}

function noCounts() {
  return { requests: {} as Record<string, number>, bytes: 0, connections: 0, maxAtOnce: 0 }
}

if (import.meta.main) {
  process.once('message', (options) => serve(options as SinkOptions))
  process.once('disconnect', () => process.exit())
}
