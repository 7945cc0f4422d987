import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { describe, expect, test } from '@jest/globals'
import { addPage } from '../../sandbox/page.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { post } from '../support/post.ts'

async function withPage(use: (sandbox: Sandbox) => Promise<void>, options = {}): Promise<void> {
  const sandbox = await startSandbox({ page: addPage, ...options })
  try {
    await use(sandbox)
  } finally {
    await sandbox.stop()
  }
}

interface ServerEvent {
  readonly event: string | undefined
  readonly data: string
}

async function* eventsOf({ origin }: Sandbox): AsyncGenerator<ServerEvent, undefined> {
  const { body } = await fetch(`${origin}/page/events`)
  let text = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      yield { event: /^event: (.*)$/m.exec(part)?.[1], data: /^data: (.*)$/m.exec(part)?.[1] ?? '' }
    }
  }
}

/** What comes next, `data` read. */
async function next(events: AsyncGenerator<ServerEvent, undefined>) {
  const { value } = await events.next()
  return { event: value?.event, data: JSON.parse(value?.data ?? 'null') }
}

describe("The page's server", () => {
  test('allows the page nothing inline, nothing from elsewhere and no text that becomes markup', () =>
    withPage(async ({ origin }) => {
      const { headers } = await fetch(origin)
      const policy = headers.get('content-security-policy')
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
      expect(policy).toContain("frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'")
      expect(policy).not.toMatch(/unsafe|http|data:|\*/)
    }))

  test.each(['page.html', 'picture.svg', 'script.js', 'data.xml', 'table.csv', 'noextension'])(
    'serves an uploaded %s only as a download',
    (name) =>
      withPage(async (sandbox) => {
        const { id } = await post(sandbox, name, '<script>alert(1)</script>')
        const response = await fetch(`${sandbox.origin}/page/files/${id}`)
        expect(Object.fromEntries(response.headers)).toMatchObject({
          'content-disposition': 'attachment',
          'content-security-policy': "default-src 'none'; sandbox",
          'content-type': 'application/octet-stream',
          'cross-origin-resource-policy': 'same-origin',
          'x-content-type-options': 'nosniff',
        })
        expect(await response.text()).toBe('<script>alert(1)</script>')
      }),
  )

  test('serves an image as an image', () =>
    withPage(async (sandbox) => {
      const { id } = await post(sandbox, 'chart.PNG', 'pixels')
      const { headers } = await fetch(`${sandbox.origin}/page/files/${id}`)
      expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual(['image/png', 'nosniff'])
    }))

  test('has nothing for a file that is not there', () =>
    withPage(async (sandbox) => {
      for (const absent of ['F0', '..%2F..%2Fpackage.json']) {
        expect((await fetch(`${sandbox.origin}/page/files/${absent}`)).status).toBe(404)
      }
    }))

  test('sends the state first, then each message and each request', () =>
    withPage(async (sandbox) => {
      await post(sandbox, 'before.csv', 'a')
      const events = eventsOf(sandbox)
      expect(await next(events)).toMatchObject({
        event: 'state',
        data: { messages: [{ files: [{ name: 'before.csv' }] }], requests: [{ path: '/api/files.upload' }] },
      })
      await post(sandbox, 'after.csv', 'a')
      const received = [await next(events), await next(events)]
      await events.return(undefined)
      expect(received).toMatchObject([
        { event: 'message', data: { conversation: { name: 'general' }, message: { files: [{ name: 'after.csv' }] } } },
        { event: 'request', data: { path: '/api/files.upload', status: 200, token: 'right' } },
      ])
    }))

  test('sends no token, no path on disk and no long value', () =>
    withPage(async (sandbox) => {
      const { baseUrl, tokens } = sandbox
      await post(sandbox, 'a.csv', 'a')
      const body = new URLSearchParams({ token: tokens.all, note: 'x'.repeat(100_000), other: tokens.user })
      const real = ['xoxb', '1', 'a'].join('-')
      await fetch(`${baseUrl}/api/auth.test`, {
        method: 'POST',
        body,
        headers: { 'x-long': 'x'.repeat(5000), 'x-token': real },
      })
      const events = eventsOf(sandbox)
      const { value: state } = await events.next()
      await events.return(undefined)
      expect(JSON.parse(state?.data ?? '')).toMatchObject({
        messages: [{ files: [{ name: 'a.csv' }] }],
        requests: [
          { token: 'right' },
          {
            status: 200,
            token: 'right',
            fields: [
              ['token', '***'],
              ['note', expect.anything()],
              ['other', '***'],
            ],
          },
        ],
      })
      expect(state?.data.length).toBeLessThan(10_000)
      for (const secret of [...Object.values(tokens), real, 'stored', tmpdir()])
        expect(state?.data).not.toContain(secret)
    }))

  test('reports which run a request belongs to, its headers, its body and the fault that it met', () =>
    withPage(async (sandbox) => {
      await post(sandbox, 'first.csv', 'a')
      sandbox.faults.add({ on: 'files.upload', fault: { kind: 'error', code: 'fatal_error' } })
      await fetch(`${sandbox.baseUrl}/api/files.upload`, { method: 'POST', headers: { 'user-agent': 'curl/8' } })
      await fetch(`${sandbox.baseUrl}/api/files.upload`, { method: 'POST', headers: { 'user-agent': 'another' } })
      const events = eventsOf(sandbox)
      const { data } = await next(events)
      await events.return(undefined)
      expect(data.requests).toMatchObject([
        {
          run: 1,
          time: expect.any(Number),
          headers: expect.arrayContaining([['authorization', 'Bearer ***']]),
          file: { name: 'first.csv', length: 1, sha256: createHash('sha256').update('a').digest('hex') },
          responseBody: expect.stringContaining('"ok": true'),
        },
        { run: 2, headers: expect.arrayContaining([['user-agent', 'curl/8']]), fault: 'error', error: 'fatal_error' },
        { run: 3, headers: expect.arrayContaining([['user-agent', 'another']]) },
      ])
      expect(data.requests[0].fault).toBeUndefined()
    }))

  test('opens for the links in responses of the service, and for nothing else', () =>
    withPage(async (sandbox) => {
      const { permalink } = await post(sandbox, 'a b.csv', 'a')
      for (const url of [
        permalink,
        `${sandbox.origin}/archives/C0GENERAL00/p1760688662900279`,
        `${sandbox.origin}/requests`,
      ]) {
        expect(await (await fetch(url)).text()).toContain('<script src="/page/page.js" type="module">')
      }
      for (const path of ['/archives/none', '/archives/none/p1760688662900279', '/files/U0APPUSER00/F0/a.csv']) {
        const response = await fetch(sandbox.origin + path)
        expect(response.status).toBe(404)
        expect(await response.text()).toContain('<script src="/page/page.js" type="module">')
      }
      for (const path of ['/page/', '/page/..%2fpage.ts', '/page/events.ts', '/favicon.ico']) {
        expect((await fetch(sandbox.origin + path)).status).toBe(404)
      }
    }))

  test.each([
    ['by another name', { host: 'attacker.example' }],
    ['from a page of another site', { origin: 'https://site.example' }],
    ['from a page without an origin', { origin: 'null' }],
  ])('refuses a request %s', (_, headers) =>
    withPage(async (sandbox) => {
      const { id } = await post(sandbox, 'a.csv', 'a')
      for (const path of ['/', '/page/events', `/page/files/${id}`]) {
        const [response] = await once(request(sandbox.origin + path, { headers }).end(), 'response')
        response.resume()
        expect(response.statusCode).toBe(403)
      }
    }),
  )

  test('is not among the requests that the service got', () =>
    withPage(async (sandbox) => {
      for (const path of ['/', '/page/page.js', '/page/papaparse.min.js', '/page/style.css', '/page/icon.svg']) {
        expect((await fetch(sandbox.origin + path)).status).toBe(200)
      }
      expect(sandbox.requests).toEqual([])
    }))
})
