// The server responds to the head of a request, then resets the connection. The body waits for that
// before its next chunk, so every later write fails, on any machine.
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { createServer, Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, jest } from '@jest/globals'
import { createHttp } from '../../../../src/service/http/http.ts'
import { authority, cert, key } from '../../../support/certificate.ts'
import { listen } from '../../../support/servers.ts'
import { onLinux } from '../../../support/systems.ts'

/** Servers that reset their connections, after a response with the status in the path, if any. */
const program = `
  const { workerData: { step, tls }, parentPort } = require('node:worker_threads')
  const { TLSSocket } = require('node:tls')
  function serve(raw, socket) {
    socket.on('error', () => {}).once('data', (head) => {
      socket.pause()
      Atomics.wait(step, 0, 0)
      const [, status] = /^POST \\/(\\d*)/.exec(head)
      const reset = () => raw.resetAndDestroy()
      if (!status) return reset()
      socket.write('HTTP/1.1 ' + status + ' No\\r\\ncontent-length: 11\\r\\n\\r\\n{"ok":true}', reset)
    })
    raw.on('close', () => {
      Atomics.store(step, 0, 2)
      Atomics.notify(step, 0)
    })
  }
  const secure = (raw) => new TLSSocket(raw, { isServer: true, ...tls })
  for (const [name, onConnection] of Object.entries({
    'plain HTTP': (raw) => serve(raw, raw),
    TLS: (raw) => serve(raw, secure(raw)),
    'a tunnel': (raw) => raw.once('data', () => {
      raw.write('HTTP/1.1 200 OK\\r\\n\\r\\n')
      serve(raw, secure(raw))
    }),
  })) {
    // Nagle's algorithm would hold back a response until the reset discards it.
    const server = require('node:net').createServer({ noDelay: true }, onConnection)
    server.listen(0, '127.0.0.1', function () {
      parentPort.postMessage([name, this.address().port])
    })
  }`

/** 0: the head is being sent. 1: the server may respond. 2: it has reset the connection. */
const step = new Int32Array(new SharedArrayBuffer(4))
const authorities = getCACertificates()
const origins: Record<string, string> = {}
let servers: Worker

beforeAll(async () => {
  setDefaultCACertificates([authority])
  servers = new Worker(program, { eval: true, workerData: { step, tls: { cert, key } } })
  const ports: Record<string, number> = {}
  while (Object.keys(ports).length < 3) {
    const [[name, port]] = await once(servers, 'message')
    ports[name] = port
  }
  origins['plain HTTP'] = `http://127.0.0.1:${ports['plain HTTP']}`
  origins['TLS'] = `https://localhost:${ports['TLS']}`
  // No DNS lookup, because the server is its own proxy.
  origins['a tunnel'] = 'https://files.example'
  const httpsProxy = `http://127.0.0.1:${ports['a tunnel']}`
  jest.replaceProperty(process, 'env', { ...process.env, https_proxy: httpsProxy, no_proxy: '' })
})

afterAll(async () => {
  setDefaultCACertificates(authorities)
  await servers.terminate()
})

async function* chunks(sizes: readonly number[]) {
  yield Buffer.alloc(90)
  // `stat` resolves in the poll phase, so nothing is read before the next chunk.
  await stat('.')
  Atomics.store(step, 0, 1)
  Atomics.notify(step, 0)
  Atomics.wait(step, 0, 1, 60_000)
  for (const size of sizes) yield Buffer.alloc(size)
}

const context = { token: '', removeToken: String, timeLeft: () => 60_000 }

/** Results of requests in turn, each with a path and the sizes of chunks after the first. */
async function outcomes(
  way: string,
  connections: 'kept' | 'own',
  requests: ReadonlyArray<readonly [path: string, ...sizes: number[]]>,
) {
  const origin = origins[way] ?? ''
  const http = createHttp({ ...context, origin }, connections)
  const { signal } = new AbortController()
  const results: unknown[] = []
  for (const [path, ...sizes] of requests) {
    Atomics.store(step, 0, 0)
    const length = sizes.reduce((sum, size) => sum + size, 90)
    const url = new URL(path, origin)
    const body = { length, chunks: () => chunks(sizes) }
    results.push(
      await http.send({ url, headers: {}, body, authorized: true, signal }).catch((error) => error),
    )
  }
  http.close()
  return results
}

const ways = ['plain HTTP', 'TLS', 'a tunnel'].flatMap((way) =>
  (['own', 'kept'] as const).map((connections) => [way, connections] as const),
)

// Other systems may discard the response.
onLinux.each(ways)(
  'The response is read, and came before the whole request, whatever its status: %s, %s connections',
  async (way, connections) => {
    const statuses = [200, 401, 503]
    expect(
      await outcomes(
        way,
        connections,
        statuses.map((status) => [`${status}`, 2e6]),
      ),
    ).toEqual(
      statuses.map((status) =>
        expect.objectContaining({ status, text: '{"ok":true}', isEarly: true }),
      ),
    )
  },
)

onLinux.each(ways)(
  'Without a response, the request fails, and what was handed over is said: %s, %s connections',
  async (way, connections) => {
    const failures = await outcomes(way, connections, [
      ['', 2e6],
      ['', 2e6, 40],
      ['', 100, 2e6],
    ])
    expect(failures).toMatchObject([
      { name: 'NoResponseError', fullySent: true },
      { name: 'NoResponseError', fullySent: false },
      { name: 'NoResponseError', fullySent: false },
    ])
    for (const { message } of failures as Error[]) expect(message).toContain('write ECONNRESET')
  },
)

onLinux('A write that Node cancels because a read failed is not named as the reason', async () => {
  const server = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
  const url = new URL(`http://127.0.0.1:${await listen(server)}`)
  const http = createHttp({ ...context, origin: url.origin }, 'own')
  // Most of it is still to be written when the connection is reset.
  const body = {
    length: 2e7,
    chunks: async function* () {
      yield Buffer.alloc(2e7)
    },
  }
  const { signal } = new AbortController()
  const sent = http.send({ url, headers: {}, body, authorized: true, signal })
  await expect(sent).rejects.toThrow('ECONNRESET')
  http.close()
  server.close()
})

onLinux('Where one way to write calls the other, as in Bun, the response is read', async () => {
  const inOne = jest.spyOn(Socket.prototype, '_writev').mockImplementation(function (
    this: Socket,
    chunks,
    done,
  ) {
    this._write(
      Buffer.concat(chunks.map(({ chunk }) => Buffer.from(chunk))),
      'buffer' as BufferEncoding,
      done,
    )
  })
  const responses = await outcomes('plain HTTP', 'own', [['401', 2e6]])
  inOne.mockRestore()
  expect(responses).toMatchObject([{ status: 401, isEarly: true }])
})
