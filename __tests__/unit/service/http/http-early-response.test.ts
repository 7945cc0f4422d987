// The server responds to the head of a request, leaves the body unread, and closes the connection.
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createHttp } from '../../../../src/service/http/http.ts'
import { onLinux } from '../../../support/systems.ts'

/** The path selects the response: `/{status}/{form}/{connection}`. */
const program = `
  const bodies = { json: '{"ok":false}', text: 'no', page: '<!doctype html><title>No</title>' }
  require('node:http').createServer(({ url }, response) => {
    const [, status, form, connection] = url.split('/')
    response.writeHead(status, connection ? { connection } : {}).end(bodies[form])
  }).listen(0, '127.0.0.1', function () {
    require('node:worker_threads').parentPort.postMessage(this.address().port)
  })`
const paths = [400, 401, 403, 404, 413, 500, 503].flatMap((status) =>
  ['json', 'text', 'page'].flatMap((form) =>
    ['', 'close'].map((connection) => `/${status}/${form}/${connection}`),
  ),
)
/** In another thread, it can close the connection while the request is written. */
const server = new Worker(program, { eval: true })
let origin = ''

beforeAll(async () => {
  const [port] = await once(server, 'message')
  origin = `http://127.0.0.1:${port}`
})

afterAll(() => server.terminate())

async function* chunks(sizes: readonly number[]) {
  for (const size of sizes) yield await nextTurn(Buffer.alloc(size))
}

const isRead = async (
  _: string,
  connections: 'kept' | 'own',
  sizes: readonly number[],
  times: number,
) => {
  const http = createHttp(
    { token: '', origin, removeToken: String, timeLeft: () => 60_000 },
    connections,
  )
  const body = { length: sizes.reduce((sum, size) => sum + size, 0), chunks: () => chunks(sizes) }
  const { signal } = new AbortController()
  const request = { headers: {}, body, authorized: true, signal }
  const lost: string[] = []
  for (const path of paths.flatMap((each) => Array<string>(times).fill(each))) {
    const sending = http.send({ ...request, url: new URL(path, origin) })
    await sending.catch(({ message }) => lost.push(`${path}: ${message}`))
  }
  http.close()
  expect(lost).toEqual([])
}
const title = 'The response to %s, with %s connections and a body of %j, is read'

test.each<Parameters<typeof isRead>>([
  ['files.upload', 'own', [90, 2, 40], 3],
  ['files.upload', 'own', [90, 300_000, 40], 3],
  ['the bytes of an upload URL', 'kept', [300_000], 3],
  ['a completion', 'kept', [700], 3],
])(title, isRead)

// Other systems may discard the response when the server closes the connection before the next
// write.
onLinux.each<Parameters<typeof isRead>>([
  ['files.upload', 'own', [90, 1e6, 1e6, 1e6, 40], 1],
  ['the bytes of an upload URL', 'kept', [1e6, 1e6, 1e6], 1],
])(title, isRead)
