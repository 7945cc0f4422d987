// `node scripts/screenshots.ts`: the pictures in docs/images/, of a run for a release.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { addPage } from '../sandbox/page.ts'
import { runAction } from '../sandbox/runner.ts'
import { startSandbox } from '../sandbox/sandbox.ts'
import { launchBrowser } from './find-browser.ts'
import { renderPage } from './render-summary.ts'

const root = join(import.meta.dirname, '..')
const images = join(root, 'docs', 'images')
const schemes = ['light', 'dark'] as const

const sandbox = await startSandbox({ page: addPage })
const browser = await launchBrowser()
try {
  await mkdir(images, { recursive: true })
  const { channels, tokens } = sandbox
  const { code, stdout, summary } = await runAction({
    inputs: {
      token: tokens.all,
      channels: [channels.releases, channels.general, channels.direct].join(','),
      files: 'examples/reports/**/*.csv',
      comment: '*Reports* of {source}: {files}',
      method: 'external',
      'base-url': sandbox.baseUrl,
    },
    workspace: root,
    eventName: 'release',
    event: JSON.parse(await readFile(join(root, 'examples/events/release.json'), 'utf8')),
  })
  if (code !== 0) throw new Error(`The step ended with ${code}:\n${stdout}`)
  for (const scheme of schemes) {
    await take(browser, scheme, { width: 1180, height: 760 }, `page-${scheme}.png`, async (page) => {
      await page.goto(`${sandbox.origin}/archives/${channels.releases}`)
      for (const name of ['coverage.csv', 'test-results.csv']) {
        await page.getByRole('region', { name: `Preview of ${name}` }).waitFor()
      }
      await page.evaluate('scrollTo(0, 0)')
    })
    await take(browser, scheme, { width: 980, height: 10 }, `summary-${scheme}.png`, async (page) => {
      await page.setContent(await renderPage(summary))
    })
  }
} finally {
  await browser.close()
  await sandbox.stop()
}

async function take(
  browser: Browser,
  colorScheme: (typeof schemes)[number],
  viewport: { readonly width: number; readonly height: number },
  name: string,
  open: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ colorScheme, viewport, locale: 'en-GB', timezoneId: 'UTC' })
  const page = await context.newPage()
  await open(page)
  await writeFile(join(images, name), await page.screenshot({ fullPage: viewport.height === 10 }))
  await context.close()
}
