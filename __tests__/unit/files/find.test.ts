import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { FoundFiles } from '../../../src/files/files.ts'
import { quoted } from '../../../src/text/text.ts'
import { addManyFiles } from '../../support/folder.ts'
import { grid, groups } from '../../support/grid.ts'
import { makePipe } from '../../support/processes.ts'
import { onLinux, onPosix, onWindows, withLinks } from '../../support/systems.ts'
import { asOrdinaryUser, type Entries, tree } from '../../support/tree.ts'

/**
 * Below each line, the paths of the files that it finds, unless they are the line itself. `# `
 * begins a comment.
 */
async function finds(entries: Entries | string, lines: string, options = {}): Promise<string> {
  await using workspace = await tree(entries)
  return await grid(lines, async (line) =>
    line.startsWith('# ') ? line : (await workspace.paths(line, options)).join(' | ') || 'nothing',
  )
}

/** For each path, `sent` or the reason for skipping it. */
const fates = (found: FoundFiles) =>
  [
    ...found.files.map((file) => `${file.path}: sent`),
    ...found.skipped.map((file) => `${file.path}: ${file.reason}`),
  ].join(', ')

const reports = {
  'build[1]/a[1].csv': '1',
  'coverage.csv': '2',
  'tests.csv': '3',
  'reports/unit.csv': '4',
  'reports/unit.xml': '5',
  'reports/linux/api.csv': '6',
  'reports/linux/deep/ui.csv': '7',
  'reports/windows/api.csv': '8',
  'with space, and comma.txt': '9',
}

describe('patterns', () => {
  test('find files by their path, a folder or wildcards', async () => {
    const lines = `
coverage.csv
reports
reports/windows/
# A file is no folder.
coverage.csv/
coverage.csv/unit.csv
# Only files are found, so a wildcard for folders finds nothing.
reports/*/⏎*/
*.csv
reports/*
reports/**/*.csv
reports/{linux,windows,macos}/*.csv
build[1]/a[1].csv
build[1]/*.csv
with space, and comma.txt
reports/linux/../windows/*.csv
reports/*/./api.csv
# An exclusion holds wherever it is.
!test*⏎*.csv
! !coverage.csv⏎*.csv⏎!!!tests.csv
reports/**/*.csv⏎!reports/linux
reports/**⏎!reports/{linux,windows}/**⏎!**/*.xml
reports/unit.*⏎!/**/*.xml
# With a slash at its end, it is for folders only.
**/unit.*⏎reports/**/a*⏎!reports/*/
coverage.csv⏎!cov*/⏎!coverage.csv/
reports⏎reports/unit.csv⏎!rep*/
# The order is that of the lines, then by path.
reports/*.csv⏎*.csv
tests.csv⏎*.csv
`
    expect(await finds(reports, lines)).toMatchInlineSnapshot(`
"coverage.csv
reports
    reports/linux/api.csv | reports/linux/deep/ui.csv | reports/unit.csv | reports/unit.xml | reports/windows/api.csv
reports/windows/
    reports/windows/api.csv
# A file is no folder.
coverage.csv/
    nothing
coverage.csv/unit.csv
    nothing
# Only files are found, so a wildcard for folders finds nothing.
reports/*/⏎*/
    nothing
*.csv
    coverage.csv | tests.csv
reports/*
    reports/unit.csv | reports/unit.xml
reports/**/*.csv
    reports/linux/api.csv | reports/linux/deep/ui.csv | reports/unit.csv | reports/windows/api.csv
reports/{linux,windows,macos}/*.csv
    reports/linux/api.csv | reports/windows/api.csv
build[1]/a[1].csv
build[1]/*.csv
    build[1]/a[1].csv
with space, and comma.txt
reports/linux/../windows/*.csv
    reports/windows/api.csv
reports/*/./api.csv
    reports/linux/api.csv | reports/windows/api.csv
# An exclusion holds wherever it is.
!test*⏎*.csv
    coverage.csv
! !coverage.csv⏎*.csv⏎!!!tests.csv
    coverage.csv
reports/**/*.csv⏎!reports/linux
    reports/unit.csv | reports/windows/api.csv
reports/**⏎!reports/{linux,windows}/**⏎!**/*.xml
    reports/unit.csv
reports/unit.*⏎!/**/*.xml
    reports/unit.csv
# With a slash at its end, it is for folders only.
**/unit.*⏎reports/**/a*⏎!reports/*/
    reports/unit.csv | reports/unit.xml
coverage.csv⏎!cov*/⏎!coverage.csv/
    coverage.csv
reports⏎reports/unit.csv⏎!rep*/
    nothing
# The order is that of the lines, then by path.
reports/*.csv⏎*.csv
    reports/unit.csv | coverage.csv | tests.csv
tests.csv⏎*.csv
    tests.csv | coverage.csv"
`)
  })

  const withBraces = {
    'd/a.csv': '1',
    'd/b.xml': '2',
    'report.csv': '3',
    'report final.csv': '4',
    'reportfinal.csv': '5',
    '{x}/1.csv': '6',
    'x/1.csv': '7',
    'd, e/1.csv': '8',
    'd/.hidden/c.xml': '9',
  }
  test('braces are meant with or without blanks, also one alternative', async () => {
    const lines = `
d/*.{csv, xml}
{d/a.csv, d/b.xml}
# As written, if something is called so.
report{, final}.csv
{x}/*.csv
{x}/{1,2}.csv
d, e/{1,2}.csv
{d}/*.csv
d/{a}.{csv,txt}
# Beside a hidden folder.
d/**/*.{csv, xml}
d/**/*.{xml}
r*⏎?/*⏎!{d/b.xml, d/a.csv}⏎!{report, final}.csv⏎!{x}/*
`
    expect(await finds(withBraces, lines)).toMatchInlineSnapshot(`
"d/*.{csv, xml}
    d/a.csv | d/b.xml
{d/a.csv, d/b.xml}
    d/a.csv | d/b.xml
# As written, if something is called so.
report{, final}.csv
    report final.csv | report.csv
{x}/*.csv
    {x}/1.csv
{x}/{1,2}.csv
    {x}/1.csv
d, e/{1,2}.csv
    d, e/1.csv
{d}/*.csv
    d/a.csv
d/{a}.{csv,txt}
    d/a.csv
# Beside a hidden folder.
d/**/*.{csv, xml}
    d/a.csv | d/b.xml
d/**/*.{xml}
    d/b.xml
r*⏎?/*⏎!{d/b.xml, d/a.csv}⏎!{report, final}.csv⏎!{x}/*
    report final.csv | reportfinal.csv"
`)
  })

  test('a file that braces name as written is skipped with its reason', async () => {
    await using workspace = await tree({ 'report.csv': '1', 'report .env': '2' })
    const found = await workspace.find('report{.csv, .env}')
    expect(fates(found)).toBe('report.csv: sent, report .env: credentials')
  })

  test.each([
    'part-1 part-2 part-10',
    'v1.9.2 v1.9.10 v1.10.0',
    'a/9.csv a/10.csv B/11.csv',
    '1 99999999999999999998 99999999999999999999',
    '01 1 2',
  ])('numbers in a path count as such: %s', async (inOrder) => {
    const names = inOrder.split(' ')
    await using workspace = await tree(names.toReversed().join(' '))
    expect(await workspace.paths('**')).toEqual(names)
  })

  onPosix(
    '\\ takes the meaning from a wildcard and from braces, unless a file has it in its name',
    async () => {
      await using workspace = await tree({
        ...reports,
        'x{a,b}.csv': '1',
        'xa.csv': '2',
        'back\\slash.csv': '3',
      })
      const lines = ['build\\[1\\]/a\\[*', '?\\{a,b}.csv', 'back\\slash.csv']
      expect(await workspace.paths(lines.join('\n'))).toEqual([
        'build[1]/a[1].csv',
        'x{a,b}.csv',
        'back\\slash.csv',
      ])
    },
  )

  onWindows('backslashes separate folders, and the case is shown as it is on disk', async () => {
    const lines = String.raw`
reports\**\api.csv
REPORTS/Linux/*.CSV
Coverage.CSV
reports/*⏎!REPORTS\*.XML
`
    expect(await finds(reports, lines)).toMatchInlineSnapshot(`
"reports\\**\\api.csv
    reports/linux/api.csv | reports/windows/api.csv
REPORTS/Linux/*.CSV
    reports/linux/api.csv
Coverage.CSV
    coverage.csv
reports/*⏎!REPORTS\\*.XML
    reports/unit.csv"
`)
  })

  test('! # ( ) + - in a name are no wildcards', async () => {
    const entries = 'd/!a.csv d/#a.csv d/+(x).csv d/x.csv d/x-1.csv'
    const lines = `
d/!a*
d/#a*
d/*(x).csv
?/+(x).csv
d/x-[[:digit:]].*
`
    expect(await finds(entries, lines)).toMatchInlineSnapshot(`
"d/!a*
    d/!a.csv
d/#a*
    d/#a.csv
d/*(x).csv
    d/+(x).csv
?/+(x).csv
    d/+(x).csv
d/x-[[:digit:]].*
    d/x-1.csv"
`)
  })

  test('the path of a file and its size are those on disk', async () => {
    await using workspace = await tree('a.csv')
    expect((await workspace.find('a.*')).files).toEqual([
      {
        real: path.join(workspace.root, 'a.csv'),
        path: 'a.csv',
        name: 'a.csv',
        size: 5,
        fingerprint: expect.any(String),
        modifiedMilliseconds: expect.any(Number),
      },
    ])
  })

  onPosix(
    'a JSON list finds what its paths name, from the workspace, and what its patterns match',
    async () => {
      const likeJson = ['["x"]', '{"x":1}', '"x"']
      const names = [' a ', 'a\\*', 'a\nb.csv', '{a,b}', '!a', '#a', '~', '.hidden', ...likeJson]
      await using workspace = await tree({
        ...reports,
        ...Object.fromEntries(names.map((name) => [`odd/${name}`, name])),
      })
      const workingDirectory = path.join(workspace.root, 'odd')
      const exact = names.map((name) => ({ path: `odd/${name}`, size: 1 }))
      const absolute = { path: path.join(workspace.root, 'coverage.csv') }
      const list = JSON.stringify([...exact, absolute, '../tests.*', '!../test?.csv'])
      const found = await workspace.find(list, { workingDirectory })
      expect(found.files.map((file) => file.path)).toEqual([
        ...names.map((name) => `odd/${name}`),
        'coverage.csv',
      ])
      for (const name of likeJson)
        expect(await workspace.paths(name, { workingDirectory })).toEqual([`odd/${name}`])
    },
  )

  test('an object of a JSON list can name and title its file', async () => {
    await using workspace = await tree(reports)
    const named = async (...items: readonly object[]) =>
      (await workspace.find(JSON.stringify(items))).files.map((file) => [
        file.path,
        file.name,
        file.title,
      ])
    expect(
      await named(
        { path: 'coverage.csv', name: 'a\n.csv', title: 'Coverage' },
        { path: 'reports/unit.xml', name: 'a_.csv', title: null, size: 1 },
        { path: 'tests.csv', name: '', title: '' },
      ),
    ).toEqual([
      ['coverage.csv', 'a_.csv', 'Coverage'],
      // Made unique like any other name.
      ['reports/unit.xml', 'a_ (reports).csv', undefined],
      ['tests.csv', 'tests.csv', undefined],
    ])
  })

  test('an object of a JSON list is refused, with what to write', async () => {
    await using workspace = await tree('a.csv')
    const items = `
{"path": "a.csv", "name": "x/y.csv"}
{"path": "a.csv", "name": ".."}
{"path": "a.csv", "name": "${'x'.repeat(256)}"}
{"path": "a.csv", "name": 1}
{"path": "a.csv", "title": {}}
{"file": "a.csv"}
{"file": "a.csv", "filename": "b.csv"}
{"filename": "a.csv"}
`
    const refused = groups(items, (item) => workspace.refusal(`[${item}]`))
    expect(await refused).toMatchInlineSnapshot(`
"In \`files\`, item 1 is \`{"path":"a.csv","name":"x/y.csv"}\`. \`name\` must be 1 to 255 characters, without \`/\`.
    {"path": "a.csv", "name": "x/y.csv"}
In \`files\`, item 1 is \`{"path":"a.csv","name":".."}\`. \`name\` must be 1 to 255 characters, without \`/\`.
    {"path": "a.csv", "name": ".."}
In \`files\`, item 1 is \`{"path":"a.csv","name":"xxxxxxxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}\`. \`name\` must be 1 to 255 characters, without \`/\`.
    {"path": "a.csv", "name": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}
In \`files\`, item 1 is \`{"path":"a.csv","name":1}\`. \`name\` must be 1 to 255 characters, without \`/\`.
    {"path": "a.csv", "name": 1}
In \`files\`, item 1 is \`{"path":"a.csv","title":{}}\`. A \`title\` takes a text.
    {"path": "a.csv", "title": {}}
In \`files\`, item 1 is \`{"file":"a.csv"}\`. Rename \`file\` to \`path\`.
    {"file": "a.csv"}
In \`files\`, item 1 is \`{"file":"a.csv","filename":"b.csv"}\`. Rename \`file\` to \`path\`, and \`filename\` to \`name\`.
    {"file": "a.csv", "filename": "b.csv"}
In \`files\`, item 1 is \`{"filename":"a.csv"}\`. A JSON list has patterns and objects with a \`path\`: \`["reports/*.csv", {"path": "coverage.csv"}]\`.
    {"filename": "a.csv"}"
`)
  })

  test('a string that comes as JSON counts as its lines', async () => {
    await using workspace = await tree(reports)
    expect(await workspace.paths('"coverage.csv\\nreports/*.xml\\r\\n"')).toEqual([
      'coverage.csv',
      'reports/unit.xml',
    ])
    expect(await workspace.paths('"*.csv"')).toEqual(['coverage.csv', 'tests.csv'])
    expect((await workspace.find('""')).unmatched).toMatchObject([{ pattern: 'files' }])
    for (const other of ['"C:\\new\\report.csv"', '"coverage\\t.csv"', '"coverage.csv']) {
      expect((await workspace.find(other)).unmatched).toMatchObject([{ pattern: other }])
    }
  })

  test('in a string of a JSON list, # begins no comment and [ is no wildcard', async () => {
    const entries = '#1.csv x1.csv x[1].csv pages/[id]/b.csv pages/a/[id].csv pages/a/i.csv'
    const lines = `
["#1.csv", "d#.csv"]
["x[1].csv", "[!x]*.csv"]
["?[1].csv", "pages/**/[id].csv"]
["{x,y}[1].csv"]
["pages/**", "!**/[id]/**"]
["?[1].csv", "pages/*/?.csv", "!x[1].csv"]
`
    expect(await finds(entries, lines)).toMatchInlineSnapshot(`
"["#1.csv", "d#.csv"]
    #1.csv
["x[1].csv", "[!x]*.csv"]
    x[1].csv
["?[1].csv", "pages/**/[id].csv"]
    x[1].csv | pages/a/[id].csv
["{x,y}[1].csv"]
    x[1].csv
["pages/**", "!**/[id]/**"]
    pages/a/[id].csv | pages/a/i.csv
["?[1].csv", "pages/*/?.csv", "!x[1].csv"]
    pages/[id]/b.csv | pages/a/i.csv"
`)
  })

  test('only a line that can mean one path is literal', async () => {
    await using workspace = await tree('d/b.csv a.csv')
    const list = '["pages/[id].csv", "[!x]*.csv", "{x,y}.csv", {"path": "odd/c.csv"}, "a.csv"]'
    expect((await workspace.find(list)).unmatched).toMatchObject([
      { pattern: 'pages/[id].csv', literal: true },
      { pattern: '[!x]*.csv', literal: false },
      { pattern: '{x,y}.csv', literal: false },
      { pattern: 'odd/c.csv', literal: true },
    ])
    const refusal =
      '`d` is a folder, and an object with a `path` names one file.\nFor all files in it, write a string, which starts at `working-directory`.'
    expect(await workspace.refusal('["a.csv", {"path": "d"}]')).toBe(refusal)
    expect(await workspace.paths('.', { workingDirectory: 'd' })).toEqual(['d/b.csv'])
  })

  onPosix('~ is the home folder, also beside a folder of this name', async () => {
    await using workspace = await tree('~/a.csv [!]x.csv x/!/b.csv')
    expect(await workspace.paths('./~/*.csv\nx/[!]/b.csv\n[!]x.csv')).toEqual([
      '~/a.csv',
      '[!]x.csv',
    ])
    expect((await workspace.find('~/a.csv')).files).toEqual([])
  })

  test('more files than allowed are refused with the count and the pattern that took most', async () => {
    await using workspace = await tree(reports)
    expect(await workspace.refusal('coverage.csv\nreports/**', { maxFiles: 3 })).toBe(
      'The patterns match 6 files, but `max-files` allows 3. Most are from `reports/**`: 5.\n' +
        'Write a narrower pattern, send them as one ZIP file, or raise `max-files` if you mean all of them.',
    )
    expect(
      await workspace.refusal('coverage.csv\ntests.csv\nreports/unit.*', { maxFiles: 2 }),
    ).not.toContain('Most')
    expect(await workspace.refusal('reports/**\nnone/*', { maxFiles: 4 })).toMatch(
      /^The patterns match 5 files, but `max-files` allows 4\.\n/,
    )
    expect(await workspace.paths('coverage.csv\nreports/**', { maxFiles: 6 })).toHaveLength(6)
  })

  test('more files than allowed are refused with the number of those that are packages', async () => {
    await using workspace = await tree('a.js node_modules/b.js web/node_modules/c/d.js')
    const refused = (maxFiles: number, patterns: string) =>
      workspace.refusal(patterns, { maxFiles })
    expect(await refused(2, '**/*.js')).toContain('allows 2. In `node_modules`: 2.\n')
    expect(await refused(1, 'a.js\nnode_modules/*.js')).toContain('In `node_modules`: 1.\n')
    expect(await refused(0, '*.js')).not.toContain('node_modules')
  })

  test('a search that finds thousands of files too many ends there, because each takes memory', async () => {
    await using workspace = await tree({})
    addManyFiles(workspace.root, 5_005, (index) => `reports/${index}.csv`)
    expect(await workspace.refusal('reports/*\n!reports/0.csv', { maxFiles: 2 })).toContain(
      'The patterns match 5,004 files',
    )
    expect(await workspace.refusal('reports/*', { maxFiles: 2 })).toBe(
      'More than 5,004 files below `reports` match, but `max-files` allows 2.\nWrite a narrower pattern, send them as one ZIP file, or raise `max-files` if you mean all of them.',
    )
  })
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

describe('hidden files', () => {
  const entries = {
    '.coverage': '1',
    'reports/.out/a.csv': '2',
    'reports/.out/.b.csv': '3',
    'reports/.c.csv': '4',
    'reports/d.csv': '5',
    'reports/.notes/readme.txt': '6',
  }
  test('are passed over by wildcards', async () => {
    const lines = `
**/*.csv
reports
# A pattern that writes the dot takes what fits and is not hidden below.
.coverage
.cov*
reports/.out/*.csv
**/.out/*.csv
`
    expect(await finds(entries, lines)).toMatchInlineSnapshot(`
"**/*.csv
    reports/d.csv
reports
    reports/d.csv
# A pattern that writes the dot takes what fits and is not hidden below.
.coverage
.cov*
    .coverage
reports/.out/*.csv
    reports/.out/a.csv
**/.out/*.csv
    reports/.out/a.csv"
`)
  })

  test('are found if they are asked for', async () => {
    const lines = `
**/*.csv
**⏎!**/*.csv
`
    expect(await finds(entries, lines, { includeHiddenFiles: true })).toMatchInlineSnapshot(`
"**/*.csv
    reports/.c.csv | reports/.out/.b.csv | reports/.out/a.csv | reports/d.csv
**⏎!**/*.csv
    .coverage | reports/.notes/readme.txt"
`)
  })

  test('that a pattern would take are named in order, and a folder that may hold some once', async () => {
    await using workspace = await tree({
      ...entries,
      'a/b/.z.csv': '7',
      '.csv': '8',
      '.git/b.csv': '9',
    })
    const found = await workspace.find('**/*.csv')
    expect(fates(found)).toBe(
      'reports/d.csv: sent, .csv: hidden, a/b/.z.csv: hidden, reports/.c.csv: hidden, reports/.notes/: hidden, reports/.out/: hidden',
    )
    expect((await workspace.find('*/.x/*.csv\nreports/d*')).skipped).toEqual([])
  })
})

describe('links', () => {
  withLinks(
    'in the workspace are followed under their own name, and a file sent once',
    async () => {
      const links = { 'out/latest.csv': '-> ../data/run-1/a.csv', 'out/run': '-> ../data/run-1' }
      await using workspace = await tree({ 'data/run-1/a.csv': '1', ...links })
      const { files, skipped } = await workspace.find('out/**\ndata/**')
      const real = path.join(workspace.root, 'data/run-1/a.csv')
      expect(files).toMatchObject([{ real, path: 'out/latest.csv', name: 'latest.csv' }])
      expect(skipped).toEqual([])
      expect(await workspace.paths('out/run/*')).toEqual(['out/run/a.csv'])
    },
  )

  withLinks(
    'count less than the file itself, wherever they are sorted, if one line finds both',
    async () => {
      await using workspace = await tree('a.csv->b/c.csv b/c.csv z.csv->b/c.csv y->b')
      expect(await workspace.paths('**')).toEqual(['b/c.csv'])
      expect(await workspace.paths('?.csv\n**')).toEqual(['a.csv'])
    },
  )

  withLinks(
    'that lead out of the workspace are skipped by a wildcard, and refused as a path',
    async () => {
      await using outside = await tree('secret.csv folder/b.csv')
      await using workspace = await tree({
        'a.csv': '1',
        'file.csv': `-> ${outside.root}/secret.csv`,
        folder: `-> ${outside.root}/folder`,
        'via.csv': '-> folder/b.csv',
      })
      const found = await workspace.find('**')
      expect(fates(found)).toBe(
        'a.csv: sent, file.csv: link-outside, folder/: link-outside, via.csv: link-outside',
      )
      expect(fates(await workspace.find('folder/*'))).toBe('folder/: link-outside')
      for (const line of ['file.csv', 'folder', 'folder/b.csv']) {
        expect(await workspace.refusal(line)).toContain(
          `\`${line}\` is outside the workspace: a symlink leads there.`,
        )
      }
    },
  )

  withLinks('outside the workspace must not leave the folder of the pattern', async () => {
    await using workspace = await tree('a.csv')
    await using temp = await tree('in/b.csv in/c.csv->b.csv in/d.csv->../e.csv e.csv')
    await temp.add({ folder: '-> in' })
    expect(fates(await workspace.find(`${temp.root}/in/*.csv`))).toBe(
      `${temp.shownRoot}/in/b.csv: sent, ${temp.shownRoot}/in/d.csv: link-outside`,
    )
    const refusal = await workspace.refusal(`${temp.root}/in/d.csv`)
    expect(refusal).toContain(`is outside \`${temp.shownRoot}/in\`: a symlink leads there`)
    // The path may lead through symlinks.
    for (const at of ['in/c.csv', 'folder/b.csv']) {
      expect(await workspace.paths(`${temp.root}/${at}`)).toEqual([`${temp.shownRoot}/${at}`])
    }
  })

  withLinks('to the workspace are no way out, however a pattern leads into it', async () => {
    await using outside = await tree('secret.csv')
    await using workspace = await tree({
      'a/b.csv': '1',
      'c.csv': '-> a/b.csv',
      'd/e.csv': '-> ../a/b.csv',
      'out.csv': `-> ${outside.root}/secret.csv`,
      out: `-> ${outside.root}`,
    })
    await using elsewhere = await tree({
      work: `-> ${workspace.root}`,
      other: `-> ${workspace.root}`,
    })
    const options = {
      workspace: `${elsewhere.root}/work`,
      workingDirectory: `${elsewhere.root}/work`,
    }
    expect(await workspace.paths('a/*\n*.csv', options)).toEqual(['a/b.csv'])
    expect(await workspace.paths(`${workspace.root}/*.csv\n!a`, options)).toEqual([])
    expect(await workspace.paths(`${workspace.root}/*.csv`, options)).toEqual(['c.csv'])
    expect(await workspace.paths(`${elsewhere.root}/other/d/*.csv`, options)).toHaveLength(1)
    for (const line of ['out', `${workspace.root}/out.csv`]) {
      expect(await workspace.refusal(line, options)).toContain('is outside the workspace')
    }
    expect(await workspace.refusal(`${elsewhere.root}/other/out.csv`, options)).toContain(
      'a symlink leads there',
    )
  })

  withLinks('that the pattern does not match are not listed as skipped', async () => {
    const entries = { 'a.csv': '1', 'b.txt': '-> nothing', 'c.txt': '-> d.md', 'd.md': '2' }
    await using workspace = await tree(entries)
    expect(fates(await workspace.find('**/*.csv'))).toBe('a.csv: sent')
    // Folders are never sent.
    await workspace.add({ 'e.csv': '-> ..' })
    expect(fates(await workspace.find('*.csv'))).toBe('a.csv: sent')
  })

  withLinks('in a circle and to nothing are skipped with the reason', async () => {
    await using workspace = await tree(
      'a.csv self.csv->self.csv gone.csv->nowhere.csv sub/up->.. x/to-y->../y y/to-x->../x y/b.csv',
    )
    const found = await workspace.find('**')
    expect(found.files.map((file) => file.path)).toEqual(['a.csv', 'y/b.csv'])
    expect(
      found.skipped.map(({ path, reason, why }) => `${path} ${quoted(why)} (${reason})`),
    ).toEqual([
      'gone.csv is a broken symlink (link-broken)',
      'self.csv is a symlink that leads back to itself (link-broken)',
      'sub/up/ is a symlink to a folder that contains it (link-upward)',
    ])
  })

  withLinks('to something hidden are skipped by a wildcard, whatever their own name', async () => {
    await using workspace = await tree(
      '.secrets.json .runs/7/a.csv .runs/8/b.csv->../7/a.csv reports/x.json->../.secrets.json reports/latest->../.runs/7 reports/y.csv->z/c.csv reports/z/c.csv',
    )
    const found = await workspace.find('reports/*.json\nreports/*/*.csv')
    expect(found.files.map(({ path: at }) => at)).toEqual(['reports/z/c.csv'])
    expect(found.skipped.map(({ path: at, reason, why }) => [at, reason, quoted(why)])).toEqual([
      ['reports/x.json', 'link-hidden', 'is a symlink to `.secrets.json`, which is hidden'],
      ['reports/latest/', 'link-hidden', 'is a symlink to `.runs/7`, which is hidden'],
    ])
    expect(found.unmatched.map(({ explanation = [] }) => explanation.map(quoted))).toEqual([
      [
        '`reports/x.json` is a symlink to `.secrets.json`, which is hidden. To send what such a symlink points to, set `include-hidden-files: true`, or write the symlink before the first wildcard, like `latest/*.csv`.',
      ],
    ])
    expect(await workspace.paths('reports/latest/*.csv\nreports/x.json')).toEqual([
      'reports/latest/a.csv',
      'reports/x.json',
    ])
    // A file counts as hidden only below the folder where the search begins.
    expect(await workspace.paths('.runs/*/*')).toEqual(['.runs/7/a.csv'])
    expect(await workspace.paths('.runs/8/*')).toEqual(['.runs/8/b.csv'])
    const all = await workspace.paths('reports/*/a.csv\nreports/*.json', {
      includeHiddenFiles: true,
    })
    expect(all).toEqual(['reports/latest/a.csv', 'reports/x.json'])
  })

  const linked = 'a/b/c/x.csv link->a/b a/up->../a/b/c z/in->../a y->a/b/c'
  withLinks(
    'a linked folder is searched once for each way that the pattern can go on in it',
    async () => {
      const lines = `
**/x.csv
link/**
*/*/x.csv
**/in/b/c/*.csv
# By the first of two links.
**/[uy]*/x.csv
z/*/b/**⏎!a/b/c
# Not by a link that is excluded where it lies.
z/*/up/*.csv⏎!a/up
`
      expect(await finds(linked, lines)).toMatchInlineSnapshot(`
"**/x.csv
    a/b/c/x.csv
link/**
    link/c/x.csv
*/*/x.csv
    a/up/x.csv
**/in/b/c/*.csv
    z/in/b/c/x.csv
# By the first of two links.
**/[uy]*/x.csv
    a/up/x.csv
z/*/b/**⏎!a/b/c
    nothing
# Not by a link that is excluded where it lies.
z/*/up/*.csv⏎!a/up
    nothing"
`)
    },
  )

  const secret = 'secret/a.csv b.csv->secret/a.csv sub->secret n/p->../secret'
  withLinks('an exclusion holds for a link and for what it leads to', async () => {
    const lines = `
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
`
    expect(await finds(secret, lines)).toMatchInlineSnapshot(`
"**⏎!secret
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
    b.csv
# Packages of a workspace are linked from node_modules: two stars alone are not for the link.
**⏎!n/**
    secret/a.csv
n/*/*.csv⏎!n/**
    nothing"
`)
  })
})

describe('the root of the disk', () => {
  withLinks('is searched under no name', async () => {
    await using workspace = await tree('a.csv')
    await using elsewhere = await tree({
      all: `-> ${path.parse(workspace.root).root}`,
      'in/': '',
      'b.csv': '1',
    })
    for (const line of [
      `${elsewhere.root}/all/*.csv`,
      `${elsewhere.root}/all`,
      `${elsewhere.root}/{in,all}/**`,
    ]) {
      expect(await workspace.refusal(line)).toMatch(
        / searches the root of the disk\.\nWas an expression in it empty/,
      )
    }
    expect(await workspace.paths(`${elsewhere.root}/all/${elsewhere.root}/*.csv`)).toHaveLength(1)
  })

  const refused = (line: string, hint: string) =>
    `\`${line}\` searches the root of the disk.\n${hint} To search another folder, write its name before the first wildcard.`
  onPosix('is not searched from a working directory that leads there', async () => {
    await using workspace = await tree('a.csv')
    for (const line of ['**/a.csv', '*.csv']) {
      const refusal = await workspace.refusal(line, { workingDirectory: '../'.repeat(20) })
      expect(refusal).toBe(refused(line, '`working-directory` points outside the workspace.'))
    }
  })

  const isEmpty = 'Was an expression in it empty?'
  const onLinuxOnly = process.platform === 'linux' ? ['/proc/self/root/*.csv'] : []
  onPosix.each([
    ...['/', `${'../'.repeat(20)}*.csv`, '{/,reports/}*.csv', ...onLinuxOnly].map((line) => [line]),
    ...['/*.csv', '/**/unit.csv'].map((line) => [
      line,
      ` For files of the workspace, write \`${line.slice(1)}\`.`,
    ]),
  ])('is not searched by %s', async (line = '', instead = '') => {
    await using workspace = await tree('a.csv')
    expect(await workspace.refusal(line)).toBe(refused(line, isEmpty + instead))
  })
})

describe('a path of the host, in a job with `container:`', () => {
  /** The workspace of the container is not on this disk: other lines end with that. */
  const refusalIn = async (workspace: string, lines: string, workingDirectory = '') => {
    await using folder = await tree()
    const refusal = await folder.refusal(lines, { workspace, workingDirectory })
    return refusal.startsWith('`working-directory` is') ? 'searched' : refusal
  }

  test('is refused, with what to write instead', async () => {
    const lines = `
/__w/app.js/app.js/r/**⏎!/home/runner/work/app.js/app.js/r/private/**
! "/home/runner/work/app.js/app.js/r/private"
/mnt/work/app.js/app.js/r/a.csv
/srv/my runner/ci/app.js/app.js/**/*.csv
/home/runner/work/app.js/app.js
{/opt/ci/app.js/app.js/a,/opt/ci/app.js/app.js/b}.csv
{r, /opt/ci/app.js/app.js/s}/*.csv
["/__w/app.js/app.js/r", "!/ci/app.js/app.js/r/private"]
[{"path": "/ci/app.js/app.js/a.csv"}]
/opt/ci/app.js/app.js/../other/*.csv
/mnt/work/_temp/out.csv
!/mnt/work/_temp
# The work folder of a hosted runner
!/home/runner/work/app.js/build/private/**
!/home/runner/_work/other/other/**
# A path of the container, or of the user
/__w/app.js/app.js/app.js/app.js/a.csv
/__w/_temp/out.csv
/srv/work/other/*.csv
/srv/work/appxjs/appxjs/*.csv
/mnt/work/app.js/app.js-old/*.csv
/mnt/work/_temporary/*.csv
home/runner/work/app.js/app.js/*.csv
r/_temp/*.csv
`
    const instead = async (line: string) =>
      line.startsWith('# ')
        ? line
        : (await refusalIn('/__w/app.js/app.js', line)).split('\n').at(-1)
    expect(await grid(lines, instead)).toMatchInlineSnapshot(`
"/__w/app.js/app.js/r/**⏎!/home/runner/work/app.js/app.js/r/private/**
    Write \`!r/private/**\`.
! "/home/runner/work/app.js/app.js/r/private"
    Write \`! "r/private"\`.
/mnt/work/app.js/app.js/r/a.csv
    Write \`r/a.csv\`.
/srv/my runner/ci/app.js/app.js/**/*.csv
    Write \`**/*.csv\`.
/home/runner/work/app.js/app.js
    Write \`/__w/app.js/app.js\`.
{/opt/ci/app.js/app.js/a,/opt/ci/app.js/app.js/b}.csv
    Write \`{a,b}.csv\`.
{r, /opt/ci/app.js/app.js/s}/*.csv
    Write \`{r, s}/*.csv\`.
["/__w/app.js/app.js/r", "!/ci/app.js/app.js/r/private"]
    Write \`!r/private\`.
[{"path": "/ci/app.js/app.js/a.csv"}]
    Write \`a.csv\`.
/opt/ci/app.js/app.js/../other/*.csv
    Write \`../other/*.csv\`.
/mnt/work/_temp/out.csv
    Write \`/__w/_temp/out.csv\`.
!/mnt/work/_temp
    Write \`!/__w/_temp\`.
# The work folder of a hosted runner
!/home/runner/work/app.js/build/private/**
    Write \`!/__w/app.js/build/private/**\`.
!/home/runner/_work/other/other/**
    Write \`!/__w/other/other/**\`.
# A path of the container, or of the user
/__w/app.js/app.js/app.js/app.js/a.csv
    searched
/__w/_temp/out.csv
    searched
/srv/work/other/*.csv
    searched
/srv/work/appxjs/appxjs/*.csv
    searched
/mnt/work/app.js/app.js-old/*.csv
    searched
/mnt/work/_temporary/*.csv
    searched
home/runner/work/app.js/app.js/*.csv
    searched
r/_temp/*.csv
    searched"
`)
    expect(await refusalIn('/__w/a/a', 'r\n!/mnt/work/a/a/r/b')).toBe(
      "`!/mnt/work/a/a/r/b` has a path of the runner's host. In a job with `container:`, the runner translates it only at the start of an input.\nWrite `!r/b`.",
    )
  })

  test('is replaced by a path of the container if `working-directory` is set', async () => {
    const refusal = await refusalIn('/__w/a/a', '!/home/runner/work/a/a/r/*.csv', 'packages')
    expect(refusal).toMatch('Write `!/__w/a/a/r/*.csv`')
  })

  test('is a path as any other without `container:`', async () => {
    const line = '!/mnt/work/app/app/r/**\nr/**\n/mnt/work/_temp/a.csv'
    for (const workspace of ['/home/runner/work/app/app', '/mnt/__w/app/app'])
      expect(await refusalIn(workspace, line)).toBe('searched')
  })
})

describe('what must not leave', () => {
  test.each(['.git/**', '.git/config*', '**'])('%s takes nothing of git', async (line) => {
    await using workspace = await tree('.git/config .git/hooks/a')
    const found = await workspace.find(line, { includeHiddenFiles: true })
    // A wildcard alone never means `.git`, so skipping it is not reported.
    expect(fates(found)).toBe(line === '**' ? '' : '.git/: credentials')
  })

  onPosix('pipes and sockets are skipped, and refused when written as a path', async () => {
    await using workspace = await tree('a.csv')
    await makePipe(path.join(workspace.root, 'pipe.csv'))
    await using server = createServer()
    await new Promise<void>((resolve) =>
      server.listen(path.join(workspace.root, 'socket.csv'), resolve),
    )
    expect(fates(await workspace.find('*.csv'))).toBe(
      'a.csv: sent, pipe.csv: not-a-file, socket.csv: not-a-file',
    )
    for (const line of ['pipe.csv', 'socket.csv', '/dev/null'])
      expect(await workspace.refusal(line)).toContain('is not a regular file')
  })

  onPosix.each([
    ...['.env', '.ssh', '.git', '.git/config', 'server.key'].map((line) => [
      line,
      'put it into an archive',
    ]),
    ['out.csv', 'Copy what such a symlink points to into the workspace in an earlier step'],
    ['/dev/null', 'Remove this line from `files`, or write a file that can be sent.'],
    ['closed', 'give the user that runs the step the right to read it', 'A file cannot be read'],
  ])(
    '%s written as a path is refused, with what to do',
    async (line = '', remedy = '', title = 'A file must not be sent') => {
      const key = ['-----BEGIN', 'PRIVATE KEY-----\n'].join(' ')
      await using outside = await tree('a.csv')
      await using workspace = await tree({
        '.env': '1',
        '.ssh/config': '1',
        '.git/config': '1',
        'server.key': key,
      })
      await workspace.add({ 'out.csv': `-> ${outside.root}/a.csv`, 'closed/': '' })
      workspace.lock('closed')
      await asOrdinaryUser(async () => {
        await expect(workspace.find(line)).rejects.toMatchObject({ problems: [{ title }] })
        const refusal = await workspace.refusal(line)
        expect(refusal).toMatch(`\`${line}\` `)
        expect(refusal).toContain(remedy)
      })
    },
  )

  onPosix(
    'what cannot be read is skipped by a wildcard, and an error where a pattern names it',
    async () => {
      await using workspace = await tree('a.csv b.csv closed/c.csv open/closed/d.csv .closed/e.csv')
      workspace.lock('b.csv', 'closed', 'open/closed', '.closed')
      await asOrdinaryUser(async () => {
        expect(fates(await workspace.find('*\nopen/**\n**/*.csv'))).toBe(
          'a.csv: sent, b.csv: unreadable, open/closed/: unreadable, .closed/: hidden, closed/: unreadable',
        )
        for (const line of [
          'b.csv',
          'closed',
          'closed/c.csv',
          'closed/*/*.csv',
          'open/closed/**',
          '{a,b}.csv',
        ]) {
          expect(await workspace.refusal(`a.csv\n${line}`)).toContain(
            'cannot be read (`EACCES: permission denied`)',
          )
        }
        expect(await workspace.refusal('closed/*.csv')).toContain('`closed` cannot be read')
      })
    },
  )

  onLinux(
    'a name that is no UTF-8 is skipped with the reason, one with the replacement character is not',
    async () => {
      await using workspace = await tree({ 'a\ufffd.csv': '1' })
      const undecodable = (name: string) =>
        Buffer.concat([
          Buffer.from(`${workspace.root}/${name}`),
          Buffer.from([0xff]),
          Buffer.from('.csv'),
        ])
      await writeFile(undecodable('b'), '2')
      await symlink('a\ufffd.csv', undecodable('c'))
      await mkdir(undecodable('d'))
      expect(fates(await workspace.find('**'))).toBe(
        'a\ufffd.csv: sent, d\ufffd.csv/: unreadable, b\ufffd.csv: unreadable, c\ufffd.csv: unreadable',
      )
    },
  )
})
