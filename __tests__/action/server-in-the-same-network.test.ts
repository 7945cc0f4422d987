// Plain http in a private network: the address that is judged is the one that is connected to.
import { createServer } from 'node:http'
import { createServer as createTcpServer, type Server } from 'node:net'
import { describe, expect, test } from '@jest/globals'
import { withPreload } from '../support/preload.ts'
import { listen, passOn, portOf } from '../support/servers.ts'
import { annotations, seen } from '../support/shown-log.ts'
import { called, type Done, errorsIn, runStep, type Step } from '../support/step.ts'
import { onLinux } from '../support/systems.ts'

/** Results of the lookups in order; the last repeats. */
const resolving = (...answers: readonly (readonly string[])[]) =>
  withPreload(`
    import dns from 'node:dns'
    import { syncBuiltinESMExports } from 'node:module'
    const answers = ${JSON.stringify(answers)}
    dns.lookup = (name, options, done) => {
      const found = answers.length > 1 ? answers.shift() : answers[0]
      process.nextTick(done, null, found.map((address) => ({ address, family: 4 })))
    }
    syncBuiltinESMExports()
  `)

/** The port may be taken. */
const listens = (server: Server, port: number, host?: string): Promise<boolean> =>
  listen(server, port, host).then(
    () => true,
    () => false,
  )

/** One origin for the service and its uploads (`/upload/`). */
function frontOf({ origin, uploadOrigin }: { origin: string; uploadOrigin: string }): Server {
  return createServer((request, response) =>
    passOn(request, response, request.url?.startsWith('/upload/') ? uploadOrigin : origin),
  )
}

const files = { 'a.csv': 'a\n', 'b.csv': 'b\n' }

describe('A name with private and public addresses', () => {
  /** On Linux, `0.0.0.0` leads to this machine, but counts as public. */
  const [privateAddress, publicAddress] = ['127.0.0.2', '0.0.0.0']

  /** Runs a step against the private address, and counts requests to the public one. */
  async function play(step: Step): Promise<Done & { readonly intruded: number }> {
    let intruded = 0
    const done = await runStep({
      files,
      ...step,
      async prepare(sandbox) {
        for (;;) {
          const front = frontOf(sandbox)
          const spy = createTcpServer((socket) => {
            intruded += 1
            socket.destroy()
          })
          if (!(await listens(front, 0, privateAddress))) throw new Error('It does not listen')
          if (!(await listens(spy, portOf(front)))) continue
          address = `http://chat.example:${portOf(front)}`
          sandbox.workspace.set({ url: `${address}/`, uploadUrl: `${address}/upload/v1/` })
          return
        }
      },
      inputs: (sandbox) => ({
        'base-url': address,
        ...(typeof step.inputs === 'function' ? step.inputs(sandbox) : step.inputs),
      }),
    })
    return { ...done, intruded }
  }
  let address = ''

  onLinux.each(['files.upload', 'external'])(
    'is reached at a private one only, by %s',
    async (method) => {
      const both = resolving([publicAddress, privateAddress], [privateAddress, publicAddress])
      const done = await play({ ...both, inputs: { method } })
      expect(done).toMatchObject({ code: 0, intruded: 0, outputs: { status: 'posted' } })
      expect(done.messages.flatMap((message) => message.files)).toHaveLength(2)
      // On the origin of `base-url`, upload URL and permalink need no TLS either.
      expect(
        JSON.parse(done.outputs['files'] ?? '').map(
          (file: { permalink: string }) => file.permalink,
        ),
      ).toEqual(Array(2).fill(expect.stringContaining('http://chat.example:')))
      if (method === 'external') expect(done.outputs['permalink']).toContain('http://chat.example:')
    },
  )

  onLinux('gets nothing more when it has changed to a public one', async () => {
    const done = await play({
      ...resolving([privateAddress], [publicAddress]),
      inputs: { method: 'files.upload' },
    })
    expect(done).toMatchObject({ code: 1, intruded: 0, outputs: { status: 'partial' } })
    expect(called(done)).toEqual(['files.upload'])
    expect(errorsIn(done).map(({ title }) => title)).toEqual([
      'Plain http is only for a private network',
    ])
  })

  test('gets no byte if no private one is left, and is not asked again', async () => {
    const done = await runStep({
      ...resolving(['203.0.113.7', '169.254.169.254', '::ffff:203.0.113.8']),
      inputs: { 'base-url': 'http://chat.example:8065', method: 'files.upload' },
      env: { RUNNER_DEBUG: '1' },
    })
    expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' } })
    expect(done.stdout.split('::debug::files.upload: no response, NOT_PRIVATE')).toHaveLength(2)
    expect(annotations(done)).toMatchInlineSnapshot(`
"Notice: Requests are not encrypted
  \`base-url\` begins with \`http://\`: anybody who answers the runner's DNS lookups or listens in this network can get the token and the files.
Nothing was posted
Error: Plain http is only for a private network
  \`a.csv\` could not be posted to \`C0GENERAL00\`: no response from \`chat.example:8065\` to \`files.upload\` (\`NOT_PRIVATE\`: 203.0.113.7 is not in a private network, so nothing was sent).
  Write \`https://\` in \`base-url\`: without TLS, token and files go only to a private, shared or loopback address."
`)
  })
})

describe('Plain http', () => {
  let address = ''
  const named: Step = {
    ...resolving(['127.0.0.1']),
    async prepare(sandbox) {
      const front = frontOf(sandbox)
      address = `http://chat:${await listen(front)}`
    },
    inputs: () => ({ 'base-url': address, method: 'files.upload' }),
  }
  const title = 'Notice: Requests are not encrypted'

  test('goes through no proxy', async () => {
    let asked = 0
    const proxy = createTcpServer((socket) => {
      asked += 1
      socket.destroy()
    })
    const url = `http://127.0.0.1:${await listen(proxy)}`
    const done = await runStep({
      ...named,
      env: { http_proxy: url, https_proxy: url, HTTP_PROXY: url, HTTPS_PROXY: url },
    })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(asked).toBe(0)
  })

  test('is noticed once, before the first request, unless it certainly stays on this machine', async () => {
    const done = await runStep({ ...named, env: { RUNNER_DEBUG: '1' } })
    const log = seen(done)
    expect(log.split(title)).toHaveLength(2)
    const requestAt = done.stdout.indexOf('::debug::files.upload')
    expect(done.stdout.indexOf('Requests are not encrypted')).toBeLessThan(requestAt)
    expect(seen(await runStep({ inputs: { method: 'files.upload' } }))).not.toContain(title)
  })

  test('is not tried in a dry run of files.upload, which says so', async () => {
    const done = await runStep({
      ...resolving(['203.0.113.7']),
      inputs: { 'base-url': 'http://chat.example', 'dry-run': 'true' },
    })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'dry-run' } })
    expect(annotations(done)).toContain('whether the server is at this address')
  })
})
