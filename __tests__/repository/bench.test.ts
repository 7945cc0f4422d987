import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { measure } from '../../bench/measure.ts'
import { makeFolder } from '../support/folder.ts'
import { runNode } from '../support/processes.ts'

const root = join(import.meta.dirname, '../..')
const bench = join(root, 'bench/bench.ts')

test('the bench runs the action, the floor and another build, and prints goals beside what was reached', async () => {
  const peer = `again=${join(root, 'dist', 'index.js')}`
  const printed = await runNode([
    bench,
    '--rounds',
    '1',
    '--only',
    'cold-files-upload,cold',
    '--peer',
    peer,
  ])
  const rows = printed.split('\n').map((line) => line.split(' | '))
  const ratios = expect.stringMatching(
    /^\d+\.\d\d × \(\d+\.\d\d–\d+\.\d\d\), CPU \d+\.\d\d ×, \d+ MB$/,
  )
  const used = expect.stringMatching(/^\d+ ms, CPU \d+ ms, \d+ MB \|$/)
  for (const [title, goal] of [
    ['cold start: 1 KB CSV', 'wall ≤ 2.60 ×, CPU ≤ 2.80 ×, peak ≤ 72 MB'],
    ['cold start: 1 KB, `files.upload`', 'wall ≤ 2.30 ×'],
  ]) {
    const reached = expect.stringMatching(/^(\*\*)?wall \d+\.\d\d ×(\*\*)?/)
    expect(rows).toContainEqual([`| ${title}`, goal, reached, ratios, ratios, used])
  }
})

test('the floor and the action find files among others, and wait until the message is visible', async () => {
  using folder = makeFolder()
  const visibleAfter = 1_000
  const { action, floor } = await measure(
    {
      name: 'late',
      title: 'late',
      method: 'external',
      files: { count: 1, bytes: 1_000, folders: 3 },
      delay: 50,
      visibleAfter,
      rounds: 1,
      goals: {},
    },
    { folder: folder.root, peers: {} },
  )
  for (const measured of [action, floor])
    expect(measured?.usage.wallMilliseconds).toBeGreaterThan(visibleAfter)
  const paths = readdirSync(folder.root, { recursive: true, encoding: 'utf8' })
  expect(paths.filter((path) => path.endsWith('.js'))).toHaveLength(3 * 40)
})
