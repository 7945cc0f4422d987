// node scripts/find-browser.ts prints the path of the browser for tests and pictures. If it is
// missing, installs Debian's or says what to do.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const advice =
  'No Chromium found. Install it (Debian, Ubuntu: apt-get install chromium), or name the one to use in the environment variable CHROMIUM.'

/** `CHROMIUM`, or where systems put one. */
export function findBrowser(): string | undefined {
  return process.env['CHROMIUM'] || places.find((place) => existsSync(place))
}

/** A browser that talks to nobody by itself. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser()
  if (executablePath === undefined) throw new Error(advice)
  return chromium.launch({
    executablePath,
    args: [
      // A browser of root has no sandbox of its own.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

function install(): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new Error(advice)
  const run = (...args: string[]) => execFileSync('apt-get', args, { stdio: ['ignore', 2, 2] })
  run('update', '-qq')
  run('install', '-qq', '-y', '--no-install-recommends', 'chromium')
}

if (import.meta.main) {
  if (findBrowser() === undefined) install()
  console.log(findBrowser())
}
