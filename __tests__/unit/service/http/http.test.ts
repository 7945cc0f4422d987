import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, jest, test } from '@jest/globals'
import { withEnvironment } from '../../../support/environment.ts'
import { body, request, respondWith, start, token } from '../../../support/http-client.ts'
import { onPosix } from '../../../support/systems.ts'

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'))
describe('A request', () => {
  test('is sent as it is, with its length and the token', async () => {
    await using server = await start(respondWith(200, 'done'))
    await server.send()
    const headers = {
      'content-type': 'text/plain',
      'content-length': '6',
      'accept-encoding': 'identity',
      'user-agent': `${name}/${version}`,
    }
    const authorization = `Bearer ${token}`
    const expected = {
      method: 'POST',
      url: '/api/a?b=c',
      body: 'onetwo',
      headers: { ...headers, authorization },
    }
    expect(server.received).toMatchObject([expected])
  })

  test('with the token goes to no other origin', async () => {
    await using server = await start(respondWith(200, 'done'))
    const elsewhere = server.origin.replace('127.0.0.1', 'localhost')
    await expect(server.http.send(request(elsewhere))).rejects.toThrow(
      `The token belongs to ${server.origin} and is not sent to ${elsewhere}.`,
    )
    expect(server.received).toEqual([])
  })

  onPosix('over plain http, or to this machine, takes no proxy', async () => {
    await using proxy = await start(respondWith(200, 'proxy'))
    const variables = { http_proxy: proxy.origin, https_proxy: proxy.origin, no_proxy: '' }
    await using server = await withEnvironment(variables, () => start(respondWith(200, 'done')))
    const { port } = new URL(server.origin)
    const send = (url: string) => server.http.send(request(`${url}:${port}`, { authorized: false }))
    expect(await send('http://0.0.0.0')).toMatchObject({ text: 'done' })
    expect(await send('http://localhost')).toMatchObject({ text: 'done' })
    await expect(send('https://127.0.0.1')).rejects.toMatchObject({
      code: 'ERR_SSL_WRONG_VERSION_NUMBER',
    })
  })

  test('takes no user name and no password from its URL', async () => {
    await using server = await start(respondWith(200, 'done'))
    const url = server.origin.replace('//', '//user:password@')
    await server.http.send(request(`${url}/upload`, { authorized: false }))
    expect(server.received).toMatchObject([{ url: '/upload', body: 'onetwo' }])
    expect(server.received[0]?.headers).not.toHaveProperty('authorization')
  })

  test('waits for one of six connections', async () => {
    const responses: ServerResponse[] = []
    await using server = await start((response) => responses.push(response))
    const all = Array.from({ length: 8 }, () => server.send({ body: body('a=b') }))
    while (responses.length < 6) await new Promise(setImmediate)
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate)
    expect(responses).toHaveLength(6)
    for (const response of responses.splice(0)) response.end()
    while (responses.length < 2) await new Promise(setImmediate)
    for (const response of responses) response.end()
    expect(await Promise.all(all)).toHaveLength(8)
  })

  test('uses no connection that was idle for four seconds, whatever the server allows', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance', 'Date', 'hrtime'] })
    try {
      const ports: unknown[] = []
      await using server = await start((response, { socket }) => {
        ports.push(socket.remotePort)
        response.writeHead(200, { 'keep-alive': 'timeout=600' }).end('done')
      })
      for (const seconds of [3, 5, 0]) {
        await server.send()
        await new Promise(setImmediate)
        jest.advanceTimersByTime(seconds * 1_000)
      }
      expect(ports.map((port) => ports.indexOf(port))).toEqual([0, 0, 2])
    } finally {
      jest.useRealTimers()
    }
  })
})

describe('A response', () => {
  test('has its status, its headers and its text', async () => {
    const headers = { 'X-One': 'a', 'Set-Cookie': ['b', 'c'] }
    await using server = await start(respondWith(418, 'grün', headers))
    const response = await server.send()
    expect(response).toMatchObject({
      status: 418,
      text: 'grün',
      headers: { 'x-one': 'a', 'set-cookie': 'b' },
      isEarly: false,
    })
  })

  test('that redirects is not followed, and only its origin is kept', async () => {
    const locations = ['https://other.example/secret?a=b', '/secret'].map((location) => ({
      location,
    }))
    await using server = await start((reply) =>
      reply.writeHead(307, locations[server.received.length - 1] ?? {}).end(),
    )
    const received = [await server.send(), await server.send(), await server.send()]
    expect(received.map(({ headers }) => headers['location'])).toEqual([
      'https://other.example',
      '',
      undefined,
    ])
    expect(server.received).toHaveLength(3)
  })

  test.each([
    [`{"a":["${token}",1]}`, '{"a":["***",1]}'],
    [`{"a":"\\u0078${token.slice(1)}"}`, '{"a":"***"}'],
    [`{"<title>${token}":"\\\\"}`, '{"<title>***":"\\\\"}'],
    [`no JSON: ${token}!`, 'no JSON: ***!'],
    [
      `${'['.repeat(9)}"\\u0078${token.slice(1)}"${']'.repeat(9)}`,
      `${'['.repeat(9)}"***"${']'.repeat(9)}`,
    ],
  ])('that quotes the token is read without it: %#', async (text, expected) => {
    await using server = await start(respondWith(200, text, { 'x-echo': `Bearer ${token}` }))
    const response = await server.send()
    expect(response.text).toBe(expected)
    expect(response.headers['x-echo']).toBe('Bearer ***')
  })

  test.each([
    ['it is compressed, though nobody asked for that', gzipSync('{"ok":true}')],
    ['it is not UTF-8', Buffer.from('ä', 'latin1')],
    ['it is UTF-16 without saying so', Buffer.from('ab', 'utf16le')],
  ])('has no text if %s', async (_, bytes) => {
    await using server = await start(respondWith(200, bytes))
    expect((await server.send()).text).toBeUndefined()
  })
})
