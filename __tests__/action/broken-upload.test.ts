// Some servers handle a form whose client closed the connection, and post its comment without the
// file. After a reset they drop it, so the action resets an upload by files.upload that it gives
// up.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { expect, test } from '@jest/globals'
import { withChange } from '../support/change-file.ts'
import { withClock } from '../support/scaled-clock.ts'
import { listen } from '../support/servers.ts'
import { runStep, type Step } from '../support/step.ts'
import { onPosix } from '../support/systems.ts'

/** Larger than the system's buffers, so that an upload can stop in the middle. */
const large = 'x'.repeat(20e6)

type Upload = Step & { readonly respond?: (socket: Socket) => unknown }

/**
 * Runs the step, and returns how its connection ended. By default, the server soon stops reading.
 */
async function upload({ respond = (socket) => socket.pause(), ...step }: Upload) {
  const server = createServer()
  const accepted = once(server, 'connection')
  // Later attempts fail at once.
  accepted.then(() => server.on('connection', (socket: Socket) => socket.destroy()))
  const serving = accepted.then(([socket]: Socket[]) => {
    socket?.once('data', () => respond(socket))
    return new Promise<'FIN' | 'reset'>((resolve) =>
      socket?.on('end', () => resolve('FIN')).on('error', () => resolve('reset')),
    )
  })
  const port = await listen(server)
  const done = await runStep({
    files: { 'a.csv': large },
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
  '::warning title=The comment may have been posted without the file::Some servers post the comment of an upload that broke off: look in the channel before you run the step again.'

const response = (head: string) => (socket: Socket) =>
  socket.end(`HTTP/1.1 ${head}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`)

/** Cancels the run as soon as the server has a part of the upload. */
function cancelled(): Upload {
  let id = 0
  return {
    onStart: (started) => {
      id = started
    },
    respond: (socket) => {
      socket.pause()
      process.kill(id, 'SIGINT')
    },
  }
}

/** Gives a run ten real minutes, for a busy machine. */
const fast: Upload = { ...withClock(100), inputs: { 'timeout-minutes': '999' } }

test.each<[string, Upload]>([
  ['a service that stalls', fast],
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
  const expected = { ending: 'reset', status: 'failed', isWarned: true }
  const alone = upload({ ...cancelled(), inputs: { comment: 'none' } })
  expect(await upload(cancelled())).toEqual(expected)
  // There is no comment to look for.
  expect(await alone).toEqual({ ...expected, isWarned: false })
})

test('after a response the connection is closed as usual', async () => {
  expect(await upload({ files: { 'a.csv': 'a' }, respond: response('200 OK') })).toEqual({
    ending: 'FIN',
    status: 'accepted',
    isWarned: false,
  })
  // Unread bytes would reset the connection.
  const respond = (socket: Socket) => socket.resume() && response('413 No')(socket)
  const early = await upload({ respond })
  expect(early).toMatchObject({ status: 'failed', isWarned: false })
})

test('the next attempt does not hide that one broke off', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    const isFirst = connections === 1
    let end = ''
    socket.on('data', (bytes) => {
      end = (end + bytes.subarray(-4)).slice(-4)
      if (isFirst && bytes.includes('xxxx')) socket.destroy()
      else if (end === '--\r\n') response('200 OK')(socket)
    })
  })
  const port = await listen(server)
  const baseUrl = `http://127.0.0.1:${port}`
  const inputs = { ...fast.inputs, method: 'files.upload', 'base-url': baseUrl }
  const done = await runStep({ ...fast, files: { 'a.csv': large }, inputs })
  server.close()
  expect(done.outputs).toMatchObject({ status: 'accepted' })
  expect(done.stdout).toContain(warning)
})

test('a file that changed before its request breaks nothing off', async () => {
  const change = withChange({
    file: 'a.csv',
    when: 'opened',
    time: 2,
    to: 'as long, with other bytes',
  })
  const { outputs, requests, stdout } = await runStep({
    inputs: { method: 'files.upload' },
    ...change,
  })
  expect(requests).toEqual([])
  expect(outputs).toMatchObject({ status: 'failed' })
  expect(stdout).toContain('A file changed while it was being sent')
  expect(stdout).not.toContain(warning)
})

/** Read before the connection opens. */
const two = { 'a.csv': 'a'.repeat(9e5), 'b.csv': 'b'.repeat(9e5) }

test.each(['external', 'files.upload'])('%s counts bytes once they were sent', async (method) => {
  const sent = await runStep({ files: two, inputs: { method } })
  expect(sent.stdout).toMatch(/^Sent 1\.8 MB of 1\.8 MB, [\d.]+ [KMG]?B\/s$/m)
  const baseUrl = 'http://127.0.0.1:9'
  const unsent = await runStep({
    files: two,
    inputs: { method, 'base-url': baseUrl },
    ...withClock(100),
  })
  expect(unsent).toMatchObject({ code: 1, outputs: { status: 'failed' } })
  expect(unsent.stdout).not.toContain('Sent ')
})
