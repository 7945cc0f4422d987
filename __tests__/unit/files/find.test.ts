import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { finds, outcome } from '../../support/finds.ts'
import { grid } from '../../support/grid.ts'
import { onLinux, onPosix, onWindows, withLinks } from '../../support/systems.ts'
import { tree } from '../../support/tree.ts'

describe('patterns', () => {
  test('find what they name, pass over what is hidden, and are refused above the limit', async () => {
    const lines = `
build[1]/a[1].csv coverage.csv tests.csv reports/unit.csv reports/unit.xml reports/linux/api.csv reports/linux/deep/ui.csv reports/windows/api.csv with␣space,␣and␣comma.txt
coverage.csv
reports
reports/windows/
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
# The order is that of the lines, then by path.
reports/*.csv⏎*.csv
tests.csv⏎*.csv
# A string that comes as JSON counts as its lines.
"coverage.csv\\nreports/*.xml\\r\\n"
"*.csv"
# Above its limit, a search is refused with the count.
coverage.csv⏎reports/** | {"maxFiles":3}
coverage.csv⏎reports/** | {"maxFiles":6}

1.csv 10.csv 2.csv v1.10.0 v1.9.10 v1.9.2 a/10.csv a/9.csv B/11.csv
# Numbers in a path count as such.
**

1 01 2 99999999999999999998 99999999999999999999
**

a.js node_modules/b.js web/node_modules/c/d.js
# And with the number of those in packages.
**/*.js | {"maxFiles":2}
a.js⏎node_modules/*.js | {"maxFiles":1}
*.js | {"maxFiles":0}

a.csv a␣.txt a.txt
# Braces are read in another way only where the first finds nothing.
a.{csv, txt}
a{.csv, .txt}
# Nothing is said of ** in a line without files.
a.csv⏎none**.csv

d/b.csv a.csv
. | {"workingDirectory":"d"}
`
    expect(await finds(lines)).toMatchInlineSnapshot(`
"build[1]/a[1].csv coverage.csv tests.csv reports/unit.csv reports/unit.xml reports/linux/api.csv reports/linux/deep/ui.csv reports/windows/api.csv with␣space,␣and␣comma.txt
coverage.csv
reports
    reports/linux/api.csv | reports/linux/deep/ui.csv | reports/unit.csv | reports/unit.xml | reports/windows/api.csv
reports/windows/
    reports/windows/api.csv
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
# The order is that of the lines, then by path.
reports/*.csv⏎*.csv
    reports/unit.csv | coverage.csv | tests.csv
tests.csv⏎*.csv
    tests.csv | coverage.csv
# A string that comes as JSON counts as its lines.
"coverage.csv\\nreports/*.xml\\r\\n"
    coverage.csv | reports/unit.xml
"*.csv"
    coverage.csv | tests.csv
# Above its limit, a search is refused with the count.
coverage.csv⏎reports/** | {"maxFiles":3}
    More files than allowed: The patterns match 6 files, but \`max-files\` allows 3.⏎Write a narrower pattern, send them as one ZIP file, or raise \`max-files\` if you mean all of them.
coverage.csv⏎reports/** | {"maxFiles":6}
    coverage.csv | reports/linux/api.csv | reports/linux/deep/ui.csv | reports/unit.csv | reports/unit.xml | reports/windows/api.csv

1.csv 10.csv 2.csv v1.10.0 v1.9.10 v1.9.2 a/10.csv a/9.csv B/11.csv
# Numbers in a path count as such.
**
    1.csv | 2.csv | 10.csv | a/9.csv | a/10.csv | B/11.csv | v1.9.2 | v1.9.10 | v1.10.0

1 01 2 99999999999999999998 99999999999999999999
**
    01 | 1 | 2 | 99999999999999999998 | 99999999999999999999

a.js node_modules/b.js web/node_modules/c/d.js
# And with the number of those in packages.
**/*.js | {"maxFiles":2}
    More files than allowed: The patterns match 3 files (2 in \`node_modules\`), but \`max-files\` allows 2.⏎Write a narrower pattern, send them as one ZIP file, or raise \`max-files\` if you mean all of them.
a.js⏎node_modules/*.js | {"maxFiles":1}
    More files than allowed: The patterns match 2 files (1 in \`node_modules\`), but \`max-files\` allows 1.⏎Write a narrower pattern, send them as one ZIP file, or raise \`max-files\` if you mean all of them.
*.js | {"maxFiles":0}
    More files than allowed: The patterns match 1 files, but \`max-files\` allows 0.⏎Write a narrower pattern, send them as one ZIP file, or raise \`max-files\` if you mean all of them.

a.csv a␣.txt a.txt
# Braces are read in another way only where the first finds nothing.
a.{csv, txt}
    a.csv | a.txt
a{.csv, .txt}
    a .txt | a.csv
# Nothing is said of ** in a line without files.
a.csv⏎none**.csv
    a.csv

d/b.csv a.csv
. | {"workingDirectory":"d"}
    d/b.csv"
`)
  })

  onPosix(
    '\\ takes the meaning from a wildcard and from braces, unless a file has it in its name, and ~ is the home folder',
    async () => {
      const lines = String.raw`
build[1]/a[1].csv x{a,b}.csv xa.csv back\slash.csv
build\[1\]/a\[*
?\{a,b}.csv
back\slash.csv

~/a.csv [!]x.csv x/!/b.csv
# Also beside a folder of this name.
~/a.csv
./~/*.csv⏎x/[!]/b.csv⏎[!]x.csv
`
      expect(await finds(lines)).toMatchInlineSnapshot(`
"build[1]/a[1].csv x{a,b}.csv xa.csv back\\slash.csv
build\\[1\\]/a\\[*
    build[1]/a[1].csv
?\\{a,b}.csv
    x{a,b}.csv
back\\slash.csv

~/a.csv [!]x.csv x/!/b.csv
# Also beside a folder of this name.
~/a.csv
    nothing
./~/*.csv⏎x/[!]/b.csv⏎[!]x.csv
    ~/a.csv | [!]x.csv"
`)
    },
  )

  onWindows('backslashes separate folders, and the case is shown as it is on disk', async () => {
    const lines = String.raw`
coverage.csv reports/unit.csv reports/unit.xml reports/linux/api.csv reports/windows/api.csv
reports\**\api.csv
REPORTS/Linux/*.CSV
Coverage.CSV
reports/*⏎!REPORTS\*.XML
`
    expect(await finds(lines)).toMatchInlineSnapshot(`
"coverage.csv reports/unit.csv reports/unit.xml reports/linux/api.csv reports/windows/api.csv
reports\\**\\api.csv
    reports/linux/api.csv | reports/windows/api.csv
REPORTS/Linux/*.CSV
    reports/linux/api.csv
Coverage.CSV
    coverage.csv
reports/*⏎!REPORTS\\*.XML
    reports/unit.csv"
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
        'coverage.csv': '1',
        'tests.csv': '2',
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

  test('an object of a JSON list can name and title its file, and the name is made unique', async () => {
    await using workspace = await tree('a.csv b/c.csv d.csv')
    const list =
      '[{"path":"a.csv","name":"a\\n.csv","title":"A"},{"path":"b/c.csv","name":"a_.csv","title":null,"size":1},{"path":"d.csv","name":"","title":""}]'
    const { files } = await workspace.find(list)
    expect(files.map((file) => [file.path, file.name, file.title].join())).toEqual([
      'a.csv,a_.csv,A',
      'b/c.csv,a_ (b).csv,',
      'd.csv,d.csv,',
    ])
  })

  test('of a line that finds nothing, it is known what it was, and if it can mean one path only', async () => {
    await using workspace = await tree('a.csv')
    const lines = String.raw`
["pages/[id].csv", "[!x]*.csv", "{x,y}.csv", {"path": "odd/c.csv"}, "a.csv"]
""
"C:\new\report.csv"
"coverage\t.csv"
"coverage.csv
`
    const known = async (line: string) =>
      (await workspace.find(line)).unmatched
        .map(({ literal, pattern }) => `${literal ? 'path' : 'pattern'} ${pattern}`)
        .join(' | ')
    expect(await grid(lines, known)).toMatchInlineSnapshot(`
"["pages/[id].csv", "[!x]*.csv", "{x,y}.csv", {"path": "odd/c.csv"}, "a.csv"]
    path pages/[id].csv | pattern [!x]*.csv | pattern {x,y}.csv | path odd/c.csv
""
    pattern files
"C:\\new\\report.csv"
    path "C:\\new\\report.csv"
"coverage\\t.csv"
    path "coverage\\t.csv"
"coverage.csv
    path "coverage.csv"
`)
  })
})

withLinks('a file is sent once, and a link has its own name', async () => {
  const lines = `
data/run-1/a.csv out/latest.csv->../data/run-1/a.csv out/run->../data/run-1
# A file has the name of its link.
out/**⏎data/**
out/run/*

a.csv->b/c.csv b/c.csv z.csv->b/c.csv y->b
# If one line finds both, the file itself counts, wherever it is sorted.
**
?.csv⏎**
`
  expect(await finds(lines)).toMatchInlineSnapshot(`
"data/run-1/a.csv out/latest.csv->../data/run-1/a.csv out/run->../data/run-1
# A file has the name of its link.
out/**⏎data/**
    out/latest.csv -> data/run-1/a.csv
out/run/*
    out/run/a.csv -> data/run-1/a.csv

a.csv->b/c.csv b/c.csv z.csv->b/c.csv y->b
# If one line finds both, the file itself counts, wherever it is sorted.
**
    b/c.csv
?.csv⏎**
    a.csv -> b/c.csv"
`)
})

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
    const found = await grid('**', (line) => outcome(workspace, line))
    expect(found).toMatchInlineSnapshot(`
"**
    a�.csv | d�.csv/ was removed while files were searched, or its name is not valid UTF-8 (unreadable) | b�.csv was removed while files were searched, or its name is not valid UTF-8 (unreadable) | c�.csv was removed while files were searched, or its name is not valid UTF-8 (unreadable)"
`)
  },
)
