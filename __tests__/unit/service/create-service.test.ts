import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { diskContent } from '../../../src/files/content.ts'
import type { CreateServiceOptions } from '../../../src/service/create-service.ts'
import { createService } from '../../../src/service/create-service.ts'
import type { MessagingService, ServiceEvent } from '../../../src/service/service.ts'
import { quoted } from '../../../src/text/text.ts'
import { foundFile, response, scriptedService } from '../../support/scripted-service.ts'
import { tree } from '../../support/tree.ts'

function start(
  method: MessagingService['method'],
  base: string,
  environment: Parameters<typeof createService>[1] = {},
) {
  const scripted = scriptedService({ 'files.completeUploadExternal': [{ ok: true }] })
  const events: ServiceEvent[] = []
  const options: CreateServiceOptions = {
    method,
    baseUrl: new URL(base),
    token: 'xoxb-made-up-for-this-test',
    deadline: scripted.deadline,
    content: diskContent('xoxb-made-up-for-this-test'),
    useProxies: false,
    dryRun: false,
    ifNotConfirmed: 'error',
    onEvent: (event) => events.push(event),
    maskSecret: () => undefined,
  }
  return { ...scripted, ...createService(options, environment), events }
}

describe('The service', () => {
  test.each(['external', 'files.upload'] as const)('is reached by the method %s', (method) => {
    expect(start(method, 'https://chat.example').service.method).toBe(method)
  })

  test.each([
    ['https://slack.com', 'Slack accepted the files'],
    ['https://chat.example:8443', '`chat.example:8443` accepted the files'],
  ])('is named in what the user reads: %s', async (base, expected) => {
    const http = { close() {}, send: async () => response(200, { ok: true }) }
    const { play, service } = start('external', base, { http })
    const message = { channels: [{ id: 'C1', requested: 'C1' }], files: [{ file: foundFile('a'), id: 'F1' }] }
    const { problems } = await play(service.post(message))
    expect(problems.map(({ text }) => quoted(text).slice(0, expected.length))).toEqual([expected])
  })

  test('is closed with its connections', () => {
    const closed: string[] = []
    for (const method of ['external', 'files.upload'] as const) {
      const http = { close: () => closed.push(method), send: async () => response(200) }
      start(method, 'https://chat.example', { http })[Symbol.dispose]()
    }
    expect(closed).toEqual(['external', 'files.upload'])
  })
})

test('A file of the disk is sent over the network, and its bytes are counted', async () => {
  const requests: (string | undefined)[] = []
  const server = createServer((request, reply) => {
    requests.push(request.headers.authorization)
    request.resume().on('end', () => reply.end('{"ok":true}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await using folder = await tree({ 'a.csv': 'a,b\n' })
  const [file] = (await folder.find('a.csv')).files
  if (file === undefined) throw new Error(`not found: ${path.join(folder.root, 'a.csv')}`)
  const { events, service, ...connection } = start('files.upload', `http://127.0.0.1:${port}`)
  const message = { channels: [{ id: 'C1', requested: 'C1' }], files: [{ file }] }
  const { postings } = await service.post(message)
  connection[Symbol.dispose]()
  server.closeAllConnections()
  server.close()
  expect(postings.map(({ state }) => state)).toEqual(['accepted'])
  expect(requests).toEqual(['Bearer xoxb-made-up-for-this-test'])
  expect(events).toMatchObject([
    { kind: 'sent', bytes: 4 },
    { kind: 'request', outcome: 'ok' },
  ])
})
