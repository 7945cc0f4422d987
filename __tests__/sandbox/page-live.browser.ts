import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { picture, post, postBlocks, section } from '../support/api-client.ts'
import { expectSoon, open, start } from '../support/page.ts'
import { startProcess } from '../support/processes.ts'
import { root } from '../support/repository.ts'

const articles = (page: Page) =>
  page.getByRole('article', { name: /^Reports app, \d+ \w+ \d{4}, \d\d:\d\d$/ })

describe('What is posted', () => {
  test('appears without a reload, and what a lost connection missed when it is back', async () => {
    const sandbox = await start()
    const { channels, origin } = sandbox
    const { errors, page } = await open(origin)
    await page.getByText('No messages yet').waitFor()
    await page.evaluate('window.loaded = "once"')
    await post(sandbox, 'a.csv', 'a', { channels: channels.releases })
    await page.getByRole('heading', { level: 2, name: '#releases' }).waitFor()
    const status = page.getByRole('status')
    await expectSoon(() => status.textContent(), 'New in #releases: 1 file')

    await sandbox.stop()
    await page.getByText('Not connected', { exact: true }).waitFor()
    expect(await status.textContent()).toBe('Not connected to the sandbox')
    const next = await start({ port: Number(new URL(origin).port) })
    for (const name of ['b.csv', 'c.csv'])
      await post(next, name, 'b', { channels: channels.releases })
    await page.getByText('Live').waitFor()
    await expectSoon(() => articles(page).count(), 2)
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.locator('summary').nth(1).waitFor()
    expect(await page.evaluate('window.loaded')).toBe('once')
    // The console reports the lost connection.
    errors.splice(0)
  })

  test('by npm start stays on the page with --keep, until Ctrl-C', async () => {
    const demo = startProcess(process.execPath, ['sandbox/demo.ts', '--keep'], { cwd: root })
    using _ = { [Symbol.dispose]: () => demo.kill('SIGKILL') }
    const ended = once(demo, 'close')
    let output = ''
    demo.stdout.on('data', (text) => {
      output += text
    })
    const url = /^Everything arrived[\s\S]*stays until Ctrl-C:\n(\S+)\n$/m
    while (!url.test(output)) await once(demo.stdout, 'data')
    const { errors, page } = await open(url.exec(output)?.[1] ?? '')
    const linked = page.locator('.linked > article')
    await linked.getByText('APP', { exact: true }).waitFor()
    await linked.getByText(/^2 files, .* v1\.2\.0/).waitFor()
    for (const name of ['general', 'reviewer']) {
      await page
        .getByRole('navigation')
        .getByRole('link', { name: `${name} 3 messages` })
        .click()
      await expectSoon(() => articles(page).count(), 3)
    }
    await expectSoon(() => articles(page).getByText('by files.upload').count(), 2)
    demo.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    await page.getByText('Not connected', { exact: true }).waitFor()
    errors.splice(0)
  })

  test('as a reply is below its message, or by itself if that message is not shown', async () => {
    const sandbox = await start()
    const file = await post(sandbox, 'parent.csv', 'a')
    const [{ ts }] = file.shares.public[sandbox.channels.general]
    const { page } = await open(sandbox.origin)
    await articles(page).waitFor()
    await post(sandbox, 'reply.csv', 'b', { thread_ts: ts, initial_comment: 'First reply' })
    await post(sandbox, 'lost.csv', 'd', { thread_ts: '1600000000.000001' })
    await page.getByText('reply to 1600000000.000001, which is not in this channel').waitFor()
    const parent = page.getByRole('listitem').filter({ hasText: 'parent.csv' })
    const thread = parent.getByRole('list', { name: 'Thread' })
    await expectSoon(() => thread.locator('.text').allTextContents(), ['First reply'])
  })

  test('is found by the links to the message and to the file', async () => {
    const sandbox = await start({ strictIds: false })
    const { channels, tokens, workspace } = sandbox
    await post(sandbox, 'first.csv', 'a', { channels: channels.releases })
    const file = await post(sandbox, 'a b?.csv', 'b', { channels: channels.releases })
    const [message] = workspace.messages.slice(-1)
    const form = { channel: channels.releases, message_ts: message?.ts ?? '' }
    const { json } = workspace.call('chat.getPermalink', { token: tokens.all, form })
    for (const link of [String(json?.['permalink']), file.permalink]) {
      const { page } = await open(link)
      expect(await page.locator('.linked h3').textContent()).toBe('a b?.csv')
    }
  })
})

test('Requests are grouped by run, marked if they failed, and open to show everything but tokens', async () => {
  const sandbox = await start()
  const { baseUrl, channels, tokens, uploadOrigin } = sandbox
  const { page } = await open(`${sandbox.origin}/requests`)
  sandbox.faults.add({ on: 'auth.test', fault: { kind: 'reset', when: 'after' } })
  await post(sandbox, 'a.csv', 'a', { channels: channels.notJoined, initial_comment: 'Nightly' })
  const send = (url: string, authorization: string) =>
    fetch(url, { method: 'POST', headers: { authorization, 'user-agent': 'second' }, body: 'four' })
  await send(`${baseUrl}/api/files.getUploadURLExternal`, 'Bearer wrong')
  await send(`${uploadOrigin}/upload/v1/x`, `Bearer ${tokens.all}`)
  await expect(send(`${baseUrl}/api/auth.test`, `Bearer ${tokens.user}`)).rejects.toThrow()
  const rows = page.locator('summary')
  const shown = [
    'POST /api/files\\.getUploadURLExternal 200 invalid_auth \\d+ ms 4 B Invalid token sent',
    'POST /upload/v1/x 500 \\d+ ms 4 B Token sent to the upload URL',
    'POST /api/auth\\.test No response fault: reset \\d+ ms 4 B Token sent',
    'POST /api/files\\.upload 200 not_in_channel \\d+ ms \\d+ B Token sent',
  ].map((text) => expect.stringMatching(new RegExp(`^\\d\\d:\\d\\d:\\d\\d ${text} $`)))
  const bad = [
    '200 invalid_auth',
    'Invalid token sent',
    '500',
    'Token sent to the upload URL',
    'No response fault: reset',
    '200 not_in_channel',
  ]
  await rows.nth(3).waitFor()
  expect(await rows.allTextContents()).toEqual(shown)
  const marked = await page.locator('summary .bad').allTextContents()
  expect(marked.map((text) => text.trim())).toEqual(bad)
  const runs = page.locator('main section')
  expect(await runs.getByRole('heading').allTextContents()).toEqual([
    'Run 2: external upload',
    'Run 1: files.upload',
  ])
  expect(await runs.locator('header p').first().textContent()).toMatch(
    /^\d+ \w+ \d{4}, \d\d:\d\d · 3 requests · 1 simulated fault · second$/,
  )

  await rows.last().click()
  for (const text of [
    /^Bearer \*\*\*$/,
    /^Nightly$/,
    channels.notJoined,
    /^a\.csv: application\/octet-stream, 1 B, SHA-256 ca978112ca1bbdcafac231b39a23dc4d/,
  ])
    await page.getByRole('definition').filter({ hasText: text }).waitFor()
  const response = await page.locator('.parts pre').textContent()
  expect(JSON.parse(response ?? '')).toMatchObject({ error: 'not_in_channel' })
  const content = await page.content()
  for (const token of Object.values(tokens)) expect(content).not.toContain(token)
})

test.each([
  { width: 320, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
] as const)(
  'axe finds nothing in any view, and none is too wide: $width, $colorScheme',
  async ({ colorScheme, width }) => {
    const sandbox = await start()
    const { channels, users, workspace } = sandbox
    const long = 'a-very-long-name-'.repeat(8)
    const id = 'C0LONGNAME0'
    workspace.addConversation({ id, name: long, kind: 'private', members: [users.app] })
    const file = await post(sandbox, `${long}.csv`, `${'cell,'.repeat(30)}end\n`.repeat(30), {
      channels: id,
      title: 'x'.repeat(200),
      initial_comment: `*b* \`c\` <@U1> > q ${'y'.repeat(300)}`,
      note: 'z'.repeat(500),
    })
    const { ts } = file.shares.private[id][0]
    await post(sandbox, 'log.txt', 'word '.repeat(10_000), { channels: id, thread_ts: ts })
    for (const [name, content] of Object.entries({ 'chart.png': picture, 'data.bin': '\0' }))
      await post(sandbox, name, content, { channels: id })
    await post(sandbox, 'a.csv', 'a', { channels: channels.notJoined })
    await post(sandbox, 'group.csv', 'a,b\n1,2', { channels: channels.group })
    await postBlocks(sandbox, [
      section('mrkdwn', '> q\n```code``` <https://a.example|link> <!here>'),
    ])
    const axe = await readFile(
      createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
      'utf8',
    )
    const { errors, page } = await open(sandbox.origin, {
      colorScheme,
      viewport: { width, height: 700 },
    })
    const linked = `${id}/p${ts.replace('.', '')}`
    const archives = [linked, channels.general, channels.group, channels.archived, 'none']
    for (const path of [...archives.map((name) => `/archives/${name}`), '/requests']) {
      await page.goto(sandbox.origin + path)
      await page.getByRole('main').getByRole('heading', { level: 2 }).waitFor()
      if (path.endsWith('none')) errors.splice(0)
      if (path.endsWith(linked))
        await page.getByRole('group', { name: 'Preview of log.txt' }).waitFor()
      for (const row of await page.locator('summary').all()) await row.click()
      await page.evaluate(axe)
      const found = await page.evaluate(
        'axe.run({ rules: { "target-size": { enabled: true } } }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)))',
      )
      const scrollWidth = await page.evaluate('document.documentElement.scrollWidth')
      expect({ path, found, scrollWidth }).toEqual({ path, found: [], scrollWidth: width })
    }
  },
)
