import { expect, test } from '@jest/globals'
import { inspectFile } from '../../../src/files/allowed.ts'
import { searchContext } from '../../../src/files/search-context.ts'
import { quoted } from '../../../src/text/text.ts'
import { findOptions, tree } from '../../support/tree.ts'

test('what became a folder or was removed before it was opened is skipped, and nothing is opened once the search must end', async () => {
  await using disk = await tree({ 'a.csv': 'a,b\n', 'folder/': '' })
  const context = await searchContext([], findOptions(disk.root))
  const look = async (name: string, checkpoint = context.checkpoint) => {
    const found = await inspectFile(
      { ...context, checkpoint },
      { path: name, real: `${disk.root}/${name}` },
    )
    return 'why' in found ? `${found.reason}: ${quoted(found.why)}` : found.size
  }
  expect(await look('a.csv')).toBe(4)
  expect(await look('folder')).toBe('not-a-file: is not a regular file')
  expect(await look('gone')).toBe(
    'unreadable: was removed while files were searched, or its name is not valid UTF-8',
  )
  await expect(look('a.csv', () => Promise.reject(new Error('time is up')))).rejects.toThrow(
    'time is up',
  )
})
