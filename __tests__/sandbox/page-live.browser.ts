import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { picture, post, postBlocks, section } from '../support/api-client.ts'
import { expectSoon, useBrowser, useSandbox } from '../support/page.ts'
import { startProcess } from '../support/processes.ts'

const root = join(import.meta.dirname, '../..')
const { open } = useBrowser()
const { start } = useSandbox()
const running: ChildProcess[] = []

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

/** One of the project's programs; `printed` waits for a text in its output and returns the match. */
function run(script: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const child = startProcess(process.execPath, [join(root, script), ...args], { cwd: root, env })
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
    const args = ['--base-url', baseUrl, '--token-env', 'TOKEN', '--channels', channel, '--method', 'external']
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

  test('as a reply is below its message, or by itself if that message is not shown', async () => {
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
})

test('The keyboard reaches the content, each preview that scrolls, each conversation and each request', async () => {
  const sandbox = await start()
  await post(sandbox, 'long.csv', `name\n${'row\n'.repeat(14)}`)
  await post(sandbox, 'b.csv', 'b', { channels: sandbox.channels.releases })
  const { page } = await open(sandbox.origin)
  await page.getByText('4 of 14 rows').waitFor()
  const focused = page.locator('*:focus')
  const tabTo = async (name: RegExp) => {
    const wanted = page.locator('a, button, summary, [role=group]').filter({ hasText: name }).and(focused)
    for (let presses = 0; presses < 30 && (await wanted.count()) === 0; presses += 1) await page.keyboard.press('Tab')
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
] as const)('axe finds nothing in eight views, and none is too wide: $width, $colorScheme', async (window) => {
  const { colorScheme, width } = window
  const sandbox = await start()
  const { channels, users, workspace } = sandbox
  const long = 'a-very-long-name-'.repeat(8)
  const id = 'C0LONGNAME0'
  workspace.addConversation({ id, name: long, kind: 'private', members: [users.app] })
  const comment = `*b* \`c\` <@U1> > q ${'y'.repeat(300)}`
  const where = { channels: id, title: 'x'.repeat(200), initial_comment: comment, note: 'z'.repeat(500) }
  const file = await post(sandbox, `${long}.csv`, `${'cell,'.repeat(30)}end\n`.repeat(30), where)
  const { ts: threadTs } = file.shares.private[id][0]
  await post(sandbox, 'log.txt', 'word '.repeat(10_000), { channels: id, thread_ts: threadTs })
  await post(sandbox, 'chart.png', picture, { channels: id })
  await post(sandbox, 'data.bin', '\0', { channels: id })
  await post(sandbox, 'a.csv', 'a', { channels: channels.notJoined })
  await postBlocks(sandbox, [section('mrkdwn', '> q\n```code``` <https://a.example|link> <!here>')])
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const linked = `/archives/${id}/p${threadTs.replace('.', '')}`
  for (const name of ['once.csv', 'once.csv']) await post(sandbox, name, 'a,b', { channels: channels.releases })
  const [archived, releases] = [`/archives/${channels.archived}`, `/archives/${channels.releases}`]
  await post(sandbox, 'group.csv', 'a,b\n1,2', { channels: channels.group })
  const group = `/archives/${channels.group}`
  const others = ['/', '/archives/C0GENERAL00', group, releases, archived, '/archives/none', '/requests']
  const { errors, page } = await open(sandbox.origin, { colorScheme, viewport: { width, height: 700 } })
  for (const path of [linked, ...others]) {
    await page.goto(sandbox.origin + path)
    await page.getByRole('main').getByRole('heading', { level: 2 }).waitFor()
    if (path === '/archives/none') errors.splice(0)
    if (path === linked) await page.getByRole('group', { name: 'Preview of log.txt' }).waitFor()
    if (path === '/requests') for (const row of await page.locator('summary').all()) await row.click()
    if (path === '/requests') await expectSoon(() => page.locator('.parts').count(), 11)
    await page.evaluate(axe)
    const found = await page.evaluate(
      'axe.run({ rules: { "target-size": { enabled: true } } }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)))',
    )
    const scrollWidth = await page.evaluate('document.documentElement.scrollWidth')
    expect({ path, found, scrollWidth }).toEqual({ path, found: [], scrollWidth: width })
  }
})
