import { expect, test } from '@jest/globals'
import { inspectFile } from '../../../src/files/allowed.ts'
import { searchContext } from '../../../src/files/search-context.ts'
import { quoted } from '../../../src/text/text.ts'
import { finds } from '../../support/finds.ts'
import { withLinks } from '../../support/systems.ts'
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

test.each([true, false] as const)(
  'a pointer of Git LFS is not sent by %p',
  async (skipEmptyFiles) => {
    const version = 'version https://git-lfs.github.com/spec/v1\n'
    const pointer = `${version}oid sha256:${'0'.repeat(64)}\nsize 5000\n`
    await using disk = await tree({
      'a.zip': pointer,
      'extended.zip': pointer.replace('oid', `ext-0-a sha256:${'1'.repeat(64)}\noid`),
      'of-windows.zip': pointer.replaceAll('\n', '\r\n'),
      'long.zip': pointer.padEnd(1024),
      'about.zip': `A pointer:\n${pointer}`,
      'other.zip': version,
      'v10.zip': pointer.replace('v1', 'v10'),
    })
    const { files, skipped } = await disk.find('*.zip', { skipEmptyFiles })
    expect(skipped.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      'a.zip pointer',
      'extended.zip pointer',
      'of-windows.zip pointer',
    ])
    expect(files).toHaveLength(4)
    expect(await disk.refusal('a.zip', { skipEmptyFiles })).toBe(
      '`a.zip` is a pointer of Git LFS, not the file itself.\nSet `lfs: true` for actions/checkout, or run `git lfs pull` before this step.',
    )
  },
)

withLinks('a symlink to what git-annex keeps is hidden, but no credential', async () => {
  const links = `
.git/annex/objects/wM/Q1/a/a.csv .git/config a.csv->.git/annex/objects/wM/Q1/a/a.csv b.csv->.git/config
a.csv
*.csv
`
  expect(await finds(links)).toMatchInlineSnapshot(`
".git/annex/objects/wM/Q1/a/a.csv .git/config a.csv->.git/annex/objects/wM/Q1/a/a.csv b.csv->.git/config
a.csv
    a.csv -> .git/annex/objects/wM/Q1/a/a.csv
*.csv
    a.csv is a symlink to \`.git/annex/objects/wM/Q1/a/a.csv\`, which is hidden (link-hidden) | b.csv is where a tool or the runner keeps credentials (credentials)"
`)
})
