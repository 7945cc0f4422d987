// Every command that the README and the first page of CONTRIBUTING show, run as somebody does who has just cloned the repository.
import { cpSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { runProcess, startProcess } from '../support/processes.ts'

const root = join(import.meta.dirname, '../..')
const blocksOf = async (page: string) =>
  Array.from(
    (await readFile(join(root, page), 'utf8')).matchAll(/^```sh\n([\s\S]*?)^```$/gm),
    ([, block = '']) => block,
  )
const commandsOf = (blocks: readonly string[]) =>
  blocks
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, ''))
    .filter(Boolean)
const readme = commandsOf(await blocksOf('README.md'))
const firstPage = commandsOf((await blocksOf('CONTRIBUTING.md')).slice(0, 1))

test('the README installs the packages, and then starts the demo, or the tests', () => {
  expect(readme).toEqual(['npm ci && npm start', 'npm ci && npm test'])
})

describe('a script that people type', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  test.each(['build', 'sandbox', 'start', 'test'])('says in one line that Node is too old: %s', async (name) => {
    const [, check] = /^node --require (\S+) /.exec(scripts[name]) ?? []
    const old = `Object.defineProperty(process.versions, 'node', { value: '20.19.0' }); require('${check}')`
    const { code, stdout, stderr } = await runProcess(process.execPath, ['--eval', old], { cwd: root })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^This is Node 20\.19\.0, and Node 24 is needed\. .* Run: npm ci .*\n$/)
  })
})

test('the first page of CONTRIBUTING tests one file and one folder, and plays a fault', () => {
  const ways = [/^npm test -- \S+\.test\.ts$/, /^npm test -- \S+\/\w+$/, /^npm start -- .*--fault /]
  for (const way of ways) expect(firstPage).toContainEqual(expect.stringMatching(way))
})

// They are written for a shell of POSIX. Windows has no process groups, and no Ctrl-C that another process can send.
const describeOnPosix = process.platform === 'win32' ? describe.skip : describe

describeOnPosix('a command that is copied', () => {
  let clone: string
  beforeAll(async () => {
    clone = await mkdtemp(join(tmpdir(), 'clone-'))
    // Not by git: a change is tried before it is committed, and a downloaded source has no `.git`.
    const ignored = readFileSync(join(root, '.gitignore'), 'utf8').trim().split('\n')
    const others = new Set(['.git', ...ignored.map((line) => line.replace(/^\/|\/$/g, ''))])
    cpSync(root, clone, { recursive: true, filter: (path) => !others.has(relative(root, path)) })
    // What `npm ci` makes. To run it here as well would need the registry.
    await symlink(join(root, 'node_modules'), join(clone, 'node_modules'))
  })
  afterAll(() => rm(clone, { recursive: true, force: true }))

  /** Of the command that runs, and of everything that it started. */
  let running: number | undefined
  afterEach(() => {
    if (running !== undefined) process.kill(-running, 'SIGKILL')
    running = undefined
  })

  /** Types a command, and Ctrl-C as soon as the command says that it waits for that: its code is 0 then. */
  function type(command: string) {
    return new Promise<{ readonly code: number | null; readonly output: string }>((resolve, reject) => {
      const shell = ['--noprofile', '--norc', '-c', command]
      const child = startProcess('bash', shell, { cwd: clone, detached: true })
      running = child.pid
      let output = ''
      let waits = false
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text
          if (waits || !/until Ctrl-C:|Ctrl-C stops the sandbox/.test(output)) return
          waits = true
          process.kill(-(child.pid ?? 0), 'SIGINT')
        })
      }
      child.on('error', reject).on('close', (code) => {
        running = undefined
        resolve({ code: waits ? 0 : code, output })
      })
    })
  }

  // All tests, among them this one, run elsewhere: here it is enough that they are found.
  const commands = [...readme, ...firstPage].map((command) =>
    command.replace('npm ci && ', '').replace(/^npm test$/, 'npm test -- --listTests'),
  )
  describe.each([...new Set(commands)].filter((command) => command !== 'npm ci'))('%s', (command) => {
    test('works', async () => {
      const { code, output } = await type(command)
      expect(output).not.toMatch(/npm error|^error/im)
      expect({ code, output }).toEqual({
        code: 0,
        output: expect.stringMatching(
          /Everything arrived: |Ctrl-C stops the sandbox|Tests: +\d+ passed|first-commands\.test\.ts/,
        ),
      })
    }, 60_000)
  })
})
