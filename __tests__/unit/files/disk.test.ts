import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { caseOnDisk, whyUnreadable } from '../../../src/files/disk.ts'
import { quoted } from '../../../src/text/text.ts'

function fileError(code: string, message: string): Error {
  return Object.assign(new Error(`${code}: ${message}, open 'C:\\a.csv'`), { code })
}

describe('why a file cannot be read', () => {
  test.each<[platform: NodeJS.Platform, error: Error, expected: string]>([
    ['win32', fileError('EBUSY', 'resource busy or locked'), 'is open in another program, which locks it (`EBUSY`)'],
    ['win32', fileError('EPERM', 'operation not permitted'), 'another program has it open, or this user has no right'],
    ['win32', fileError('EACCES', 'permission denied'), 'another program has it open, or this user has no right'],
    ['win32', fileError('EIO', 'i/o error'), 'cannot be read (`EIO: i/o error`)'],
    ['linux', fileError('EACCES', 'permission denied'), 'cannot be read (`EACCES: permission denied`)'],
    ['linux', fileError('EBUSY', 'resource busy or locked'), 'cannot be read (`EBUSY: resource busy or locked`)'],
  ])('on %s: %s', (platform, error, expected) => {
    expect(quoted(whyUnreadable(error, platform))).toContain(expected)
  })
})

describe('where case does not matter, a path has the case that it has on disk', () => {
  const native = (at: string) => at.split('/').join(path.sep)

  test.each<[written: string, real: string, expected: string]>([
    ['/ws/REPORTS/A.csv', '/ws/reports/a.csv', '/ws/reports/a.csv'],
    ['/WS/a.csv', '/ws/a.csv', '/ws/a.csv'],
    ['/link/REPORTS/A.csv', '/elsewhere/ws/reports/a.csv', '/link/reports/a.csv'],
    ['/ws/latest.csv', '/ws/run-1/a.csv', '/ws/latest.csv'],
  ])('%s', (written, real, expected) => {
    expect(caseOnDisk(native(written), native(real))).toBe(native(expected))
  })
})
