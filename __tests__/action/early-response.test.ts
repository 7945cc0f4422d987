// The server responds to the beginning of a request and resets the connection. The action's next
// write fails, but it reads the response.
import { existsSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { withPreload } from '../support/preload.ts'
import { listen } from '../support/servers.ts'
import { errorsIn, runStep } from '../support/step.ts'
import { onLinux } from '../support/systems.ts'

/**
 * Before its second write to a connection, the action creates a file and waits until it is gone.
 */
const waitsToWrite = withPreload(`
  import { existsSync, writeFileSync } from 'node:fs'
  import { Socket } from 'node:net'
  const wait = process.env.GITHUB_WORKSPACE + '/wait'
  let writes = 0
  for (const name of ['_write', '_writev']) {
    const write = Socket.prototype[name]
    Socket.prototype[name] = function (...given) {
      if (this.remotePort && ++writes === 2) {
        writeFileSync(wait, '')
        while (existsSync(wait)) continue
      }
      return write.apply(this, given)
    }
  }
`)

onLinux('a response is read although the next write to its connection fails', async () => {
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
  const port = await listen(server)
  const done = await runStep({
    files: { 'a.csv': 'x'.repeat(3e6) },
    inputs: { method: 'files.upload', 'base-url': `http://127.0.0.1:${port}`, files: 'a.csv' },
    prepare: (_sandbox, folder) => {
      wait = join(folder, 'wait')
    },
    ...waitsToWrite,
  })
  server.close()
  expect(connections).toBe(1)
  expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' } })
  expect(errorsIn(done)).toMatchObject([{ title: 'The token was rejected' }])
})
