// A fault of the machine says nothing about a file, so the search fails.
import { realpathSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { getSystemErrorMessage, getSystemErrorName } from 'node:util'
import { expect } from '@jest/globals'
import { classifyReadError } from '../../../src/files/disk.ts'
import { ProblemError } from '../../../src/problem.ts'
import { runBash } from '../../support/processes.ts'
import { root } from '../../support/repository.ts'
import { onLinux, onPosix } from '../../support/systems.ts'
import { tree } from '../../support/tree.ts'

const sourceOf = (name: string) =>
  JSON.stringify(fileURLToPath(new URL(`../../../src/files/${name}`, import.meta.url)))

/**
 * The output of a script with `findFiles` and its `options`, in a process of its own.
 *
 * @param flags of Node
 */
async function printed(root: string, script: string, flags = ''): Promise<string> {
  const head = `
    const { findFiles } = await import(${sourceOf('find.ts')})
    const options = { workspace: '${root}', workingDirectory: '', includeHiddenFiles: false, skipEmptyFiles: true,
      maxFiles: 100, removeToken: String, signal: new AbortController().signal }`
  const { stderr, stdout } = await runBash(
    `ulimit -n 128; exec "$NODE" ${flags} --input-type=module --eval "$SCRIPT"`,
    {
      env: { NODE: process.execPath, SCRIPT: head + script },
    },
  )
  return stdout.trim() || stderr
}

/** With 8 free descriptors, and with none, prints the number of files or the error. */
const searchWithFew = `
  import { closeSync, openSync } from 'node:fs'
  await findFiles('**/*.csv', options)
  const taken = []
  const shown = []
  for (const free of [8, 0]) {
    try { for (;;) taken.push(openSync('/dev/null')) } catch {}
    for (const one of taken.splice(0, free)) closeSync(one)
    shown.push(await findFiles('**/*.csv', options).then(({ files }) => files.length, ({ message }) => message))
  }
  taken.map((one) => closeSync(one))
  console.log(...shown)`

onPosix('with few descriptors, every file is found, and with none the search fails', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `${index % 6}/${index}.csv`).join(' ')
  await using workspace = await tree(names)
  expect(await printed(workspace.root, searchWithFew)).toMatch(
    /^60 .*\(`EMFILE: too many open files`\)\.\nRaise the limit of open files/,
  )
})

onPosix('a disk that fails while a file is sent is an error of the machine', async () => {
  await using workspace = await tree('a.csv')
  const script = `
    import fs from 'node:fs'
    import { constants } from 'node:os'
    import { syncBuiltinESMExports } from 'node:module'
    const { diskContent, readWhole } = await import(${sourceOf('content.ts')})
    const { files } = await findFiles('a.csv', options)
    const code = 'Unknown system error -' + constants.errno.ESTALE
    fs.fstatSync = () => {
      throw Object.assign(new Error(code + ', fstat'), { code, errno: -constants.errno.ESTALE })
    }
    syncBuiltinESMExports()
    await readWhole(diskContent(''), files[0], options.signal).catch(({ message }) => console.log(message))`
  expect(await printed(workspace.root, script)).toBe(
    '`a.csv` cannot be read (`ESTALE`).\nCheck the disk or the network drive, and run the job again.',
  )
})

/** Searches, and prints the paths or the error. */
const printFound = (lines: string) => `
  await findFiles('${lines}', options)
    .then(({ files }) => console.log(...files.map(({ path }) => path)), ({ message }) => console.log(message))`

onLinux(
  'without a current folder, a user’s home or the right to ask the kernel, the search works or says what is missing',
  async () => {
    await using workspace = await tree('a.csv')
    const withoutHomeAndFolder = `
    import { mkdtempSync, rmdirSync } from 'node:fs'
    import os from 'node:os'
    import { syncBuiltinESMExports } from 'node:module'
    os.homedir = () => {
      throw new Error('uv_os_homedir returned ENOENT')
    }
    syncBuiltinESMExports()
    ${printFound('~/*.csv')}
    const gone = mkdtempSync('${workspace.root}/gone-')
    process.chdir(gone)
    rmdirSync(gone)
    ${printFound('*.csv')}`
    expect(await printed(workspace.root, withoutHomeAndFolder)).toBe(
      '`~/*.csv` begins with `~`, but this user has no home folder.\nSet `HOME`, or write the path itself.\nThis step was started in a folder that was removed.\nCreate it again before this step, for example with a checkout.',
    )
    const packages = realpathSync(fileURLToPath(new URL('node_modules', root)))
    const folders = [fileURLToPath(root), packages, workspace.root]
    const mayRead = folders.map((one) => `--allow-fs-read="${one}/*"`)
    const flags = ['--permission', ...mayRead].join(' ')
    expect(await printed(workspace.root, printFound('*.csv'), flags)).toBe('a.csv')
  },
)

/** As Node makes it, like `Unknown system error -116` for a code without a name. */
function errorOf(name: 'EUCLEAN' | keyof typeof constants.errno): Error {
  const errno = -({ EUCLEAN: 117, ...constants.errno }[name] ?? 0)
  const code = getSystemErrorName(errno)
  return Object.assign(new Error(`${code}: ${getSystemErrorMessage(errno)}, open 'a.csv'`), {
    code,
    errno,
  })
}

onLinux.each<[code: Parameters<typeof errorOf>[0], remedy: string]>([
  ['EMFILE', 'Raise the limit of open files'],
  ['ENFILE', 'Raise the limit of open files'],
  ['EIO', 'Check the disk or the network drive'],
  ['ESTALE', 'Check the disk or the network drive'],
  ['EUCLEAN', 'Check the disk or the network drive'],
  ['EBADMSG', 'Check the disk or the network drive'],
  ['ENOTCONN', 'Check the disk or the network drive'],
  ['ENOMEM', 'The runner is out of memory'],
  ['EAGAIN', 'End the program that locks it'],
])('%s is an error of the machine', (code, remedy) => {
  const error = errorOf(code)
  expect(() => classifyReadError(error, 'a.csv')).toThrow(ProblemError)
  expect(() => classifyReadError(error, 'a.csv')).toThrow(
    new RegExp(`\\(.*${code}.*\\)\\.\n${remedy}`),
  )
  expect(() => classifyReadError(error, 'a.csv')).not.toThrow(/Unknown/)
})
