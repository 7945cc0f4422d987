import { once } from 'node:events'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { addPage } from '../../sandbox/page.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { atOnce } from '../../sandbox/settings.ts'
import { picture, post, postBlocks, section } from '../support/api-client.ts'

const octets = 'application/octet-stream'

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await startSandbox({ page: addPage, ...atOnce })
})
afterEach(() => sandbox.stop())

async function read(path: string): Promise<string> {
  return (await fetch(sandbox.origin + path)).text()
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
    const shown = await read('/requests')
    expect(shown).toContain('other: with ***')
    expect(shown).toContain(` ${'x'.repeat(2_000)} …`)
    expect(shown.length).toBeLessThan(20_000)
    for (const secret of [...Object.values(tokens), real, 'stored', tmpdir()])
      expect(shown).not.toContain(secret)
  })

  test('opens for the links in responses of the service, and for nothing else, and records none of it', async () => {
    const { origin, users, workspace } = sandbox
    const id = 'team/7'
    workspace.addConversation({ id, name: id, kind: 'public', members: [users.app] })
    const { permalink, shares } = await post(sandbox, 'a b.csv', 'a', { channels: id })
    const { ts } = shares.public[id][0]
    const place = `${origin}/archives/team%2F7`
    for (const [status, paths] of [
      [200, ['/', '/requests', '/page/live.js', '/page/style.css', '/page/icon.svg']],
      [404, ['/archives/none', '/files/U0APPUSER00/F0/a.csv', '/page/', '/page/..%2fpage.ts']],
      [404, ['/page/html.ts', '/favicon.ico', '/page/files/F0', '/page/files/..%2Fpackage.json']],
    ] as const)
      for (const path of paths)
        expect([path, (await fetch(origin + path)).status]).toEqual([path, status])
    for (const link of [permalink, `${place}/p${ts.replace('.', '')}`]) {
      const response = await fetch(link, { redirect: 'manual' })
      expect(new URL(response.headers.get('location') ?? '', link).href).toBe(`${place}#${ts}`)
    }
    const { headers, status } = await fetch(place)
    expect(status).toBe(200)
    // Even as markup, text from outside could neither run nor load anything.
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; (\S+-src 'self'; )+base-uri/,
    )
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

test('A page can tell that it is older than what there is, also before it was connected', async () => {
  const eventOf = (shown: string) =>
    `event: message\ndata: ${/data-version="(.+?)"/.exec(shown)?.[1]}\n\n`
  const old = await read('/')
  await post(sandbox, 'a.csv', 'a')
  const { body } = await fetch(`${sandbox.origin}/page/events`)
  let events = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    events += chunk
    if (events.includes('\n\n')) break
  }
  expect(events).not.toContain(eventOf(old))
  expect(events).toContain(eventOf(await read('/')))
})

test('Requests are shown by run, the newest first, with their fault, and marked if they failed', async () => {
  const { baseUrl, channels, faults, tokens, uploadOrigin, workspace } = sandbox
  const send = (url: string, token: string, body: Record<string, string>) =>
    fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'user-agent': 'second' },
      body: new URLSearchParams(body),
    })
  faults.add({ on: 'auth.test', fault: { kind: 'reset', when: 'after' } })
  await post(sandbox, 'b.csv', 'b', { channels: channels.notJoined })
  await send(`${uploadOrigin}/upload/v1/x`, tokens.all, { a: 'b' })
  await send(`${baseUrl}/api/files.getUploadURLExternal`, 'wrong', {})
  await expect(send(`${baseUrl}/api/auth.test`, tokens.user, {})).rejects.toThrow()
  workspace.set({ processing: 60_000 })
  await postBlocks(sandbox, [section('mrkdwn', 'c')])
  for (const file of [workspace.files[0]?.id ?? '', 'F0'])
    await send(`${baseUrl}/api/files.info`, tokens.all, { file })

  const lines = (await read('/requests')).matchAll(/<summary>([\s\S]*?)<\/summary>/g)
  const shown = [...lines].map(([, markup = '']) =>
    markup
      .replace(/<[^>]* class="([^"]*)">/g, '[$1] ')
      .replace(/<[^>]*>|\s+/g, ' ')
      .replace(/\d\d:\d\d:\d\d/, 'now')
      .replace(/\d+ ms/, 'N ms'),
  )
  expect(shown.map((line) => line.replace(/ +/g, ' ').trim()).join('\n')).toMatchInlineSnapshot(`
"[run] Run 4 [time] now [line] POST /api/files.info [early] 200 file_not_found: not processed yet [duration] N ms [size] 16 B [token] Token sent
[run] Run 4 [time] now [line] POST /api/files.info [bad] 200 file_not_found [duration] N ms [size] 7 B [token] Token sent
[run] Run 3 [time] now [line] POST /api/files.getUploadURLExternal [] 200 [duration] N ms [size] 23 B [token] Token sent
[run] Run 3 [time] now [line] POST /upload/v1/ticket-0000000004 [] 200 [duration] N ms [size] 5 B [token] No token
[run] Run 3 [time] now [line] POST /api/files.completeUploadExternal [] 200 [duration] N ms [size] 185 B [token] Token sent
[run] Run 2 [time] now [line] POST /upload/v1/x [bad] 500 [duration] N ms [size] 3 B [token bad] Token sent to the upload URL
[run] Run 2 [time] now [line] POST /api/files.getUploadURLExternal [bad] 200 invalid_auth [duration] N ms [size] 0 B [token bad] Invalid token sent
[run] Run 2 [time] now [line] POST /api/auth.test [bad] No response [badge] fault: reset [duration] N ms [size] 0 B [token] Token sent
[run] Run 1 [time] now [line] POST /api/files.upload [bad] 200 not_in_channel [duration] N ms [size] 282 B [token] Token sent"
`)
})

test('Tables, images, text and source are shown, and a note for what cannot be', async () => {
  const rows = Array.from({ length: 120 }, (_, index) => `${index},"word ""${index}"", quoted"`)
  const files: readonly (readonly [string, string | Uint8Array<ArrayBuffer>, string])[] = [
    [
      'words.csv',
      `\ufeffnumber,word\r\n${rows.join('\r\n')}`,
      '<td>49</td><td>word &#34;49&#34;, quoted</td>',
    ],
    [
      'long.csv',
      `a\n${'b,'.repeat(3)}c\n${'d'.repeat(20_000)}`,
      'sandbox: 1 row. The file has more.',
    ],
    ['chart.png', picture, 'alt="chart.png"'],
    ['log.txt', 'first\nsecond', 'first\nsecond</pre>'],
    ['page.html', '<script>alert(1)</script>', '&#60;script&#62;alert(1)'],
    ['data.bin', new Uint8Array([1, 0, 2]), 'No preview for this kind of file.'],
    ['empty.csv', '', 'Empty.'],
    ['tabs.tsv', 'a\tb, c\n1\t2', '<th scope="col">b, c</th>'],
  ]
  for (const [name, content] of files) await post(sandbox, name, content)
  const shown = await read('/')
  for (const [, , part] of files) expect(shown).toContain(part)
  expect(shown).toContain('<th scope="col">number</th>')
  expect(shown).toContain('50 of 120 rows')
  expect(shown).not.toContain('<td>50</td>')
})

test('Text from outside stays text: in names of files, comments, cells, names of conversations and of fields', async () => {
  const attack = `<img src="x" onerror="alert('ran')">`
  const { users, workspace } = sandbox
  const id = 'C0ATTACKED0'
  workspace.addConversation({ id, name: attack, kind: 'public', members: [users.app] })
  await post(sandbox, `${attack.replaceAll('"', "'")}.csv`, `${attack},b\n`, {
    channels: id,
    initial_comment: attack,
    title: attack,
    [attack.replaceAll('"', '')]: attack,
  })
  for (const path of [`/archives/${id}`, '/requests']) {
    const shown = await read(path)
    expect(shown).toContain('&#60;img src=')
    expect(shown).not.toMatch(/<img|"x"/)
  }
})

test('A reply is below its message, or by itself if that message is not shown', async () => {
  const { shares } = await post(sandbox, 'parent.csv', 'a')
  const { ts } = shares.public[sandbox.channels.general][0]
  await post(sandbox, 'reply.csv', 'b', { thread_ts: ts, initial_comment: 'First reply' })
  await post(sandbox, 'lost.csv', 'd', { thread_ts: '1600000000.000001' })
  const shown = await read('/')
  expect(shown).toContain('reply to 1600000000.000001, which is not in this channel')
  expect(shown).toMatch(
    /parent\.csv[\s\S]*<ol class="thread" aria-label="Thread">[\s\S]*First reply[\s\S]*<\/ol>/,
  )
})

const link = (url: string, label = url) =>
  `<a href="${url}" target="_blank" rel="noreferrer">${label}</a>`
const mention = (text: string) => `<span class="mention">${text}</span>`

test('Messages show the markup of blocks, and nothing else as markup', async () => {
  const emoji = '<span role="img" aria-label="tada" title=":tada:">🎉</span>'
  const samples: readonly (readonly [text: string, html: string])[] = [
    ['*b _i ~s~_* `c *x*`', '<strong>b <em>i <s>s</s></em></strong> <code>c *x*</code>'],
    // Marks that format nothing.
    ...['a*b*c', 'snake_case_name', '2 * 3 *4 * 5', '*e*f'].map((text) => [text, text] as const),
    ['<https://a.example/?x=1&amp;y>', link('https://a.example/?x=1&#38;y')],
    ['<mailto:a@b.example|the *page*>', link('mailto:a@b.example', 'the *page*')],
    ['*<https://a.example/*x>*', `<strong>${link('https://a.example/*x')}</strong>`],
    [
      '<javascript:alert(1)|x> <data:text/html,x>',
      '&#60;javascript:alert(1)|x&#62; &#60;data:text/html,x&#62;',
    ],
    [
      '<@U0PERSON000> <#C0BUILDS000> <!here> <!subteam^S1|@team> <!subteam^S1> <@U9>',
      ['@person', '#builds', '@here', '@team', '@S1', '@U9'].map(mention).join(' '),
    ],
    [
      '&lt;!channel&gt; &amp;lt; *&lt;b&gt;* https://a.example',
      '&#60;!channel&#62; &#38;lt; <strong>&#60;b&#62;</strong> https://a.example',
    ],
    [':tada: :none: `:tada:`', `${emoji} :none: <code>:tada:</code>`],
    ['a\n```\n*x* &lt;b&gt;\n```\nend', 'a\n<pre><code>*x* &#60;b&#62;</code></pre>end'],
    ['&gt; one *b*\n> two\nend', '<blockquote>one <strong>b</strong>\ntwo</blockquote>end'],
  ]
  for (const [text] of samples)
    await postBlocks(sandbox, [section('mrkdwn', text, { verbatim: true })])
  const shown = [...(await read('/')).matchAll(/<div class="text">([\s\S]*?)<\/div>/g)].map(
    ([, text]) => text,
  )
  expect(samples.map(([text], index) => [text, shown[index]])).toEqual(samples)
})
