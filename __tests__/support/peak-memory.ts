// Loaded into the action by --import: as it ends, it prints to standard error the most memory that it ever had.
import { readFileSync, writeSync } from 'node:fs'

const variable = 'MEASURE_MEMORY'

/** The options with which the action is started, so that `stderr` is its peak memory, in bytes. */
export const withPeakMemory = { nodeOptions: ['--import', import.meta.url], env: { [variable]: 'true' } } as const

/** Bytes. On Linux `maxRSS` begins with that of the process which started this one, so the kernel is asked itself. */
function peak(): number {
  const kilobytes =
    process.platform === 'linux'
      ? Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
      : process.resourceUsage().maxRSS
  return kilobytes * 1024
}

if (process.env[variable] !== undefined) process.on('exit', () => writeSync(2, String(peak())))
