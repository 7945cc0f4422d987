/** A service in its own process that keeps nothing. Shares no code with the action. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Line } from '../sandbox/line.ts'
import type { Workload } from './workloads.ts'

type SinkOptions = Pick<Workload, 'bitsPerSecond' | 'delay' | 'visibleAfter'>

export interface Sink {
  readonly baseUrl: string
  /** Bytes of files since the last call. */
  bytes(): Promise<number>
  close(): void
}

export async function startSink(options: SinkOptions): Promise<Sink> {
  const child = fork(import.meta.filename)
  const ask = async (question: SinkOptions | 'bytes') => {
    child.send(question)
    const [reply] = await once(child, 'message')
    return reply
  }
  return {
    baseUrl: await ask(options),
    bytes: () => ask('bytes'),
    close: () => child.disconnect(),
  }
}

async function serve({
  bitsPerSecond = Number.POSITIVE_INFINITY,
  delay = 0,
  visibleAfter,
}: SinkOptions): Promise<void> {
  const line = new Line(bitsPerSecond)
  const { signal } = new AbortController()
  let bytesOfFiles = 0
  let lastId = 0
  /** Messages by channel, for each file in them. */
  const visible = new Map<string, object>()

  const responseTo = (name: string, body: string): object => {
    const fields = Object.fromEntries(new URLSearchParams(body))
    const { channel_id = '', file: id = '', files = '[]', message_ts } = fields
    if (name === 'files.completeUploadExternal') {
      const posted: readonly { readonly id: string }[] = JSON.parse(files)
      const messages = { [channel_id]: [{ ts: (Date.now() / 1000).toFixed(6) }] }
      setTimeout(() => {
        for (const file of posted) visible.set(file.id, messages)
      }, visibleAfter)
      return { files: posted }
    }
    if (name === 'files.info') return { file: { id, shares: { public: visible.get(id) } } }
    if (name === 'chat.getPermalink')
      return { permalink: `${origins.api}/p${message_ts?.replace('.', '')}` }
    if (name !== 'files.getUploadURLExternal') return {}
    lastId += 1
    return { upload_url: `${origins.uploads}/upload/F${lastId}`, file_id: `F${lastId}` }
  }

  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    const name = path.startsWith('/upload/') ? 'upload' : path.replace('/api/', '')
    const carriesFile = name === 'upload' || name === 'files.upload'
    let text = ''
    let bytes = 0
    // Without a limit, a promise per chunk would be waste.
    if (bitsPerSecond === Number.POSITIVE_INFINITY) {
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (!carriesFile) text += chunk.toString('utf8')
      })
      await once(request, 'end')
    } else {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (!carriesFile) text += chunk.toString('utf8')
        await line.carry(chunk.length, signal)
      }
    }
    if (carriesFile) bytesOfFiles += bytes
    if (delay > 0) await sleep(delay)
    const body =
      name === 'upload' ? `OK - ${bytes}` : JSON.stringify({ ok: true, ...responseTo(name, text) })
    response.setHeader('content-type', name === 'upload' ? 'text/plain' : 'application/json')
    response.end(body)
  }
  // Two origins, because uploads go to another host than the Web API.
  const listen = async () => {
    const server = createServer({ keepAliveTimeout: 60_000 }, listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const origins = { api: await listen(), uploads: await listen() }
  process.on('message', () => {
    process.send?.(bytesOfFiles)
    bytesOfFiles = 0
  })
  process.send?.(origins.api)
}

if (import.meta.main) {
  process.once('message', (options) => serve(options as SinkOptions))
  process.once('disconnect', () => process.exit())
}
