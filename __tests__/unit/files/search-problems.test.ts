import { createServer } from 'node:net'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { finds, outcome } from '../../support/finds.ts'
import { grid } from '../../support/grid.ts'
import { makePipe } from '../../support/processes.ts'
import { onLinux, onPosix } from '../../support/systems.ts'
import { asOrdinaryUser, tree } from '../../support/tree.ts'

onPosix('the root of the disk is not searched, and a folder is no file', async () => {
  const lines = `
work/a.csv all->/ in/ b.csv
TREE/all/*.csv | {"workspace":"work"}
TREE/all | {"workspace":"work"}
TREE/{in,all}/** | {"workspace":"work"}
TREE/allTREE/*.csv | {"workspace":"work"}

a.csv
**/a.csv | {"workingDirectory":"${'../'.repeat(20)}"}
*.csv | {"workingDirectory":"${'../'.repeat(20)}"}
/
${'../'.repeat(20)}*.csv
{/,reports/}*.csv
/*.csv
/**/unit.csv

d/b.csv a.csv
["a.csv", {"path": "d"}]
[{"path": "a.csv"}]
`
  expect(await finds(lines)).toMatchInlineSnapshot(`
"work/a.csv all->/ in/ b.csv
TREE/all/*.csv | {"workspace":"work"}
    A pattern cannot be used: \`TREE/all/*.csv\` searches the root of the disk.⏎Was an expression in it empty? To search another folder, write its name before the first wildcard.
TREE/all | {"workspace":"work"}
    A pattern cannot be used: \`TREE/all\` searches the root of the disk.⏎Was an expression in it empty? To search another folder, write its name before the first wildcard.
TREE/{in,all}/** | {"workspace":"work"}
    A pattern cannot be used: \`TREE/{in,all}/**\` searches the root of the disk.⏎Was an expression in it empty? To search another folder, write its name before the first wildcard.
TREE/allTREE/*.csv | {"workspace":"work"}
    TREE/allTREE/b.csv -> b.csv

a.csv
**/a.csv | {"workingDirectory":"../../../../../../../../../../../../../../../../../../../../"}
    A pattern cannot be used: \`**/a.csv\` searches the root of the disk.⏎\`working-directory\` points outside the workspace. To search another folder, write its name before the first wildcard.
*.csv | {"workingDirectory":"../../../../../../../../../../../../../../../../../../../../"}
    A pattern cannot be used: \`*.csv\` searches the root of the disk.⏎\`working-directory\` points outside the workspace. To search another folder, write its name before the first wildcard.
/
    A pattern cannot be used: \`/\` searches the root of the disk.⏎Was an expression in it empty? To search another folder, write its name before the first wildcard.
../../../../../../../../../../../../../../../../../../../../*.csv
    A pattern cannot be used: \`../../../../../../../../../../../../../../../../../../../../*.csv\` searches the root of the disk.⏎Was an expression in it empty? To search another folder, write its name before the first wildcard.
{/,reports/}*.csv
    A pattern cannot be used: \`{/,reports/}*.csv\` searches the root of the disk.⏎Was an expression in it empty? To search another folder, write its name before the first wildcard.
/*.csv
    A pattern cannot be used: \`/*.csv\` searches the root of the disk.⏎Was an expression in it empty? For files of the workspace, write \`*.csv\`. To search another folder, write its name before the first wildcard.
/**/unit.csv
    A pattern cannot be used: \`/**/unit.csv\` searches the root of the disk.⏎Was an expression in it empty? For files of the workspace, write \`**/unit.csv\`. To search another folder, write its name before the first wildcard.

d/b.csv a.csv
["a.csv", {"path": "d"}]
    A pattern cannot be used: \`d\` is a folder, and an object with a \`path\` names one file.⏎For all files in it, write a string, which starts at \`working-directory\`.
[{"path": "a.csv"}]
    a.csv"
`)
})

test('a path of the host is refused in a job with `container:`, with what to write instead', async () => {
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
//app.js/app.js/*.csv
/srv/work/other/*.csv
/srv/work/appxjs/appxjs/*.csv
/mnt/work/app.js/app.js-old/*.csv
/mnt/work/_temporary/*.csv
home/runner/work/app.js/app.js/*.csv
r/_temp/*.csv
# With a working directory, a path of the container is what to write.
!/home/runner/work/app.js/app.js/r/*.csv | /__w/app.js/app.js | packages
# Without \`container:\`
!/mnt/work/app/app/r/**⏎r/**⏎/mnt/work/_temp/a.csv | /home/runner/work/app/app
!/mnt/work/app/app/r/**⏎r/**⏎/mnt/work/_temp/a.csv | /mnt/__w/app/app
`
  await using folder = await tree()
  // The workspace of the container is not on this disk: other lines end with that.
  const instead = async (row: string) => {
    if (row.startsWith('# ')) return row
    const [line = '', workspace = '/__w/app.js/app.js', workingDirectory = ''] = row.split(' | ')
    const refusal = await folder.refusal(line, { workspace, workingDirectory })
    return refusal.startsWith('`working-directory` is') ? 'searched' : refusal.split('\n').at(-1)
  }
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
//app.js/app.js/*.csv
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
    searched
# With a working directory, a path of the container is what to write.
!/home/runner/work/app.js/app.js/r/*.csv | /__w/app.js/app.js | packages
    Write \`!/__w/app.js/app.js/r/*.csv\`.
# Without \`container:\`
!/mnt/work/app/app/r/**⏎r/**⏎/mnt/work/_temp/a.csv | /home/runner/work/app/app
    searched
!/mnt/work/app/app/r/**⏎r/**⏎/mnt/work/_temp/a.csv | /mnt/__w/app/app
    searched"
`)
  const workspace = '/__w/a/a'
  expect(await folder.refusal('r\n!/mnt/work/a/a/r/b', { workspace })).toBe(
    "`!/mnt/work/a/a/r/b` has a path of the runner's host. In a job with `container:`, the runner translates it only at the start of an input.\nWrite `!r/b`.",
  )
})

onLinux('the root of the disk is not searched by a link of the kernel', async () => {
  expect(await finds('a.csv\n/proc/self/root/*.csv')).toContain('searches the root of the disk.')
})

onPosix(
  'is skipped by a wildcard, and an error with what to do where a pattern names it',
  async () => {
    const names =
      'a.csv b.csv closed/c.csv open/closed/d.csv .closed/e.csv .env .ssh/config .git/config'
    await using workspace = await tree(`${names} out.csv->..`)
    await workspace.add({ 'server.key': ['-----BEGIN', 'PRIVATE KEY-----\n'].join(' ') })
    await makePipe(path.join(workspace.root, 'pipe.csv'))
    await using server = createServer()
    await new Promise<void>((resolve) =>
      server.listen(path.join(workspace.root, 'socket.csv'), resolve),
    )
    workspace.lock('b.csv', 'closed', 'open/closed', '.closed')
    const lines = `
*⏎open/**⏎**/*.csv
pipe.csv
socket.csv
/dev/null
.env
.ssh
.git
.git/config
.ssh/*
a.csv⏎!a.csv
server.key
out.csv
a.csv⏎b.csv
a.csv⏎closed
a.csv⏎closed/c.csv
a.csv⏎closed/*/*.csv
a.csv⏎open/closed/**
{a,b}.csv
closed/*.csv
`
    await asOrdinaryUser(async () => {
      expect(await grid(lines, (line) => outcome(workspace, line))).toMatchInlineSnapshot(`
"*⏎open/**⏎**/*.csv
    a.csv | .env is an environment file, which usually holds credentials (credentials) | pipe.csv is not a regular file (not-a-file) | socket.csv is not a regular file (not-a-file) | b.csv cannot be read (\`EACCES: permission denied\`) (unreadable) | server.key contains a private key (credentials) | open/closed/ cannot be read (\`EACCES: permission denied\`) (unreadable) | .closed/ is a hidden folder (hidden) | .ssh/ is a hidden folder (hidden) | closed/ cannot be read (\`EACCES: permission denied\`) (unreadable) | out.csv/ is outside the workspace: a symlink leads there (link-outside)
pipe.csv
    A file must not be sent: \`pipe.csv\` is not a regular file.⏎Remove this line from \`files\`, or write a file that can be sent.
socket.csv
    A file must not be sent: \`socket.csv\` is not a regular file.⏎Remove this line from \`files\`, or write a file that can be sent.
/dev/null
    A file must not be sent: \`/dev/null\` is not a regular file.⏎Remove this line from \`files\`, or write a file that can be sent.
.env
    A file must not be sent: \`.env\` is an environment file, which usually holds credentials.⏎To send a credential file anyway, put it into an archive with another name, like \`files.zip\`: archives are not opened.
.ssh
    A file must not be sent: \`.ssh\` is where a tool or the runner keeps credentials.⏎To send a credential file anyway, put it into an archive with another name, like \`files.zip\`: archives are not opened.
.git
    A file must not be sent: \`.git\` is where a tool or the runner keeps credentials.⏎To send a credential file anyway, put it into an archive with another name, like \`files.zip\`: archives are not opened.
.git/config
    A file must not be sent: \`.git/config\` is where a tool or the runner keeps credentials.⏎To send a credential file anyway, put it into an archive with another name, like \`files.zip\`: archives are not opened.
.ssh/*
    .ssh/ is where a tool or the runner keeps credentials (credentials)
a.csv⏎!a.csv
    nothing
server.key
    A file must not be sent: \`server.key\` contains a private key.⏎To send a credential file anyway, put it into an archive with another name, like \`files.zip\`: archives are not opened.
out.csv
    A file must not be sent: \`out.csv\` is outside the workspace: a symlink leads there.⏎Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.
a.csv⏎b.csv
    A file cannot be read: \`b.csv\` cannot be read (\`EACCES: permission denied\`).⏎Close the program that uses such a file, or give the user that runs the step the right to read it.
a.csv⏎closed
    A file cannot be read: \`closed\` cannot be read (\`EACCES: permission denied\`).⏎Close the program that uses such a file, or give the user that runs the step the right to read it.
a.csv⏎closed/c.csv
    A file cannot be read: \`closed/c.csv\` cannot be read (\`EACCES: permission denied\`).⏎Close the program that uses such a file, or give the user that runs the step the right to read it.
a.csv⏎closed/*/*.csv
    A file cannot be read: \`closed\` cannot be read (\`EACCES: permission denied\`).⏎Close the program that uses such a file, or give the user that runs the step the right to read it.
a.csv⏎open/closed/**
    A file cannot be read: \`open/closed\` cannot be read (\`EACCES: permission denied\`).⏎Close the program that uses such a file, or give the user that runs the step the right to read it.
{a,b}.csv
    A file cannot be read: \`b.csv\` cannot be read (\`EACCES: permission denied\`).⏎Close the program that uses such a file, or give the user that runs the step the right to read it.
closed/*.csv
    A file cannot be read: \`closed\` cannot be read (\`EACCES: permission denied\`).⏎Close the program that uses such a file, or give the user that runs the step the right to read it."
`)
    })
  },
)
