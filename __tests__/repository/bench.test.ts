import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { runNode } from '../support/processes.ts'

test('the bench runs the action, the floor and another build, and prints goals beside what was reached', async () => {
  const root = join(import.meta.dirname, '../..')
  const args = ['bench/bench.ts', '--rounds', '1', '--only', 'five-channels,cold-files-upload-tls']
  const peer = ['--peer', `again=${join(root, 'dist', 'index.js')}`]
  const printed = await runNode([...args, ...peer], { cwd: root })
  const rows = printed.split('\n').map((line) => line.split(' | '))
  const ratios = expect.stringMatching(/^\d+\.\d\d × \(\d+\.\d\d–\d+\.\d\d\), CPU \d+\.\d\d ×, \d+ MB$/)
  const used = expect.stringMatching(/^\d+ ms, CPU \d+ ms, \d+ MB \|$/)
  for (const [title, goal] of [
    ['cold start: 1 KB, `files.upload`, TLS', 'wall ≤ 2.30 ×'],
    ['one 10 MB file to 5 channels', 'wall ≤ 2.60 ×'],
  ]) {
    const reached = expect.stringMatching(/^(\*\*)?wall \d+\.\d\d ×(\*\*)?$/)
    expect(rows).toContainEqual([`| ${title}`, goal, reached, ratios, ratios, used])
  }
}, 60_000)
