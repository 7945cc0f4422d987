/** The sandbox's page in a browser, shared by the tests of a file. */
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { addPage } from '../../sandbox/page.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts'
import { atOnce } from '../../sandbox/settings.ts'
import { launchBrowser } from '../../scripts/find-browser.ts'

let browser: Browser
const opened: { readonly page: Page; readonly errors: readonly string[] }[] = []
const running: Sandbox[] = []

beforeAll(async () => {
  browser = await launchBrowser()
})
afterEach(async () => {
  const closed = opened.splice(0)
  for (const { page } of closed) await page.context().close()
  for (const sandbox of running.splice(0)) await sandbox.stop()
  for (const { errors } of closed) expect(errors).toEqual([])
})
afterAll(() => browser.close())

/**
 * Opens a page for the test. `errors` of the console, scripts, dialogs and requests to other
 * origins fail the test at its end.
 */
export async function open(url: string, options?: BrowserContextOptions) {
  const context = await browser.newContext({ locale: 'en', timezoneId: 'UTC', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const errors: string[] = []
  opened.push({ page, errors })
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
  return { page, errors }
}

/** A sandbox with its page, for the test. */
export async function start(options?: SandboxOptions): Promise<Sandbox> {
  const sandbox = await startSandbox({ page: addPage, ...atOnce, ...options })
  running.push(sandbox)
  return sandbox
}

/**
 * Asks for up to 10 seconds until the value is as expected. `count` and others of a locator do not
 * wait.
 */
export async function expectSoon<T>(ask: () => Promise<T>, expected: T): Promise<void> {
  const end = performance.now() + 10_000
  let value = await ask()
  while (!isDeepStrictEqual(value, expected) && performance.now() < end) {
    await setTimeout(50)
    value = await ask()
  }
  expect(value).toEqual(expected)
}
