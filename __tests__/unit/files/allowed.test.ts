import { expect, test } from '@jest/globals'
import { inspectFile } from '../../../src/files/allowed.ts'
import { searchContext } from '../../../src/files/search-context.ts'
import { quoted } from '../../../src/text/text.ts'
import { tokenRemover } from '../../../src/text/token.ts'
import { finds } from '../../support/finds.ts'
import { withLinks } from '../../support/systems.ts'
import { findOptions, tree } from '../../support/tree.ts'

test('what is empty, became a folder or was removed before it was opened is skipped, and nothing is opened once the search must end', async () => {
  await using disk = await tree({ 'a.csv': 'a,b\n', 'folder/': '', empty: '', one: '1' })
  const context = await searchContext([], findOptions(disk.root))
  const look = async (name: string, more: Partial<typeof context> = {}) => {
    const found = await inspectFile(
      { ...context, ...more },
      { path: name, real: `${disk.root}/${name}` },
    )
    return 'why' in found ? `${found.reason}: ${quoted(found.why)}` : found.size
  }
  expect(await look('a.csv')).toBe(4)
  expect(await look('empty')).toBe(0)
  const options = { ...context.options, skipEmptyFiles: true }
  expect(await look('empty', { options })).toBe('empty: is empty')
  expect(await look('one', { options })).toBe(1)
  expect(await look('folder')).toBe('not-a-file: is not a regular file')
  expect(await look('gone')).toBe(
    'unreadable: was removed while files were searched, or its name is not valid UTF-8',
  )
  await expect(
    look('a.csv', { checkpoint: () => Promise.reject(new Error('time is up')) }),
  ).rejects.toThrow('time is up')
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

withLinks('a link is judged by its own path and by what it leads to', async () => {
  const links = `
a.csv self.csv->self.csv gone.csv->nowhere.csv sub/up->.. x/to-y->../y y/to-x->../x y/b.csv
**

.secrets.json .runs/7/a.csv .runs/8/b.csv->../7/a.csv reports/x.json->../.secrets.json reports/latest->../.runs/7 reports/y.csv->z/c.csv reports/z/c.csv
# Links to something hidden are skipped by a wildcard, whatever their own name.
reports/*.json⏎reports/*/*.csv
reports/latest/*.csv⏎reports/x.json
# A file counts as hidden only below the folder where the search begins.
.runs/*/*
.runs/8/*
reports/*/a.csv⏎reports/*.json | {"includeHiddenFiles":true}

secret/a.csv b.csv->secret/a.csv sub->secret n/p->../secret
# An exclusion holds for a link and for what it leads to.
**⏎!secret
**⏎!secret/*.csv
**⏎!**/a.csv
# Not for what it leads to.
**⏎!b.csv
**⏎!**/b.csv
?ub/*.csv⏎!secret/*.csv
?ub/*.csv⏎!sub/*.csv
?ub/*.csv⏎!su*/
?ub/*.csv⏎!se*/
?.csv⏎!*.csv/
# Packages of a workspace are linked from node_modules: two stars alone are not for the link.
**⏎!n/**
n/*/*.csv⏎!n/**

.git/annex/objects/wM/Q1/a/a.csv .git/config a.csv->.git/annex/objects/wM/Q1/a/a.csv b.csv->.git/config
# What git-annex keeps is hidden, but no credential.
a.csv
*.csv
`
  expect(await finds(links)).toMatchInlineSnapshot(`
"a.csv self.csv->self.csv gone.csv->nowhere.csv sub/up->.. x/to-y->../y y/to-x->../x y/b.csv
**
    a.csv | y/b.csv | gone.csv is a broken symlink (link-broken) | self.csv is a symlink that leads back to itself (link-broken) | sub/up/ is a symlink to a folder that contains it (link-upward)

.secrets.json .runs/7/a.csv .runs/8/b.csv->../7/a.csv reports/x.json->../.secrets.json reports/latest->../.runs/7 reports/y.csv->z/c.csv reports/z/c.csv
# Links to something hidden are skipped by a wildcard, whatever their own name.
reports/*.json⏎reports/*/*.csv
    reports/z/c.csv | reports/x.json is a symlink to \`.secrets.json\`, which is hidden (link-hidden) | reports/latest/ is a symlink to \`.runs/7\`, which is hidden (link-hidden)
reports/latest/*.csv⏎reports/x.json
    reports/latest/a.csv -> .runs/7/a.csv | reports/x.json -> .secrets.json
# A file counts as hidden only below the folder where the search begins.
.runs/*/*
    .runs/7/a.csv
.runs/8/*
    .runs/8/b.csv -> .runs/7/a.csv
reports/*/a.csv⏎reports/*.json | {"includeHiddenFiles":true}
    reports/latest/a.csv -> .runs/7/a.csv | reports/x.json -> .secrets.json

secret/a.csv b.csv->secret/a.csv sub->secret n/p->../secret
# An exclusion holds for a link and for what it leads to.
**⏎!secret
    nothing
**⏎!secret/*.csv
    nothing
**⏎!**/a.csv
    nothing
# Not for what it leads to.
**⏎!b.csv
    secret/a.csv
**⏎!**/b.csv
    secret/a.csv
?ub/*.csv⏎!secret/*.csv
    nothing
?ub/*.csv⏎!sub/*.csv
    nothing
?ub/*.csv⏎!su*/
    nothing
?ub/*.csv⏎!se*/
    nothing
?.csv⏎!*.csv/
    b.csv -> secret/a.csv | log: \`!*.csv/\` excluded nothing
# Packages of a workspace are linked from node_modules: two stars alone are not for the link.
**⏎!n/**
    secret/a.csv
n/*/*.csv⏎!n/**
    nothing

.git/annex/objects/wM/Q1/a/a.csv .git/config a.csv->.git/annex/objects/wM/Q1/a/a.csv b.csv->.git/config
# What git-annex keeps is hidden, but no credential.
a.csv
    a.csv -> .git/annex/objects/wM/Q1/a/a.csv
*.csv
    a.csv is a symlink to \`.git/annex/objects/wM/Q1/a/a.csv\`, which is hidden (link-hidden) | b.csv is where a tool or the runner keeps credentials (credentials)"
`)
})

test('a file with the token in its path is not sent, and no text shows the token', async () => {
  const token = `xoxb-${'1234567890'.repeat(3)}`
  const removeToken = tokenRemover(token)
  await using workspace = await tree({
    [`${token}.csv`]: '1',
    [`${token}/b.csv`]: '2',
    'c.csv': '3',
  })
  const found = await workspace.find('**/*.csv\nd.csv\n*.xml', { removeToken })
  expect(found.files.map((file) => file.path)).toEqual(['c.csv'])
  expect(found.skipped.map(({ path, why }) => `${path} ${quoted(why)}`)).toEqual([
    '***.csv has the token in its name',
    '***/b.csv has the token in its name',
  ])
  expect(await workspace.refusal(`${token}.csv`, { removeToken })).toBe(
    '`***.csv` has the token in its name.\nRename such a file, and replace the token: others may have seen the name.',
  )
  expect(JSON.stringify(found)).not.toContain(token)
})
