// npm run findings -- [--newest]: is it still so what the scripts in findings/ describe? They run
// one after the other. With --newest, they install the newest version of each package.
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

const findings = join(dirname(import.meta.dirname), 'findings')
export const findingScripts = globSync(join(findings, '*.sh')).toSorted()

/** By the exit code of a script: see findings/support.bash. */
const verdicts = ['as described', 'changed']

/** Runs a script in a temporary folder of its own. */
export function playFinding(script: string, { maxSeconds = 600, newest = false } = {}) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'finding-'))
  const { status, stderr, stdout } = spawnSync(
    'timeout',
    ['--kill-after=10', String(maxSeconds), script],
    { encoding: 'utf8', env: { ...process.env, TMPDIR: folder.path, NEWEST: newest ? 'yes' : '' } },
  )
  return {
    versions: Array.from(stdout.matchAll(/^Versions: (.+)$/gm), ([, line]) => line).join(', '),
    verdict: verdicts[status ?? -1] ?? 'could not be played',
    output: stdout + stderr,
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { newest: { type: 'boolean', default: false } } })
  for (const script of findingScripts) {
    const { output, verdict, versions } = playFinding(script, values)
    console.log(`${basename(script, '.sh')}: ${versions}: ${verdict}`)
    if (verdict === 'as described') continue
    console.log(output.replaceAll(/^/gm, '  '))
    process.exitCode = 1
  }
}
