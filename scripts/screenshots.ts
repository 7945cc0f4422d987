// `node scripts/screenshots.ts` takes the pictures in docs/images/: the page of `npm start --
// --keep`, and the summary of its first run.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { linkToFirst, postToSandbox, sampleFiles } from '../sandbox/demo.ts'
import { addPage } from '../sandbox/page.ts'
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
  const { code, results } = await postToSandbox(sandbox, {
    inputs: { files: sampleFiles },
    folder: root,
    log: false,
  })
  const [result] = results
  if (code !== 0 || result === undefined) throw new Error('npm start would have failed')
  for (const scheme of schemes) {
    await take(scheme, 'page', { width: 1260, height: 668 }, async (page) => {
      await page.goto(linkToFirst(sandbox))
      for (const name of ['coverage.csv', 'test-results.csv'])
        await page
          .getByRole('group', { name: `Preview of ${name}` })
          .first()
          .waitFor()
    })
    await take(scheme, 'summary', { width: 980, height: 10 }, async (page) => {
      await page.setContent(await renderPage(result.summary))
    })
  }
} finally {
  await browser.close()
  await sandbox.stop()
}

async function take(
  colorScheme: (typeof schemes)[number],
  name: string,
  viewport: { readonly width: number; readonly height: number },
  open: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    colorScheme,
    viewport,
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  const page = await context.newPage()
  await open(page)
  await writeFile(
    join(images, `${name}-${colorScheme}.png`),
    await page.screenshot({ fullPage: viewport.height === 10, animations: 'disabled' }),
  )
  await context.close()
}
