// A server responds to the head of a request, and resets the connection while the action reads the
// file. Its next write fails, and the response is read all the same.
import { existsSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { withChange } from '../support/change-file.ts'
import { errorsIn, runStep } from '../support/step.ts'
import { onLinux } from '../support/systems.ts'

onLinux('a response to the head of an upload is read after the connection was reset', async () => {
  let wait = ''
  let connections = 0
  const server = createServer({ noDelay: true }, (socket) => {
    connections += 1
    const refuse = () => {
      if (connections === 1 && !existsSync(wait)) setImmediate(refuse)
      else
        socket.write('HTTP/1.1 401 No\r\ncontent-length: 0\r\n\r\n', () => socket.resetAndDestroy())
    }
    socket.once('data', refuse).on('close', () => rmSync(wait, { force: true }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const done = await runStep({
    files: { 'a.csv': 'x'.repeat(3e6) },
    inputs: { method: 'files.upload', 'base-url': `http://127.0.0.1:${port}`, files: 'a.csv' },
    prepare: (_sandbox, folder) => {
      wait = join(folder, 'a.csv.wait')
    },
    // The second time, it is opened for the upload.
    ...withChange({ file: 'a.csv', when: 'read', time: 2, to: 'the same, after a wait' }),
  })
  server.close()
  expect(connections).toBe(1)
  expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' } })
  expect(errorsIn(done)).toMatchObject([{ title: 'The server does not accept the token' }])
})
