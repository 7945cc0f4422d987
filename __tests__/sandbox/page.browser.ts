import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { addPage } from '../../sandbox/page.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { atOnce } from '../../sandbox/settings.ts'
import { launchBrowser } from '../../scripts/find-browser.ts'
import { picture, post, postBlocks, section } from '../support/api-client.ts'
import { startProcess } from '../support/processes.ts'
import { root } from '../support/repository.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

/**
 * Opens a page for the test. At its end, `errors` of the console, scripts, dialogs and requests to
 * other origins are an error.
 */
async function open(url: string, options?: BrowserContextOptions) {
  const context = await browser.newContext({ locale: 'en', timezoneId: 'UTC', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const errors: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('dialog', (dialog) => {
    errors.push(`dialog ${dialog.message()}`)
    return dialog.dismiss()
  })
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin)
      errors.push(`request to ${request.url()}`)
  })
  await page.goto(url)
  return {
    page,
    errors,
    async [Symbol.asyncDispose]() {
      await context.close()
      expect(errors).toEqual([])
    },
  }
}

const start = (port = 0) => startSandbox({ page: addPage, ...atOnce, port })

/** Waits until the page shows so many messages. */
async function expectArticles(page: Page, count: number, text = ''): Promise<void> {
  const articles = page
    .getByRole('article', { name: /^Reports app, \d+ \w+ \d{4}, \d\d:\d\d$/ })
    .filter({ hasText: text })
  await articles.nth(count - 1).waitFor()
  expect(await articles.count()).toBe(count)
}

test('What is posted appears by itself, also what a lost connection missed', async () => {
  await using sandbox = await start()
  const { channels, origin } = sandbox
  await using opened = await open(`${origin}/archives/${channels.releases}`)
  const { errors, page } = opened
  await page.getByText('No messages yet').waitFor()
  await post(sandbox, 'a.csv', 'a', { channels: channels.releases })
  await expectArticles(page, 1)
  await sandbox.stop()
  await using next = await start(Number(new URL(origin).port))
  for (const name of ['b.csv', 'c.csv'])
    await post(next, name, 'b', { channels: channels.releases })
  await expectArticles(page, 2)
  await page.close()
  // The console reports the lost connection.
  errors.splice(0)
})

test('What npm start posted stays on the page with --keep, until Ctrl-C', async () => {
  const demo = startProcess(process.execPath, ['sandbox/demo.ts', '--keep'], { cwd: root })
  using _ = { [Symbol.dispose]: () => demo.kill('SIGKILL') }
  const ended = once(demo, 'close')
  let output = ''
  demo.stdout.on('data', (text) => {
    output += text
  })
  const url = /^Everything arrived[\s\S]*stays until Ctrl-C:\n(\S+)\n$/m
  while (!url.test(output)) await once(demo.stdout, 'data')
  await using opened = await open(url.exec(output)?.[1] ?? '')
  const { errors, page } = opened
  const linked = page.locator(':target > article')
  await linked.getByText(/^2 files, .* v1\.2\.0/).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'reviewer 3' }).click()
  await expectArticles(page, 3)
  await expectArticles(page, 2, 'by files.upload')
  demo.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  errors.splice(0)
})

test.each([
  { width: 320, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
] as const)(
  'axe finds nothing in any view, and none is too wide: $width, $colorScheme',
  async ({ colorScheme, width }) => {
    await using sandbox = await start()
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
    await postBlocks(sandbox, [
      section('mrkdwn', '> q\n```code``` <https://a.example|link> <!here>'),
    ])
    const axe = await readFile(
      createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
      'utf8',
    )
    const viewport = { width, height: 700 }
    await using opened = await open(sandbox.origin, { colorScheme, viewport })
    const { errors, page } = opened
    const archives = [id, channels.general, channels.archived, 'none']
    for (const path of [...archives.map((name) => `/archives/${name}`), '/requests']) {
      await page.goto(sandbox.origin + path)
      await page.getByRole('main').getByRole('heading', { level: 2 }).waitFor()
      if (path.endsWith('none')) errors.splice(0)
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
