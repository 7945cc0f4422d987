import { once } from 'node:events'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { addPage } from '../../sandbox/page.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { atOnce } from '../../sandbox/settings.ts'
import { post } from '../support/api-client.ts'

const octets = 'application/octet-stream'

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await startSandbox({ page: addPage, ...atOnce })
})
afterEach(() => sandbox.stop())

/** The first event of the page, raw and parsed. */
async function readState() {
  const { body } = await fetch(`${sandbox.origin}/page/events`)
  let text = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const [, sent] = /^event: state\ndata: (.*)\n\n/m.exec(text) ?? []
    if (sent !== undefined) return { ...JSON.parse(sent), sent }
  }
}

describe("The page's server", () => {
  test.each([
    ['page.html', octets],
    ['noextension', octets],
    ['chart.PNG', 'image/png'],
  ])('serves an uploaded %s only as a download, as %s', async (name, type) => {
    const { id } = await post(sandbox, name, '<script>alert(1)</script>')
    const response = await fetch(`${sandbox.origin}/page/files/${id}`)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-disposition': 'attachment',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': type,
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(await response.text()).toBe('<script>alert(1)</script>')
  })

  test('sends no token, no path on disk and no long value', async () => {
    const { baseUrl, tokens } = sandbox
    await post(sandbox, 'a.csv', 'a')
    const body = new URLSearchParams({
      token: tokens.all,
      note: 'x'.repeat(100_000),
      other: `with ${tokens.user}`,
    })
    const real = ['xoxb', '1', 'a'].join('-')
    const headers = { 'x-long': 'x'.repeat(5000), 'x-token': real }
    await fetch(`${baseUrl}/api/auth.test`, { method: 'POST', body, headers })
    const { requests, sent } = await readState()
    const fields = [
      ['token', '***'],
      ['note', `${'x'.repeat(2000)} …`],
      ['other', 'with ***'],
    ]
    expect(requests).toMatchObject([{ token: 'right' }, { status: 200, token: 'right', fields }])
    expect(sent.length).toBeLessThan(10_000)
    for (const secret of [...Object.values(tokens), real, 'stored', tmpdir()])
      expect(sent).not.toContain(secret)
  })

  test('opens for the links in responses of the service, and for nothing else, and records none of it', async () => {
    const { permalink } = await post(sandbox, 'a b.csv', 'a')
    const script = '<script src="/page/page.js" type="module">'
    for (const [status, shown, paths] of [
      [
        200,
        script,
        ['/', '/requests', '/archives/C0GENERAL00/p1760688662900279', new URL(permalink).pathname],
      ],
      [200, '', ['/page/page.js', '/page/papaparse.min.js', '/page/style.css', '/page/icon.svg']],
      [
        404,
        script,
        ['/archives/none', '/archives/none/p1760688662900279', '/files/U0APPUSER00/F0/a.csv'],
      ],
      [404, '', ['/page/', '/page/..%2fpage.ts', '/page/events.ts', '/favicon.ico']],
      [404, '', ['/page/files/F0', '/page/files/..%2F..%2Fpackage.json']],
    ] as const)
      for (const path of paths) {
        const response = await fetch(sandbox.origin + path)
        expect([path, response.status]).toEqual([path, status])
        expect(await response.text()).toContain(shown)
        // Even as markup, text from outside could neither run nor load anything.
        if (shown === script)
          expect(response.headers.get('content-security-policy')).toMatch(
            /^default-src 'none'; (\S+-src 'self'; )+base-uri .* require-trusted-types-for 'script'; trusted-types 'none'$/,
          )
      }
    const recorded = sandbox.requests.filter(({ status }) => status === 200).map(({ path }) => path)
    expect(recorded).toEqual(['/api/files.upload'])
  })

  test.each([
    ['by another name', { host: 'attacker.example' }],
    ['from a page of another site', { origin: 'https://site.example' }],
    ['from a page without an origin', { origin: 'null' }],
  ])('refuses a request %s', async (_, headers) => {
    const { id } = await post(sandbox, 'a.csv', 'a')
    for (const path of ['/', '/page/events', `/page/files/${id}`, '/api/auth.test']) {
      const [response] = await once(request(sandbox.origin + path, { headers }).end(), 'response')
      response.resume()
      expect(response.statusCode).toBe(403)
    }
    expect(sandbox.requests).toHaveLength(1)
  })
})
