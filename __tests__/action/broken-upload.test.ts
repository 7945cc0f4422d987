// Some servers run for a form whose client closed the connection: they post its comment without the
// file. An upload by files.upload that the action gives up ends with a reset, which they drop.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, test } from '@jest/globals'
import { withChange } from '../support/change-file.ts'
import { withClock } from '../support/scaled-clock.ts'
import { runStep, type Step } from '../support/step.ts'
import { onPosix } from '../support/systems.ts'

type Upload = Step & { readonly respond?: (socket: Socket) => unknown }

/** The step, and how its connection ended. Without `respond`, the server stops reading soon. */
async function upload({ respond = (socket) => socket.pause(), ...step }: Upload) {
  const server = createServer()
  const accepted = once(server, 'connection')
  const serving = accepted.then(([socket]: Socket[]) => {
    socket?.once('data', () => respond(socket))
    return new Promise<'FIN' | 'reset'>((resolve) =>
      socket?.on('end', () => resolve('FIN')).on('error', () => resolve('reset')),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const done = await runStep({
    files: { 'a.csv': 'x'.repeat(20e6) },
    ...step,
    inputs: { method: 'files.upload', 'base-url': `http://127.0.0.1:${port}`, ...step.inputs },
  })
  const [socket] = (await accepted) as Socket[]
  socket?.resume()
  server.close()
  const { status } = done.outputs
  return { ending: await serving, status, isWarned: done.stdout.includes(warning) }
}

const warning =
  '::warning title=The comment may have been posted::Some servers post the comment of an upload that broke off: look in the channel before you run the step again.'

const response = (head: string) => (socket: Socket) =>
  socket.end(`HTTP/1.1 ${head}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`)

test.each<[string, Upload]>([
  ['a service that stalls', withClock(100)],
  ['the time limit', { inputs: { 'timeout-minutes': '0.05' } }],
  [
    'a file that changes',
    {
      respond: (socket) => socket.resume(),
      ...withChange({ file: 'a.csv', when: 'read', time: 2, to: 'as long, with other bytes' }),
    },
  ],
])('%s resets the connection', async (_, step) => {
  expect(await upload(step)).toEqual({ ending: 'reset', status: 'failed', isWarned: true })
})

onPosix('a cancellation resets the connection', async () => {
  let id = 0
  const onStart = (started: number) => {
    id = started
  }
  const respond = (socket: Socket) => {
    socket.pause()
    process.kill(id, 'SIGINT')
  }
  const expected = { ending: 'reset', status: 'failed', isWarned: true }
  expect(await upload({ onStart, respond })).toEqual(expected)
})

test('without a comment, there is nothing to look for', async () => {
  const inputs = { 'timeout-minutes': '0.05', comment: 'none' }
  expect((await upload({ inputs })).isWarned).toBe(false)
})

test('after a response the connection is closed as usual', async () => {
  expect(await upload({ files: { 'a.csv': 'a' }, respond: response('200 OK') })).toEqual({
    ending: 'FIN',
    status: 'accepted',
    isWarned: false,
  })
  // What the server did not read would reset the connection.
  const respond = (socket: Socket) => socket.resume() && response('413 No')(socket)
  const early = await upload({ respond })
  expect(early).toMatchObject({ status: 'failed', isWarned: false })
})

/** Each is read before there is a connection. */
const two = { 'a.csv': 'a'.repeat(9e5), 'b.csv': 'b'.repeat(9e5) }

test.each(['external', 'files.upload'])('%s counts bytes once they were sent', async (method) => {
  const sent = await runStep({ files: two, inputs: { method } })
  expect(sent.stdout).toContain('Sent 1.8 MB of 1.8 MB')
  const baseUrl = 'http://127.0.0.1:9'
  const unsent = await runStep({
    files: two,
    inputs: { method, 'base-url': baseUrl },
    ...withClock(100),
  })
  expect(unsent).toMatchObject({ code: 1, outputs: { status: 'failed' } })
  expect(unsent.stdout).not.toContain('Sent ')
})
