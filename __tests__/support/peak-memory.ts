// Loaded into the action by --import: writes down, as it ends, the most memory that it ever had.
import { readFileSync, writeFileSync } from 'node:fs'

/** The options with which the action is started, so that its peak memory is written to `file`, in bytes. */
export function withPeakMemory(file: string) {
  return { nodeOptions: ['--import', import.meta.url], env: { PEAK_MEMORY_FILE: file } }
}

/** Bytes. On Linux `maxRSS` begins with that of the process which started this one, so the kernel is asked itself. */
function peak(): number {
  const kilobytes =
    process.platform === 'linux'
      ? Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
      : process.resourceUsage().maxRSS
  return kilobytes * 1024
}

const file = process.env['PEAK_MEMORY_FILE']
if (file !== undefined) process.on('exit', () => writeFileSync(file, String(peak())))
