import { closeSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import {
  classifyReadError,
  follow,
  openFile,
  pathFrom,
  pathOnDisk,
  readFully,
  reasonUnreadable,
} from '../../../src/files/disk.ts'
import { quoted } from '../../../src/text/text.ts'
import { grid } from '../../support/grid.ts'
import { asOn, onLinux, onPosix } from '../../support/systems.ts'
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
  const file = await openFile(path.join(folder.root, 'a.csv'))
  const read = async (length: number) => String(await readFully(file, Buffer.alloc(length), 1))
  expect([await read(3), await read(9)]).toEqual(['.cs', '.csv'])
  closeSync(file)
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

onPosix('a path leads to a file, to a folder or nowhere, which is told apart', async () => {
  await using folder = await tree('a.csv d/ link->a.csv gone->none loop->loop')
  const names = `
a.csv
d
link
none
a.csv/b
gone
loop
/dev/null
`
  const target = async (name: string) => {
    const found = await follow(path.resolve(folder.root, name))
    return 'notSent' in found ? quoted(found.notSent.why) : found.kind
  }
  expect(await grid(names, target)).toMatchInlineSnapshot(`
"a.csv
    file
d
    folder
link
    file
none
    absent
a.csv/b
    absent
gone
    is a broken symlink
loop
    is a symlink that leads back to itself
/dev/null
    is not a regular file"
`)
  const gone = classifyReadError(fileError('ENOTDIR', 'made-up'))
  expect(quoted(gone.why)).toContain('was removed')
})

onPosix('a path from a folder on is none outside of it', async () => {
  const paths = `
/a /a/b
/a /a/b/c
/ /a
/a /a/..b
/a /a
/a /ab
/a/b /a
/a /b/c
`
  const from = (row: string) => {
    const [folder = '', at = ''] = row.split(' ')
    return pathFrom(folder, at)
  }
  expect(await grid(paths, from)).toMatchInlineSnapshot(`
"/a /a/b
    b
/a /a/b/c
    b/c
/ /a
    a
/a /a/..b
    ..b
/a /a
    
/a /ab
    nothing
/a/b /a
    nothing
/a /b/c
    nothing"
`)
})

describe('a name with an accent', () => {
  const composed = 'Übersicht.csv'
  const decomposed = composed.normalize('NFD')

  onLinux('is found in both forms', async () => {
    const onDisk = `한국/${decomposed}`.normalize('NFD')
    await using workspace = await tree({ [onDisk]: '1', 'a.csv': '2' })
    for (const line of [
      `한국/${composed}`,
      '한국/*.csv',
      '한?/Ü*',
      `**/${composed}`,
      `${workspace.root}/한국`,
    ]) {
      expect([line, await workspace.paths(line)]).toEqual([line, [onDisk]])
    }
    expect(await workspace.paths(`**\n!한국/${composed}`)).toEqual(['a.csv'])
    expect(await workspace.paths(`none/${composed}`)).toEqual([])
  })

  onLinux('means the exact one if both exist', async () => {
    await using workspace = await tree({ [composed]: '1', [decomposed]: '2' })
    expect(await workspace.paths(composed)).toEqual([composed])
    expect(await workspace.paths(decomposed)).toEqual([decomposed])
  })
})
