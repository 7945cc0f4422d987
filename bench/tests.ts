// npm run bench:tests -- --base COMMIT --rounds N compares `npm test` of HEAD with that of another
// commit: in fresh clones, side by side, the first run and the second.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { base: { type: 'string' }, rounds: { type: 'string', default: '3' } },
})
const { base, rounds } = values
if (base === undefined) throw new Error('npm run bench:tests -- --base COMMIT [--rounds 3]')

function clone(folder: string, commit: string): string {
  execFileSync('git', ['clone', '--quiet', join(import.meta.dirname, '..'), folder])
  execFileSync('git', ['checkout', '--quiet', commit], { cwd: folder })
  execFileSync('npm', ['ci', '--prefer-offline', '--silent'], { cwd: folder })
  return folder
}

/** Seconds. */
function timeTests(folder: string): { readonly wall: number; readonly cpu: number } {
  const script = "TIMEFORMAT='%R %U %S'; time npm test --silent 2>&1"
  const { status, stderr, stdout } = spawnSync('bash', ['-c', script], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stdout)
  const [wall = 0, user = 0, system = 0] = stderr.trim().split(' ').map(Number)
  return { wall, cpu: user + system }
}

console.log('| run | wall | CPU |\n| --- | --- | --- |')
for (let round = 1; round <= Number(rounds); round += 1) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-tests-'))
  const old = clone(join(folder.path, 'base'), base)
  const head = clone(join(folder.path, 'head'), 'HEAD')
  for (const run of ['first', 'second']) {
    const [before, now] = [timeTests(old), timeTests(head)]
    const compare = (key: 'wall' | 'cpu') =>
      `${before[key].toFixed(1)} → ${now[key].toFixed(1)} s, ${(now[key] / before[key]).toFixed(2)} ×`
    console.log(`| ${round}, ${run} | ${compare('wall')} | ${compare('cpu')} |`)
  }
}
