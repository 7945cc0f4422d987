// Loaded into the action by --import: a look-up of a name hangs in its thread for ever, as with a name server that is gone.
import dns from 'node:dns'
import { open } from 'node:fs'
import { join } from 'node:path'
import { makePipe } from './processes.ts'

/** The options with which the action is started, so that no name is ever found. */
export function withStuckLookUps() {
  return { nodeOptions: ['--import', import.meta.url], env: { STUCK_LOOK_UPS: 'yes' } }
}

if (process.env['STUCK_LOOK_UPS'] !== undefined) {
  const pipe = join(process.env['RUNNER_TEMP'] ?? '', 'pipe')
  await makePipe(pipe)
  // Nobody ever writes to it.
  const lookup = (..._question: unknown[]) => open(pipe, 'r', () => {})
  Object.assign(dns, { lookup })
}
