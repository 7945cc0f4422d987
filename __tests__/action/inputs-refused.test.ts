// Invalid values are refused together, before anything is sent. `__tests__/unit/inputs/rules.test.ts` has the text of every rule.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type ActionResult, runAction } from '../../sandbox/runner.ts'
import { annotations } from '../support/shown-log.ts'
import { errorsIn } from '../support/step.ts'

type Inputs = Readonly<Record<string, string>>

const token = `xoxb-${randomBytes(18).toString('hex')}`
const webhook = `https://hooks.slack.com/services/T0123456789/B0123456789/${randomBytes(12).toString('hex')}`

let folder: string
/** Everything that goes over the network goes through this proxy. */
let proxy: Server
let connections = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refused-'))
  await writeFile(join(folder, 'report.csv'), 'a,b\n')
  for (let index = 0; index < 3; index += 1) await writeFile(join(folder, `${index}.txt`), 'text')
  proxy = createServer((socket) => {
    connections += 1
    socket.on('error', () => socket.destroy()).resume()
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  await new Promise((resolve) => proxy.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

function run(inputs: Inputs, env: Readonly<Record<string, string>> = {}): Promise<ActionResult> {
  const address = proxy.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return runAction({
    workspace: folder,
    inputs: { token, channels: 'C0123456789', files: 'report.csv', 'base-url': 'https://slack.com', ...inputs },
    env: { HTTPS_PROXY: url, HTTP_PROXY: url, ...env },
  })
}

test('several mistakes are reported together: an error for each input, a line for each channel, and no secret', async () => {
  const result = await run({
    token: webhook,
    channels: 'C0123456789, deployments @reviewer',
    files: '# all\n',
    comment: `with ${webhook}`,
    'comment-format': 'markdown',
    'dry-run': 'maybe',
    method: `external\n${'x'.repeat(200)}`,
    'max-files': 'all',
    'timeout-minutes': '10m',
    'working-directory': 'packages/app',
  })
  expect(annotations(result)).toMatchSnapshot()
  expect(result).toMatchObject({ code: 1, stderr: '', outputs: { status: 'failed', count: '0', messages: '[]' } })
  expect(result.summary).toContain('Invalid input: working-directory')
  expect(connections).toBe(0)
})

test('the token in another input is refused, and not shown', async () => {
  const result = await run({ channels: `C0123456789, ${token}`, title: token })
  expect(annotations(result)).toMatchSnapshot()
  expect(connections).toBe(0)
})

test('valid inputs do reach the network, here a proxy', async () => {
  const before = connections
  expect((await run({})).outputs).toMatchObject({ status: 'failed' })
  expect(connections).toBeGreaterThan(before)
})

test('more files than max-files are refused, with the count, before anything is sent', async () => {
  const before = connections
  const result = await run({ files: '*.txt', 'max-files': '2' })
  expect(errorsIn(result)).toMatchInlineSnapshot(`
[
  {
    "text": "The patterns match 3 files, \`max-files\` allows 2.
Write a narrower pattern, or \`max-files: 3\` if all of them are meant.",
    "title": "More files than allowed",
  },
]
`)
  expect(result.code).toBe(1)
  expect(connections).toBe(before)
})

test('every proxy address that is invalid is reported, before the inputs, and is not shown', async () => {
  const result = await run({ method: 'v2' }, { HTTPS_PROXY: 'me:made-up-password', http_proxy: 'made-up.example:3128' })
  const text = expect.stringMatching(
    /^`(HTTPS_PROXY|https?_proxy)` is not the URL of a proxy\.\nWrite it with its scheme/,
  )
  const error = { title: 'Invalid proxy address', text }
  expect(errorsIn(result)).toEqual([error, error])
  expect(result).toMatchObject({ code: 1, stderr: '', outputs: { status: 'failed' } })
  expect(result.stdout + result.summary).not.toContain('made-up')
})
