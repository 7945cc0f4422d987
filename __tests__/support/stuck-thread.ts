// Loaded into the action by --import: a look-up of a name hangs in its thread for ever, as with a name server that is gone.
import dns from 'node:dns'
import { open } from 'node:fs'
import { join } from 'node:path'
import { makePipe } from './processes.ts'

/** The options with which the action is started, so that no name is found, or only after so many look-ups. */
export function withStuckLookUps(count = Number.POSITIVE_INFINITY) {
  return { nodeOptions: ['--import', import.meta.url], env: { STUCK_LOOK_UPS: String(count) } }
}

if (process.env['STUCK_LOOK_UPS'] !== undefined) {
  const pipe = join(process.env['RUNNER_TEMP'] ?? '', 'pipe')
  await makePipe(pipe)
  let left = Number(process.env['STUCK_LOOK_UPS'])
  const original = dns.lookup as (...question: unknown[]) => void
  const lookup = (...question: unknown[]) => {
    left -= 1
    // Nobody ever writes to the pipe.
    if (left >= 0) open(pipe, 'r', () => {})
    else original(...question)
  }
  Object.assign(dns, { lookup })
}
