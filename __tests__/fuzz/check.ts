import type { ActionResult } from '../../sandbox/runner.ts'
import { outputNames } from '../support/declared.ts'

export interface Observed extends ActionResult {
  readonly token: string
  /** Milliseconds of `timeout-minutes`; 0 if it is invalid. */
  readonly timeout: number
  /** Bytes; unknown if the process was killed. */
  readonly peakMemory: number | undefined
  /** Paths that got the token but must not. */
  readonly tokenAt: readonly string[]
}

const maxMemory = 200_000_000
const graceMilliseconds = 15_000
const successes = ['posted', 'accepted', 'skipped', 'dry-run']
const statuses = [...successes, 'partial', 'unknown', 'failed']
/** Matches the headline of every run, as a test of the headlines checks. */
export const headline =
  /^(::group::)?(Posted (\d|the comment)|Posted, but |The service accepted|Skipped: |Dry run: |It is unknown|Nothing was posted)/m
const ownCommands = ['add-mask', 'debug', 'endgroup', 'error', 'group', 'notice', 'warning']

/** Broken rules that hold for every run. */
export function failuresOf(run: Observed): readonly string[] {
  const status = run.outputs['status'] ?? ''
  // Only a mask may hold the token. `.` would end at U+2028, which breaks no line for the runner.
  const log = run.stdout.replaceAll(/^::add-mask::[^\r\n]*/gm, '')
  const outside = [log, run.stderr, run.summary, JSON.stringify(run.outputs)]
  const commands = Array.from(
    log.matchAll(/^\s*::([^\s:]+).*?::|##\[.*/gm),
    ([line, name]) => name ?? line,
  )
  const checks: Readonly<Record<string, boolean>> = {
    'no outputs':
      !statuses.includes(status) || outputNames.some((name) => run.outputs[name] === undefined),
    'no line in the log that says what was posted': !headline.test(run.stdout),
    'no job summary': run.summary.trim() === '',
    'a bug in the action': /This is a bug in the action/.test(run.stdout),
    'text on stderr': run.stderr !== '',
    // Shorter text can occur by chance.
    'the token outside of a mask':
      run.token.length >= 16 && outside.some((text) => text.includes(run.token)),
    [`the token sent to ${run.tokenAt}`]: run.tokenAt.length > 0,
    [`took ${Math.round(run.milliseconds / 1000)} s, with ${run.timeout / 1000} s of time`]:
      run.milliseconds > run.timeout + graceMilliseconds,
    [`${Math.round((run.peakMemory ?? 0) / 1e6)} MB`]: (run.peakMemory ?? 0) > maxMemory,
    // A SIGINT during exit, with everything written, still kills the process.
    [`exit code ${run.code} and status ${status}`]:
      run.signal !== 'SIGINT' && (run.code === 0) !== successes.includes(status),
    [`the workflow commands ${commands.filter((name) => !ownCommands.includes(name))}`]:
      commands.some((name) => !ownCommands.includes(name)),
  }
  return Object.keys(checks).filter((name) => checks[name])
}
