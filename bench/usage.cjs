// Preloaded into each measured process. Writes the usage from the operating system at its end.
const { readFileSync, writeFileSync } = require('node:fs')

process.once('exit', () => {
  const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage()
  let peakKilobytes = maxRSS
  try {
    // On Linux, maxRSS counts the process that forked this one; the high-water mark does not.
    peakKilobytes = Number(
      /^VmHWM:\s*(\d+) kB/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] ?? maxRSS,
    )
  } catch {}
  const usage = {
    cpuMilliseconds: (userCPUTime + systemCPUTime) / 1000,
    peakBytes: peakKilobytes * 1024,
  }
  writeFileSync(process.env.BENCH_USAGE, JSON.stringify(usage))
})
