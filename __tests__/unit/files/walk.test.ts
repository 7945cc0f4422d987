import { basename } from 'node:path'
import { expect, jest, test } from '@jest/globals'
import { searchContext } from '../../../src/files/search-context.ts'
import { walk } from '../../../src/files/walk.ts'
import { finds } from '../../support/finds.ts'
import { addManyFiles } from '../../support/folder.ts'
import { withLinks } from '../../support/systems.ts'
import { findOptions, tree } from '../../support/tree.ts'

test('what is found is in the order of its paths, whichever folder is read first', async () => {
  await using workspace = await tree('a/1.csv b/2.csv')
  const context = await searchContext([], findOptions(workspace.root))
  const isRead = Promise.withResolvers<void>()
  const entriesOf = async (folder: string) => {
    if (basename(folder) === 'a') await isRead.promise
    const entries = await context.entriesOf(folder)
    if (basename(folder) === 'b') isRead.resolve()
    return entries
  }
  const pattern = { root: workspace.root, segments: ['*', '*.csv'], foldersOnly: false }
  const { matches } = await walk({ ...context, entriesOf }, pattern)
  expect(matches.map(({ path }) => basename(path))).toEqual(['1.csv', '2.csv'])
})

test('only files are found, and hidden ones only by a pattern that writes the dot', async () => {
  const lines = `
coverage.csv reports/unit.csv
coverage.csv
reports/
# A file is no folder.
coverage.csv/
coverage.csv/*
coverage.csv/unit.csv
# Only files are found, so a wildcard for folders finds nothing.
reports/*/⏎*/

.coverage reports/.out/a.csv reports/.out/.b.csv reports/.c.csv reports/d.csv reports/.notes/readme.txt
# Hidden files are passed over by wildcards.
**/*.csv
reports
# A pattern that writes the dot takes what fits and is not hidden below.
.coverage
.cov*
reports/.out/*.csv
**/.out/*.csv
**/*.csv | {"includeHiddenFiles":true}
**⏎!**/*.csv | {"includeHiddenFiles":true}

.coverage reports/.out/a.csv reports/.out/.b.csv reports/.c.csv reports/d.csv reports/.notes/readme.txt a/b/.z.csv .csv .git/b.csv
# Those that a pattern would take are named in order, and a folder that may hold some once.
**/*.csv
*/.x/*.csv⏎reports/d*

sub/.git a.csv
# In a submodule, it is a file.
** | {"includeHiddenFiles":true}

.git/config .git/hooks/a
# A wildcard alone never means git, so that it is skipped is not reported.
** | {"includeHiddenFiles":true}
.git/** | {"includeHiddenFiles":true}
.git/config* | {"includeHiddenFiles":true}
`
  expect(await finds(lines)).toMatchInlineSnapshot(`
"coverage.csv reports/unit.csv
coverage.csv
reports/
    reports/unit.csv
# A file is no folder.
coverage.csv/
    nothing
coverage.csv/*
    nothing
coverage.csv/unit.csv
    nothing
# Only files are found, so a wildcard for folders finds nothing.
reports/*/⏎*/
    nothing

.coverage reports/.out/a.csv reports/.out/.b.csv reports/.c.csv reports/d.csv reports/.notes/readme.txt
# Hidden files are passed over by wildcards.
**/*.csv
    reports/d.csv | reports/.c.csv is a hidden file (hidden) | reports/.notes/ is a hidden folder (hidden) | reports/.out/ is a hidden folder (hidden)
reports
    reports/d.csv | reports/.c.csv is a hidden file (hidden) | reports/.notes/ is a hidden folder (hidden) | reports/.out/ is a hidden folder (hidden)
# A pattern that writes the dot takes what fits and is not hidden below.
.coverage
.cov*
    .coverage
reports/.out/*.csv
    reports/.out/a.csv | reports/.out/.b.csv is a hidden file (hidden)
**/.out/*.csv
    reports/.out/a.csv | reports/.notes/ is a hidden folder (hidden) | reports/.out/.b.csv is a hidden file (hidden)
**/*.csv | {"includeHiddenFiles":true}
    reports/.c.csv | reports/.out/.b.csv | reports/.out/a.csv | reports/d.csv
**⏎!**/*.csv | {"includeHiddenFiles":true}
    .coverage | reports/.notes/readme.txt

.coverage reports/.out/a.csv reports/.out/.b.csv reports/.c.csv reports/d.csv reports/.notes/readme.txt a/b/.z.csv .csv .git/b.csv
# Those that a pattern would take are named in order, and a folder that may hold some once.
**/*.csv
    reports/d.csv | .csv is a hidden file (hidden) | a/b/.z.csv is a hidden file (hidden) | reports/.c.csv is a hidden file (hidden) | reports/.notes/ is a hidden folder (hidden) | reports/.out/ is a hidden folder (hidden)
*/.x/*.csv⏎reports/d*
    reports/d.csv

sub/.git a.csv
# In a submodule, it is a file.
** | {"includeHiddenFiles":true}
    a.csv | sub/.git

.git/config .git/hooks/a
# A wildcard alone never means git, so that it is skipped is not reported.
** | {"includeHiddenFiles":true}
    nothing
.git/** | {"includeHiddenFiles":true}
    .git/ is where a tool or the runner keeps credentials (credentials)
.git/config* | {"includeHiddenFiles":true}
    .git/ is where a tool or the runner keeps credentials (credentials)"
`)
})

withLinks('links in the workspace are followed, and others are skipped or refused', async () => {
  const lines = `
work/a.csv secret.csv folder/b.csv work/file.csv->../secret.csv work/folder->../folder work/via.csv->folder/b.csv
# A link that leads out of the workspace is skipped by a wildcard, and refused as a path.
** | {"workspace":"work"}
folder/* | {"workspace":"work"}
file.csv | {"workspace":"work"}
folder | {"workspace":"work"}
folder/b.csv | {"workspace":"work"}

work/a.csv in/b.csv in/c.csv->b.csv in/d.csv->../e.csv e.csv folder->in
# Outside the workspace, a link must not leave the folder of the pattern.
TREE/in/*.csv | {"workspace":"work"}
TREE/in/d.csv | {"workspace":"work"}
# The path may lead through symlinks.
TREE/in/c.csv | {"workspace":"work"}
TREE/folder/b.csv | {"workspace":"work"}

real/a/b.csv real/c.csv->a/b.csv real/d/e.csv->../a/b.csv real/out.csv->../away/secret.csv real/out->../away away/secret.csv work->real other->real
# Links to the workspace are no way out, however a pattern leads into it.
a/*⏎*.csv | {"workspace":"work","workingDirectory":"TREE/work"}
TREE/real/*.csv⏎!a | {"workspace":"work","workingDirectory":"TREE/work"}
TREE/real/*.csv | {"workspace":"work","workingDirectory":"TREE/work"}
TREE/other/d/*.csv | {"workspace":"work","workingDirectory":"TREE/work"}
out | {"workspace":"work","workingDirectory":"TREE/work"}
TREE/real/out.csv | {"workspace":"work","workingDirectory":"TREE/work"}
TREE/other/out.csv | {"workspace":"work","workingDirectory":"TREE/work"}

a.csv b.txt->nothing c.txt->d.md d.md
# What the pattern does not match is not listed as skipped.
**/*.csv
# But where the search begins is.
b.txt/*.csv

a.csv e.csv->..
# Folders are never sent.
*.csv

a/b/c/x.csv link->a/b a/up->../a/b/c z/in->../a y->a/b/c
# A linked folder is searched once for each way that the pattern can go on in it.
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
  expect(await finds(lines)).toMatchInlineSnapshot(`
"work/a.csv secret.csv folder/b.csv work/file.csv->../secret.csv work/folder->../folder work/via.csv->folder/b.csv
# A link that leads out of the workspace is skipped by a wildcard, and refused as a path.
** | {"workspace":"work"}
    a.csv | file.csv is outside the workspace: a symlink leads there (link-outside) | folder/ is outside the workspace: a symlink leads there (link-outside) | via.csv is outside the workspace: a symlink leads there (link-outside)
folder/* | {"workspace":"work"}
    folder/ is outside the workspace: a symlink leads there (link-outside)
file.csv | {"workspace":"work"}
    A file must not be sent: \`file.csv\` is outside the workspace: a symlink leads there.⏎Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.
folder | {"workspace":"work"}
    A file must not be sent: \`folder\` is outside the workspace: a symlink leads there.⏎Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.
folder/b.csv | {"workspace":"work"}
    A file must not be sent: \`folder/b.csv\` is outside the workspace: a symlink leads there.⏎Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.

work/a.csv in/b.csv in/c.csv->b.csv in/d.csv->../e.csv e.csv folder->in
# Outside the workspace, a link must not leave the folder of the pattern.
TREE/in/*.csv | {"workspace":"work"}
    TREE/in/b.csv | TREE/in/d.csv is outside \`TREE/in\`: a symlink leads there (link-outside)
TREE/in/d.csv | {"workspace":"work"}
    A file must not be sent: \`TREE/in/d.csv\` is outside \`TREE/in\`: a symlink leads there.⏎Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.
# The path may lead through symlinks.
TREE/in/c.csv | {"workspace":"work"}
    TREE/in/c.csv -> in/b.csv
TREE/folder/b.csv | {"workspace":"work"}
    TREE/folder/b.csv -> in/b.csv

real/a/b.csv real/c.csv->a/b.csv real/d/e.csv->../a/b.csv real/out.csv->../away/secret.csv real/out->../away away/secret.csv work->real other->real
# Links to the workspace are no way out, however a pattern leads into it.
a/*⏎*.csv | {"workspace":"work","workingDirectory":"TREE/work"}
    a/b.csv -> real/a/b.csv | out.csv is outside the workspace: a symlink leads there (link-outside)
TREE/real/*.csv⏎!a | {"workspace":"work","workingDirectory":"TREE/work"}
    out.csv is outside the workspace: a symlink leads there (link-outside)
TREE/real/*.csv | {"workspace":"work","workingDirectory":"TREE/work"}
    c.csv -> real/a/b.csv | out.csv is outside the workspace: a symlink leads there (link-outside)
TREE/other/d/*.csv | {"workspace":"work","workingDirectory":"TREE/work"}
    TREE/other/d/e.csv -> real/a/b.csv
out | {"workspace":"work","workingDirectory":"TREE/work"}
    A file must not be sent: \`out\` is outside the workspace: a symlink leads there.⏎Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.
TREE/real/out.csv | {"workspace":"work","workingDirectory":"TREE/work"}
    A file must not be sent: \`out.csv\` is outside the workspace: a symlink leads there.⏎Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.
TREE/other/out.csv | {"workspace":"work","workingDirectory":"TREE/work"}
    A file must not be sent: \`TREE/other/out.csv\` is outside the workspace: a symlink leads there.⏎Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.

a.csv b.txt->nothing c.txt->d.md d.md
# What the pattern does not match is not listed as skipped.
**/*.csv
    a.csv
# But where the search begins is.
b.txt/*.csv
    b.txt is a broken symlink (link-broken)

a.csv e.csv->..
# Folders are never sent.
*.csv
    a.csv

a/b/c/x.csv link->a/b a/up->../a/b/c z/in->../a y->a/b/c
# A linked folder is searched once for each way that the pattern can go on in it.
**/x.csv
    a/b/c/x.csv
link/**
    link/c/x.csv -> a/b/c/x.csv
*/*/x.csv
    a/up/x.csv -> a/b/c/x.csv
**/in/b/c/*.csv
    z/in/b/c/x.csv -> a/b/c/x.csv
# By the first of two links.
**/[uy]*/x.csv
    a/up/x.csv -> a/b/c/x.csv
z/*/b/**⏎!a/b/c
    nothing
# Not by a link that is excluded where it lies.
z/*/up/*.csv⏎!a/up
    nothing"
`)
})

test('timers can fire after each folder and each hundredth entry', async () => {
  await using workspace = await tree({})
  addManyFiles(workspace.root, 200, (index) => `${index}.csv`)
  const context = await searchContext([], findOptions(workspace.root))
  const checkpoint = jest.fn(() => undefined)
  const pattern = { root: workspace.root, segments: ['*'], foldersOnly: false }
  await walk({ ...context, checkpoint }, pattern)
  expect(checkpoint).toHaveBeenCalledTimes(3)
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
