// `npm start`: what a newcomer runs first.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '../..')

interface Ended {
  readonly code: number | null
  readonly output: string
}

/** As `npm start -- …` does, from the folder in which somebody types it. */
function start(args: readonly string[], folder = root): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['sandbox/demo.ts', ...args], {
      cwd: root,
      env: { ...process.env, INIT_CWD: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('error', reject).on('close', (code) => resolve({ code, output }))
  })
}

async function checksum(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}

describe.each([[[]], [['--method', 'external']]])('npm start %s', (args) => {
  let ended: Ended
  beforeAll(async () => {
    ended = await start(args)
  })

  test('ends with the code of the step', () => {
    expect(ended.output).toContain('The step ended with 0: posted')
    expect(ended.code).toBe(0)
  })

  test('shows both reports in two channels and a direct conversation, with the checksums that they have on disk', async () => {
    for (const name of ['coverage.csv', 'test-results.csv']) {
      const sha256 = await checksum(join(root, 'examples/reports', name))
      expect(ended.output.split(sha256)).toHaveLength(1 + 3 + 1)
      expect(ended.output).toContain(`examples/reports/${name}, sha256 ${sha256}: the same in every channel, once`)
    }
    expect(ended.output).toMatch(/^Channel general \(.*^Channel releases \(.*^Direct conversation reviewer \(/ms)
  })
})

describe('with files of one’s own', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'own-'))
    await writeFile(join(folder, 'mine.txt'), 'mine')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('they are looked for where the command was typed, and go to the channels that are named', async () => {
    const { code, output } = await start(['*.txt', '--channels', 'builds', '--comment', 'For you'], folder)
    expect(output).toMatch(/Channel builds \(C0BUILDS000\)\n +\S+ +For you\n +mine\.txt, 4 bytes/)
    expect(output).not.toContain('Channel general')
    expect(code).toBe(0)
  })

  test('a step that fails makes the command fail', async () => {
    const { code, output } = await start(['*.csv'], folder)
    expect(output).toContain('The step ended with 1: failed')
    expect(code).toBe(1)
  })

  test('a real service needs the name of the variable that holds the token, and never the token itself', async () => {
    const { code, output } = await start(['*.txt', '--base-url', 'http://127.0.0.1:1'], folder)
    expect(output).toContain('--token-env NAME')
    expect(code).toBe(1)
  })
})
