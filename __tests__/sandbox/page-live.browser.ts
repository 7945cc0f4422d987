import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { expectSoon, useBrowser, useSandbox } from '../support/page.ts'
import { picture, post, postBlocks } from '../support/post.ts'

const root = join(import.meta.dirname, '../..')
const { open } = useBrowser()
const { start } = useSandbox()
const running: ChildProcess[] = []

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

/** One of the project's programs; `said` waits for a text in what it prints and gives the match. */
function run(script: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [join(root, script), ...args], { cwd: root, env: { ...process.env, ...env } })
  running.push(child)
  let printed = ''
  const said = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const match = pattern.exec(printed)
      if (match) return match[1] ?? match[0]
      await Promise.race([once(child.stdout, 'data'), ended])
    }
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const ended = once(child, 'close').then(([code]) => {
    if (code !== 0) throw new Error(`${script} ended with ${code}:\n${printed}`)
    return code
  })
  ended.catch(() => {})
  return { child, ended, said }
}

const articles = (page: Page) => page.getByRole('article')

describe('What is posted', () => {
  test('by npm start to the standing sandbox appears without a reload', async () => {
    const sandbox = run('sandbox/cli.ts')
    const { page } = await open(await sandbox.said(/^Page.*\n {2}(http:\S+)/m))
    await page.getByText('No messages yet').waitFor()
    await page.evaluate('window.loaded = "once"')

    const token = await sandbox.said(/^ {2}all +(xoxb-\w+)/m)
    const channel = await sandbox.said(/^ {2}releases +(\w+)/m)
    const baseUrl = await sandbox.said(/^Base URL\n {2}(\S+)/m)
    const args = ['--base-url', baseUrl, '--token-env', 'TOKEN', '--channels', channel, '--method', 'external']
    await run('sandbox/demo.ts', args, { TOKEN: token }).ended

    await page.getByRole('heading', { level: 2, name: '#releases' }).waitFor()
    await page.getByRole('region', { name: 'Preview of test-results.csv' }).waitFor()
    expect(await articles(page).locator('.text').textContent()).toMatch(/^2 files, 1\.3 KB from manual run/)
    expect(await page.getByRole('status').textContent()).toBe('New in #releases: 2 files')
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByRole('row', { name: /POST \/api\/files\.completeUploadExternal.* 200 .* sent$/ }).waitFor()
    await expectSoon(() => page.getByRole('row', { name: /^POST \/upload\/.* not sent$/ }).count(), 2)
    expect(await page.evaluate('window.loaded')).toBe('once')
  })

  test('by npm start stays to be looked at with --keep, until Ctrl-C', async () => {
    const demo = run('sandbox/demo.ts', ['--keep'])
    const url = await demo.said(/The page stays at (\S+) until Ctrl-C/)
    const { complaints, page } = await open(url)
    await page.getByRole('region', { name: 'Preview of coverage.csv' }).waitFor()
    await page.getByRole('region', { name: 'Preview of test-results.csv' }).waitFor()
    for (const name of ['general', 'releases', 'reviewer']) {
      await page
        .getByRole('navigation')
        .getByRole('link', { name: `${name} 2 messages` })
        .click()
      await expectSoon(() => articles(page).count(), 2)
    }
    demo.child.kill('SIGINT')
    expect(await demo.ended).toBe(0)
    await page.getByText('Not connected', { exact: true }).waitFor()
    // That the connection was lost is what the console complains of.
    complaints.splice(0)
  })

  test('elsewhere is announced and counted, and does not take away what one looks at', async () => {
    const sandbox = await start()
    const { channels } = sandbox
    await post(sandbox, 'a.csv', 'a')
    const { page } = await open(sandbox.origin)
    await articles(page).waitFor()
    await post(sandbox, 'b.csv', 'b', { channels: channels.direct })
    await page.getByRole('link', { name: 'reviewer 1 message' }).waitFor()
    expect(await page.getByRole('status').textContent()).toBe('New in reviewer: 1 file')
    await page.getByRole('heading', { level: 2, name: '#general' }).waitFor()
    await expectSoon(() => articles(page).count(), 1)
  })

  test('into a new direct conversation, and by a webhook, appears', async () => {
    const sandbox = await start()
    const { page } = await open(sandbox.origin)
    await page.getByText('No messages yet').waitFor()
    const form = { users: sandbox.users.newcomer }
    const { json } = sandbox.workspace.call('conversations.open', { token: sandbox.tokens.all, form })
    const channel = JSON.parse(JSON.stringify(json)).channel.id
    await post(sandbox, 'a.csv', 'a', { channels: channel })
    await page.getByRole('link', { name: 'newcomer 1 message' }).click()
    await expectSoon(() => page.getByText(channel).count(), 1)
    await fetch(sandbox.webhookUrl, {
      method: 'POST',
      body: new URLSearchParams({ text: '<https://a.example|label>' }),
    })
    await page.getByRole('link', { name: 'general 1 message' }).click()
    expect(await articles(page).getByRole('link', { name: 'label' }).getAttribute('href')).toBe('https://a.example/')
  })

  test('as a reply stands below its message, and by itself where that is not there', async () => {
    const sandbox = await start()
    const file = await post(sandbox, 'parent.csv', 'a')
    const [{ ts }] = file.shares.public[sandbox.channels.general]
    const { page } = await open(sandbox.origin)
    await articles(page).waitFor()
    await post(sandbox, 'reply.csv', 'b', { thread_ts: ts, initial_comment: 'First reply' })
    await post(sandbox, 'second.csv', 'c', { thread_ts: ts })
    await post(sandbox, 'lost.csv', 'd', { thread_ts: '1600000000.000001' })
    await page.getByText('in the thread of 1600000000.000001, which is not here').waitFor()
    const thread = page.getByRole('list', { name: 'Thread' })
    await expectSoon(() => thread.getByRole('article').count(), 2)
    await expectSoon(() => thread.getByText('First reply').count(), 1)
    await expectSoon(() => page.getByRole('listitem').filter({ has: thread }).getByText('parent.csv').count(), 1)
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
  test('show what was answered, how long it took, how much was sent and whether a token was', async () => {
    const sandbox = await start()
    const { baseUrl, channels, tokens, uploadOrigin } = sandbox
    const { page } = await open(`${sandbox.origin}/requests`)
    await post(sandbox, 'a.csv', 'a', { channels: channels.notJoined, initial_comment: 'Nightly' })
    await fetch(`${baseUrl}/api/auth.test`, { method: 'POST', headers: { authorization: 'Bearer wrong' } })
    await fetch(`${uploadOrigin}/upload/v1/x`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.all}` },
      body: 'four',
    })
    const rows = page.locator('tbody tr')
    await rows.nth(2).waitFor()
    const cells = async (index: number) => (await rows.nth(index).locator('> *').allTextContents()).slice(1)
    const time = expect.stringMatching(/^\d+ ms$/)
    expect(await cells(0)).toEqual(['200 not_in_channel', time, expect.stringMatching(/^\d+ B$/), 'sent'])
    expect(await cells(1)).toEqual(['200 invalid_auth', time, '0 B', 'sent, not valid'])
    expect(await cells(2)).toEqual(['404', time, '4 B', 'sent to the upload URL'])
    await rows.nth(0).locator('summary').click()
    await page.getByRole('definition').getByText('Nightly').waitFor()
  })
})

describe('The connection', () => {
  test('is said to be lost, and what was missed is there when it is back', async () => {
    const sandbox = await start()
    const { complaints, page } = await open(sandbox.origin)
    await page.getByText('Live').waitFor()
    await sandbox.stop()
    await page.getByText('Not connected', { exact: true }).waitFor()
    expect(await page.getByRole('status').textContent()).toBe('Not connected to the sandbox')
    const next = await start({ port: Number(new URL(sandbox.origin).port) })
    await post(next, 'a.csv', 'a')
    await page.getByText('Live').waitFor()
    await articles(page).waitFor()
    // That the connection was lost is what the console complains of.
    complaints.splice(0)
  })
})

describe('Without a mouse', () => {
  test('everything can be reached and used', async () => {
    const sandbox = await start()
    const rows = Array.from({ length: 60 }, (_, index) => `row ${index}`)
    await post(sandbox, 'long.csv', `name\n${rows.join('\n')}`)
    await post(sandbox, 'b.csv', 'b', { channels: sandbox.channels.releases })
    const { page } = await open(sandbox.origin)
    await page.getByText('50 of 60 rows').waitFor()
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    // Whatever holds others, such as the content that the skip link leads to, holds their texts too.
    const focused = () =>
      page.evaluate(
        'document.activeElement.matches("a, button, summary") && document.activeElement.textContent || document.activeElement.ariaLabel || ""',
      )
    const tabTo = async (text: string) => {
      for (let presses = 0; presses < 30; presses += 1) {
        await press('Tab')
        if (String(await focused()).includes(text)) return
      }
      throw new Error(`Tab does not reach ${text}`)
    }
    await press('Tab')
    expect(await focused()).toBe('Skip to the content')
    await press('Enter')
    await tabTo('Download')
    await press('Tab')
    await expectSoon(() => page.evaluate<unknown>('document.activeElement.ariaLabel'), 'Preview of long.csv')
    const scrolled = page.evaluate('new Promise((done) => { document.activeElement.onscroll = () => done(true) })')
    await press('End')
    expect(await scrolled).toBe(true)
    await tabTo('Show 10 more')
    await press('Enter')
    await page.getByText('60 rows', { exact: true }).waitFor()
    await expectSoon(() => page.evaluate<unknown>('document.activeElement.ariaLabel'), 'Preview of long.csv')

    await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)')
    await page.goto(sandbox.origin)
    await tabTo('releases')
    await press('Enter')
    await page.getByRole('heading', { level: 2, name: '#releases' }).waitFor()
    expect(await focused()).toContain('releases')
    await page.goBack()
    await page.getByRole('heading', { level: 2, name: '#general' }).waitFor()
    await page.goto(sandbox.origin)
    await tabTo('Requests')
    await press('Enter')
    await page.getByRole('heading', { level: 2, name: 'Requests' }).waitFor()
    await tabTo('POST /api/files.upload')
    await press('Enter')
    await page.getByRole('definition').getByText(sandbox.channels.general).waitFor()
  })
})

describe('axe finds nothing', () => {
  test.each([
    ['in light', { colorScheme: 'light' as const }],
    ['in dark, on a narrow window', { colorScheme: 'dark' as const, viewport: { width: 400, height: 700 } }],
  ])('%s', async (_, options) => {
    const sandbox = await start()
    const { channels, workspace } = sandbox
    const file = await post(sandbox, 'table.csv', `a,b\n${'1,x\n'.repeat(60)}`, {
      initial_comment: '*b* `c` <@U1> > q',
    })
    const [{ ts }] = file.shares.public[channels.general]
    await post(sandbox, 'log.txt', 'line\n'.repeat(10_000), { thread_ts: ts })
    await post(sandbox, 'chart.png', picture)
    await post(sandbox, 'data.bin', '\0')
    await post(sandbox, 'a.csv', 'a', { channels: channels.notJoined })
    postBlocks(sandbox, [{ type: 'mrkdwn', text: '> q\n```code``` <https://a.example|link> <!here>' }])
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    const linked = `/archives/${channels.general}/p${workspace.messages[0]?.ts.replace('.', '')}`
    for (const path of [linked, `/archives/${channels.archived}`, '/archives/none', '/requests']) {
      const { page } = await open(sandbox.origin + path, options)
      await page.getByRole('main').getByRole('heading', { level: 2 }).waitFor()
      if (path === linked) await page.getByRole('region', { name: 'Preview of log.txt' }).waitFor()
      await page.evaluate(axe)
      const found = JSON.parse(
        String(await page.evaluate('axe.run().then(({ violations }) => JSON.stringify(violations))')),
      )
      const violations = found.flatMap(({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
        nodes.map(({ html }) => `${id}: ${html}`),
      )
      expect({ path, violations }).toEqual({ path, violations: [] })
    }
  })
})
