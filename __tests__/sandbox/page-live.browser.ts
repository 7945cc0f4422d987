import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { picture, post, postBlocks, section } from '../support/api-client.ts'
import { expectSoon, open, start } from '../support/page.ts'
import { startProcess } from '../support/processes.ts'
import { root } from '../support/repository.ts'

const running: ChildProcess[] = []

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

/**
 * One of the project's programs; `printed` waits for a text in its output and returns the match.
 */
function run(
  script: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const child = startProcess(process.execPath, [script, ...args], { cwd: root, env })
  running.push(child)
  let output = ''
  const printed = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const match = pattern.exec(output)
      if (match) return match[1] ?? match[0]
      await Promise.race([once(child.stdout, 'data'), exited])
    }
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const exited = once(child, 'close').then(([code]) => {
    if (code !== 0) throw new Error(`${script} ended with ${code}:\n${output}`)
    return code
  })
  exited.catch(() => {})
  return { child, exited, printed }
}

const articles = (page: Page) => page.getByRole('article')

describe('What is posted', () => {
  test('by npm start to a running sandbox appears without a reload', async () => {
    const sandbox = run('sandbox/cli.ts')
    const { page } = await open(await sandbox.printed(/^Page.*\n {2}(http:\S+)/m))
    await page.getByText('No messages yet').waitFor()
    await page.evaluate('window.loaded = "once"')

    const token = await sandbox.printed(/^ {2}all +(xoxb-\w+)/m)
    const channel = await sandbox.printed(/^ {2}releases +(\w+)/m)
    const baseUrl = await sandbox.printed(/^Base URL\n {2}(\S+)/m)
    const args = [
      '--base-url',
      baseUrl,
      '--token-env',
      'TOKEN',
      '--channels',
      channel,
      '--method',
      'external',
    ]
    await run('sandbox/demo.ts', args, { TOKEN: token }).exited

    await page.getByRole('heading', { level: 2, name: '#releases' }).waitFor()
    await page.getByRole('group', { name: 'Preview of test-results.csv' }).waitFor()
    expect(await articles(page).locator('.text').textContent()).toMatch(/^2 files, 1\.3 KB$/)
    expect(await page.getByRole('status').textContent()).toBe('New in #releases: 2 files')
    await page.getByRole('link', { name: 'Requests' }).click()
    const row = (text: RegExp) => page.locator('summary').filter({ hasText: text })
    await row(/POST \/api\/files\.completeUploadExternal 200 .* B Token sent $/).waitFor()
    await expectSoon(() => row(/POST \/upload\/.* B No token $/).count(), 2)
    await page.getByRole('heading', { level: 3, name: 'Run 1: external upload' }).waitFor()
    expect(await page.evaluate('window.loaded')).toBe('once')
  })

  test('by npm start stays on the page with --keep, until Ctrl-C', async () => {
    const demo = run('sandbox/demo.ts', ['--keep'])
    const url = await demo.printed(
      /^Everything arrived[\s\S]*Open this page in a browser; it stays until Ctrl-C:\n(\S+)\n$/m,
    )
    const { errors, page } = await open(url)
    const linked = page.locator('.linked > article')
    await linked.getByText('APP', { exact: true }).waitFor()
    await linked.getByText(/^2 files, .* v1\.2\.0/).waitFor()
    for (const name of ['coverage.csv', 'test-results.csv']) {
      await expectSoon(() => page.getByRole('group', { name: `Preview of ${name}` }).count(), 2)
    }
    for (const name of ['general', 'releases', 'reviewer']) {
      await page
        .getByRole('navigation')
        .getByRole('link', { name: `${name} 3 messages` })
        .click()
      await expectSoon(() => articles(page).count(), 3)
    }
    await expectSoon(() => articles(page).getByText('by files.upload').count(), 2)
    expect(await articles(page).first().getByText('by files.upload').count()).toBe(0)
    await page.getByRole('link', { name: 'Requests' }).click()
    await expectSoon(
      () => page.getByRole('heading', { level: 3 }).allTextContents(),
      ['Run 2: files.upload', 'Run 1: external upload'],
    )
    demo.child.kill('SIGINT')
    expect(await demo.exited).toBe(0)
    await page.getByText('Not connected', { exact: true }).waitFor()
    // The console reports that the connection was lost.
    errors.splice(0)
  })

  test('by the command that an empty channel shows, or not at all: then the list marks it, and it says why', async () => {
    const sandbox = await start()
    const { channels } = sandbox
    const { page } = await open(sandbox.origin)
    for (const [name, fact, commands, code] of [
      ['builds', 'Public channel', [channels.builds], undefined],
      ['not-joined', 'the app is not a member', [], 'not_in_channel'],
      ['private-not-joined', 'the app is not a member', [], 'channel_not_found'],
      ['archived', 'archived', [], 'is_archived'],
      ['posting-denied', 'posting is denied', [], 'posting_to_channel_denied'],
    ] as const) {
      await page
        .getByRole('link', { name: code ? `${name} (closed to the app)` : name, exact: true })
        .click()
      await page.locator('main > header p', { hasText: fact }).waitFor()
      const why = code
        ? `The app cannot post here (${fact}). Each attempt fails with ${code}.`
        : /^No messages yet/
      await expectSoon(() => page.locator('.empty', { hasText: why }).count(), 1)
      const shown = await page.getByText('-F file=@').allTextContents()
      expect(shown.map((command) => /'channels=(\w+)'/.exec(command)?.[1])).toEqual(commands)
    }
  })

  test('as a reply is below its message, or by itself if that message is not shown', async () => {
    const sandbox = await start()
    const file = await post(sandbox, 'parent.csv', 'a')
    const [{ ts }] = file.shares.public[sandbox.channels.general]
    const { page } = await open(sandbox.origin)
    await articles(page).waitFor()
    await post(sandbox, 'reply.csv', 'b', { thread_ts: ts, initial_comment: 'First reply' })
    await post(sandbox, 'second.csv', 'c', { thread_ts: ts })
    await post(sandbox, 'lost.csv', 'd', { thread_ts: '1600000000.000001' })
    await page.getByText('reply to 1600000000.000001, which is not in this channel').waitFor()
    const thread = page.getByRole('list', { name: 'Thread' })
    await expectSoon(() => thread.getByRole('article').count(), 2)
    await expectSoon(() => thread.getByText('First reply').count(), 1)
    await expectSoon(
      () => page.getByRole('listitem').filter({ has: thread }).getByText('parent.csv').count(),
      1,
    )
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
      await page.getByRole('heading', { level: 2, name: '#releases' }).waitFor()
    }
  })
})

describe('Requests', () => {
  test('show time, response, duration, size and token, and mark what failed', async () => {
    const sandbox = await start()
    const { baseUrl, channels, tokens, uploadOrigin } = sandbox
    const { page } = await open(`${sandbox.origin}/requests`)
    sandbox.faults.add({ on: 'auth.test', fault: { kind: 'reset', when: 'after' } })
    await post(sandbox, 'a.csv', 'a', { channels: channels.notJoined })
    const send = (url: string, authorization?: string, body?: string) =>
      fetch(url, {
        method: 'POST',
        ...(authorization && { headers: { authorization } }),
        ...(body && { body }),
      })
    await send(`${baseUrl}/api/files.info`, 'Bearer wrong')
    await send(`${uploadOrigin}/upload/v1/x`, `Bearer ${tokens.all}`, 'four')
    await expect(send(`${baseUrl}/api/auth.test`)).rejects.toThrow()
    const rows = page.locator('summary')
    await rows.nth(3).waitFor()
    const texts = await rows.allTextContents()
    expect(texts).toEqual(
      [
        'POST /api/files\\.upload 200 not_in_channel \\d+ ms \\d+ B Token sent',
        'POST /api/files\\.info 200 invalid_auth \\d+ ms 0 B Invalid token sent',
        'POST /upload/v1/x 500 \\d+ ms 4 B Token sent to the upload URL',
        'POST /api/auth\\.test No response fault: reset \\d+ ms 0 B No token',
      ].map((text) => expect.stringMatching(new RegExp(`^\\d\\d:\\d\\d:\\d\\d ${text} $`))),
    )
    const bad = (await page.locator('summary .bad').allTextContents()).map((text) => text.trim())
    const middle = 'Invalid token sent, 500, Token sent to the upload URL'
    expect(bad.join(', ')).toBe(
      `200 not_in_channel, 200 invalid_auth, ${middle}, No response fault: reset`,
    )
  })

  test('open to show headers, fields, the file and the response, and no token', async () => {
    const sandbox = await start()
    const { channels, tokens } = sandbox
    await post(sandbox, 'a.csv', 'a', { initial_comment: 'Nightly', token: tokens.user })
    const { page } = await open(`${sandbox.origin}/requests`)
    await page.locator('summary').click()
    const definition = (text: string | RegExp) =>
      page.getByRole('definition').filter({ hasText: text })
    await definition(/^Bearer \*\*\*$/).waitFor()
    await definition(/^Nightly$/).waitFor()
    await definition(channels.general).waitFor()
    await definition(
      /^a\.csv: application\/octet-stream, 1 B, SHA-256 ca978112ca1bbdcafac231b39a23dc4d/,
    ).waitFor()
    expect(JSON.parse((await page.locator('.parts pre').textContent()) ?? '')).toMatchObject({
      ok: true,
    })
    const content = await page.content()
    for (const token of Object.values(tokens)) expect(content).not.toContain(token)
  })

  test('are grouped by run, the newest first, the requests of a run in their order', async () => {
    const sandbox = await start()
    const { page } = await open(`${sandbox.origin}/requests`)
    const call = (method: string, client: string) =>
      fetch(`${sandbox.baseUrl}/api/${method}`, {
        method: 'POST',
        headers: { 'user-agent': client },
      })
    sandbox.faults.add({
      on: 'files.getUploadURLExternal',
      fault: { kind: 'error', code: 'fatal_error' },
    })
    for (const method of ['files.upload', 'auth.test']) await call(method, 'first')
    for (const method of ['files.getUploadURLExternal', 'files.info']) await call(method, 'second')
    const runs = page.locator('main section')
    const shown = async () => [
      ...(await runs.getByRole('heading').allTextContents()),
      ...(await runs.locator('.line').allTextContents()).map((line) =>
        line.replace('POST /api/', '').trim(),
      ),
    ]
    const methods = ['files.getUploadURLExternal', 'files.info', 'files.upload', 'auth.test']
    await expectSoon(shown, ['Run 2: external upload', 'Run 1: files.upload', ...methods])
    expect(await runs.locator('header p').allTextContents()).toEqual([
      expect.stringMatching(/^\d+ \w+ \d{4}, \d\d:\d\d · 2 requests · 1 simulated fault · second$/),
      expect.stringMatching(/, \d\d:\d\d · 2 requests · first$/),
    ])
    await page.reload()
    await expectSoon(shown, ['Run 2: external upload', 'Run 1: files.upload', ...methods])
  })
})

test('A lost connection is reported, and what was missed appears when it is back', async () => {
  const sandbox = await start()
  const { errors, page } = await open(sandbox.origin)
  await page.getByText('Live').waitFor()
  await sandbox.stop()
  await page.getByText('Not connected', { exact: true }).waitFor()
  expect(await page.getByRole('status').textContent()).toBe('Not connected to the sandbox')
  const next = await start({ port: Number(new URL(sandbox.origin).port) })
  await post(next, 'a.csv', 'a')
  await page.getByText('Live').waitFor()
  await articles(page).waitFor()
  // The console reports that the connection was lost.
  errors.splice(0)
})

test('A message has a name and a link to hit; a preview that does not scroll is no tab stop; a short name stays whole at 320 px', async () => {
  const sandbox = await start()
  await post(sandbox, 'coverage.csv', 'name,lines\nmain.ts,91.2\n')
  await post(sandbox, 'log.txt', 'line\n'.repeat(100))
  const { page } = await open(sandbox.origin, { viewport: { width: 320, height: 700 } })
  await expectSoon(
    () => page.getByRole('article', { name: /^Reports app, \d+ \w+ \d{4}, \d\d:\d\d$/ }).count(),
    2,
  )
  const time = await page
    .getByRole('link', { name: /^\d\d:\d\d$/ })
    .first()
    .boundingBox()
  expect(time?.height).toBeGreaterThanOrEqual(24)
  const tabIndex = (name: string) =>
    page.getByRole('group', { name: `Preview of ${name}` }).evaluate((node) => node.tabIndex)
  await expectSoon(async () => [await tabIndex('coverage.csv'), await tabIndex('log.txt')], [-1, 0])
  const title = page.getByRole('heading', { name: 'coverage.csv' }).locator('bdi')
  expect(await title.evaluate((node) => node.getClientRects().length)).toBe(1)
})

test('The keyboard reaches the content, each preview that scrolls, each conversation and each request', async () => {
  const sandbox = await start()
  await post(sandbox, 'long.csv', `name\n${'row\n'.repeat(14)}`)
  await post(sandbox, 'b.csv', 'b', { channels: sandbox.channels.releases })
  const { page } = await open(sandbox.origin)
  await page.getByText('4 of 14 rows').waitFor()
  const focused = page.locator('*:focus')
  const tabTo = async (name: RegExp) => {
    const wanted = page
      .locator('a, button, summary, [role=group]')
      .filter({ hasText: name })
      .and(focused)
    for (let presses = 0; presses < 30 && (await wanted.count()) === 0; presses += 1)
      await page.keyboard.press('Tab')
    await wanted.waitFor()
  }
  const tabAndEnter = async (name: RegExp) => {
    await tabTo(name)
    await page.keyboard.press('Enter')
  }
  await tabAndEnter(/^Show 10 more$/)
  await page.getByText('14 rows', { exact: true }).waitFor()
  await expectSoon(() => focused.getAttribute('aria-label'), 'Preview of long.csv')
  await tabAndEnter(/^Skip to the content$/)
  await expectSoon(() => focused.getAttribute('id'), 'content')
  // What is shown stays.
  expect(await page.getByText('14 rows', { exact: true }).isVisible()).toBe(true)

  await page.goto(sandbox.origin)
  await tabAndEnter(/^releases/)
  await page.getByRole('heading', { level: 2, name: '#releases' }).waitFor()
  expect(await focused.textContent()).toContain('releases')
  await page.goBack()
  await page.getByRole('heading', { level: 2, name: '#general' }).waitFor()
  await page.goto(`${sandbox.origin}/requests`)
  await tabAndEnter(/^.*POST \/api\/files\.upload/)
  await page.getByRole('definition').getByText(sandbox.channels.general).waitFor()
})

test.each([
  { width: 320, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
] as const)(
  'axe finds nothing in eight views, and none is too wide: $width, $colorScheme',
  async (window) => {
    const { colorScheme, width } = window
    const sandbox = await start()
    const { channels, users, workspace } = sandbox
    const long = 'a-very-long-name-'.repeat(8)
    const id = 'C0LONGNAME0'
    workspace.addConversation({ id, name: long, kind: 'private', members: [users.app] })
    const comment = `*b* \`c\` <@U1> > q ${'y'.repeat(300)}`
    const where = {
      channels: id,
      title: 'x'.repeat(200),
      initial_comment: comment,
      note: 'z'.repeat(500),
    }
    const file = await post(sandbox, `${long}.csv`, `${'cell,'.repeat(30)}end\n`.repeat(30), where)
    const { ts: threadTs } = file.shares.private[id][0]
    await post(sandbox, 'log.txt', 'word '.repeat(10_000), { channels: id, thread_ts: threadTs })
    await post(sandbox, 'chart.png', picture, { channels: id })
    await post(sandbox, 'data.bin', '\0', { channels: id })
    await post(sandbox, 'a.csv', 'a', { channels: channels.notJoined })
    await postBlocks(sandbox, [
      section('mrkdwn', '> q\n```code``` <https://a.example|link> <!here>'),
    ])
    const axe = await readFile(
      createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
      'utf8',
    )
    const linked = `/archives/${id}/p${threadTs.replace('.', '')}`
    for (const name of ['once.csv', 'once.csv'])
      await post(sandbox, name, 'a,b', { channels: channels.releases })
    const [archived, releases] = [
      `/archives/${channels.archived}`,
      `/archives/${channels.releases}`,
    ]
    await post(sandbox, 'group.csv', 'a,b\n1,2', { channels: channels.group })
    const group = `/archives/${channels.group}`
    const others = [
      '/',
      '/archives/C0GENERAL00',
      group,
      releases,
      archived,
      '/archives/none',
      '/requests',
    ]
    const { errors, page } = await open(sandbox.origin, {
      colorScheme,
      viewport: { width, height: 700 },
    })
    for (const path of [linked, ...others]) {
      await page.goto(sandbox.origin + path)
      await page.getByRole('main').getByRole('heading', { level: 2 }).waitFor()
      if (path === '/archives/none') errors.splice(0)
      if (path === linked) await page.getByRole('group', { name: 'Preview of log.txt' }).waitFor()
      if (path === '/requests')
        for (const row of await page.locator('summary').all()) await row.click()
      if (path === '/requests') await expectSoon(() => page.locator('.parts').count(), 11)
      await page.evaluate(axe)
      const found = await page.evaluate(
        'axe.run({ rules: { "target-size": { enabled: true } } }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)))',
      )
      const scrollWidth = await page.evaluate('document.documentElement.scrollWidth')
      expect({ path, found, scrollWidth }).toEqual({ path, found: [], scrollWidth: width })
    }
  },
)
