import { homedir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { alternatives, patternLines, place, visibleMatcher } from '../../../src/files/patterns.ts'

/** Where a line begins and what is matched below that, as if only the given paths existed. */
async function places(line: string, base: string, system: path.PlatformPath, existing: readonly string[] = []) {
  const [parsed] = patternLines(line)
  if (parsed === undefined) {
    throw new Error('no line')
  }
  const exists = async (at: string) => existing.includes(at)
  return Promise.all(alternatives(parsed, system).map((glob) => place(parsed, glob, base, system, exists)))
}

const from = (root: string, ...segments: string[]) => ({ root, segments, foldersOnly: false })

describe('on Windows', () => {
  const base = 'D:\\a\\app'

  test.each<[situation: string, line: string, expected: object]>([
    ['\\ separates folders', 'reports\\unit\\*.csv', from('D:\\a\\app\\reports\\unit', '*.csv')],
    ['/ separates folders too', 'reports/unit/*.csv', from('D:\\a\\app\\reports\\unit', '*.csv')],
    ['\\ before a wildcard is no escape', 'reports\\[ab].csv', from('D:\\a\\app\\reports', '[ab].csv')],
    ['\\ before braces is no escape', 'reports\\{a}.csv', from('D:\\a\\app\\reports\\{a}.csv')],
    ['a drive letter is absolute', 'C:\\temp\\**\\*.csv', from('C:\\temp', '**', '*.csv')],
    ['in small letters and with / as well', 'c:/temp/*.csv', from('c:\\temp', '*.csv')],
    ['a path without wildcards has no segments', 'C:\\temp\\a.csv', from('C:\\temp\\a.csv')],
    ['a leading \\ is the root of the drive', '\\temp\\*.csv', from('D:\\temp', '*.csv')],
    ['a share is absolute', '\\\\server\\share\\out\\*.csv', from('\\\\server\\share\\out', '*.csv')],
    ['.. leads up', '..\\other\\*.csv', from('D:\\a\\other', '*.csv')],
  ])('%s', async (_situation, line, expected) => {
    expect(await places(line, base, path.win32)).toEqual([expected])
  })

  test('braces with \\ inside are written out', async () => {
    expect(await places('reports\\{unit\\a,api}.csv', base, path.win32)).toEqual([
      from('D:\\a\\app\\reports\\unit\\a.csv'),
      from('D:\\a\\app\\reports\\api.csv'),
    ])
  })

  test('a folder that is called like a pattern is meant when it is there', async () => {
    const existing = ['D:\\a\\app\\build[1]']
    expect(await places('build[1]\\*.csv', base, path.win32, existing)).toEqual([from('D:\\a\\app\\build[1]', '*.csv')])
    expect(await places('build[1-9]\\*.csv', base, path.win32, existing)).toEqual([from(base, 'build[1-9]', '*.csv')])
  })

  test('upper and lower case are the same', () => {
    const { matches, mayHold } = visibleMatcher(['Reports', '*.CSV'], true)
    expect([matches('reports/a.csv'), mayHold('REPORTS')]).toEqual([true, true])
  })
})

describe('elsewhere', () => {
  const base = '/srv/app'

  test.each<[situation: string, line: string, expected: object]>([
    ['/ separates folders', 'reports/unit/*.csv', from('/srv/app/reports/unit', '*.csv')],
    ['\\ takes the meaning from a wildcard', 'reports/\\*.csv', from('/srv/app/reports/*.csv')],
    ['and from a brace', '\\{a,b}/*.csv', from('/srv/app/{a,b}', '*.csv')],
    ['a class of one character is that character', 'a[*]/*.csv', from('/srv/app/a*', '*.csv')],
    ['. and double / say nothing', './/reports/./*.csv', from('/srv/app/reports', '*.csv')],
    ['an absolute path is one', '/tmp/*.csv', from('/tmp', '*.csv')],
    ['~ is the home folder', '~/out/*.csv', from(path.join(homedir(), 'out'), '*.csv')],
    ['~ is no folder of the root', '/~/*.csv', from('/~', '*.csv')],
    ['~ elsewhere is a name', 'a/~/*.csv', from('/srv/app/a/~', '*.csv')],
    ['a drive letter is a name', 'C:/temp/*.csv', from('/srv/app/C:/temp', '*.csv')],
  ])('%s', async (_situation, line, expected) => {
    expect(await places(line, base, path.posix)).toEqual([expected])
  })

  test('upper and lower case differ', () => {
    expect(visibleMatcher(['*.CSV'], false).matches('a.csv')).toBe(false)
  })

  test('a wildcard with / at the end is for folders only', async () => {
    expect(await places('reports/*/', base, path.posix)).toEqual([
      { ...from('/srv/app/reports', '*'), foldersOnly: true },
    ])
    expect(await places('reports/', base, path.posix)).toEqual([from('/srv/app/reports')])
  })
})
