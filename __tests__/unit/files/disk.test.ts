import { closeSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { openFile, pathOnDisk, readFully, reasonUnreadable } from '../../../src/files/disk.ts'
import { quoted } from '../../../src/text/text.ts'
import { asOn, onLinux } from '../../support/systems.ts'
import { tree } from '../../support/tree.ts'

function fileError(code: string, message: string, call = "open 'C:\\a.csv'"): Error {
  return Object.assign(new Error(`${code}: ${message}, ${call}`), { code })
}

test.each<[platform: NodeJS.Platform, error: Error, expected: string]>([
  ...['EBUSY', 'EPERM', 'EACCES'].map((code): [NodeJS.Platform, Error, string] => [
    'win32',
    fileError(code, 'made-up'),
    'another program has it open, or this user has no right',
  ]),
  ['win32', fileError('EIO', 'i/o error', 'read'), 'cannot be read (`EIO: i/o error`)'],
  [
    'linux',
    fileError('EBUSY', 'resource busy or locked'),
    'cannot be read (`EBUSY: resource busy or locked`)',
  ],
])('why a file cannot be read on %s: %s', (platform, error, expected) => {
  expect(quoted(asOn(platform, () => reasonUnreadable(error)))).toContain(expected)
})

onLinux('an open file is no link, and is filled into a buffer piece by piece', async () => {
  await using folder = await tree('a.csv link->a.csv')
  await expect(openFile(path.join(folder.root, 'link'))).rejects.toThrow('ELOOP')
  // Linux returns a page of it per read.
  const maps = await openFile(`/proc/${process.pid}/smaps`)
  expect(await readFully(maps, Buffer.alloc(10_000), 0)).toHaveLength(10_000)
  closeSync(maps)
})

onLinux.each([
  ['/ws/Reports/TMP/2024', '/ws/reports/tmp/2024'],
  ['/ws/reports/tmp', '/ws/reports/tmp'],
  ['/ws/REPORTS/none', '/ws/REPORTS/none'],
  ['/ws/reports/\u00dcBER', '/ws/reports/\u00fcber'],
])('on a system whose disks ignore case, %s is %s', async (written, expected) => {
  const paths = [
    '/',
    '/ws',
    '/ws/reports',
    '/ws/reports/tmp',
    '/ws/reports/tmp/2024',
    '/ws/reports/\u00fcber',
  ]
  const disk = {
    mayIgnoreCase: true,
    exists: async (at: string) => paths.includes(at.toLowerCase()),
    readdir: async (folder: string) =>
      paths.filter((at) => path.dirname(at) === folder).map((at) => path.basename(at)),
  }
  expect(await pathOnDisk(written, disk)).toBe(expected)
})
