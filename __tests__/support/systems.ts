// Tests for some systems only. Each comment names a problem of the others.
import { lstatSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from '@jest/globals'

/**
 * Windows has no named pipes in folders, no permission bits, no signals, and forbids names with
 * `\`, `*`, `?` and line breaks.
 */
export const onPosix = process.platform === 'win32' ? test.skip : test
export const describeOnPosix = process.platform === 'win32' ? describe.skip : describe

/**
 * The length of a very long input. A Windows environment variable has at most 32,767 characters.
 */
export const veryLong = process.platform === 'win32' ? 32_000 : 120_000

export const onWindows = process.platform === 'win32' ? test : test.skip

/** On others, names that differ only in case can be the same file, and names are valid UTF-8. */
export const onLinux = process.platform === 'linux' ? test : test.skip

/** Makes the process look as on this system while the function runs. */
export function asOn<Result>(platform: NodeJS.Platform, run: () => Result): Result {
  const real = process.platform
  const set = (value: string) => Object.defineProperty(process, 'platform', { value })
  set(platform)
  try {
    return run()
  } finally {
    set(real)
  }
}

/** On Windows, only administrators and developer mode may create links. */
export const withLinks = canCreateLinks() ? test : test.skip

function canCreateLinks(): boolean {
  if (process.platform !== 'win32') return true
  const folder = mkdtempSync(join(tmpdir(), 'link-'))
  try {
    const link = join(folder, 'link')
    symlinkSync(folder, link)
    return lstatSync(link).isSymbolicLink()
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
