// A file of 96 MiB arrives whole by each method, in a process of less than 130 MiB, which alone takes
// about 80. The bench sends 1 GiB.
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { expect, test } from '@jest/globals'
import { withPreload } from '../support/preload.ts'
import { startJob } from '../support/step.ts'

const mebibyte = 2 ** 20
const size = 96 * mebibyte

/**
 * Prints the peak memory in KiB at exit. On Linux, `maxRSS` starts at that of the parent process.
 */
const withPeakMemory = withPreload(`
  import { readFileSync, writeSync } from 'node:fs'
  const read = () => /^VmHWM:\\s*(\\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]
  const peak = () => (process.platform === 'linux' ? read() : process.resourceUsage().maxRSS)
  process.on('exit', () => writeSync(2, String(peak())))
`)

/** Returns the SHA-256. */
async function writeLarge(path: string): Promise<string> {
  const file = await open(path, 'w')
  // Mostly holes, which take no disk space, with unique bytes wherever a chunk could get lost.
  for (let at = 0; at < size; at += 16 * mebibyte)
    await file.write(randomBytes(4096), 0, 4096, at - (at && 2048))
  await file.truncate(size)
  await file.write(randomBytes(10), 0, 10, size - 10)
  await file.close()
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: mebibyte }), hash)
  return hash.digest('hex')
}

test('by each method', async () => {
  await using job = await startJob({ files: {}, inputs: { files: 'large.bin' } })
  const sha256 = await writeLarge(join(job.folder, 'large.bin'))
  for (const [index, method] of ['external', 'files.upload'].entries()) {
    const { code, outputs, messages, requests, stderr } = await job.attempt({
      inputs: { method },
      ...withPeakMemory,
    })
    expect({ code, outputs }).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
    expect(messages.slice(index)).toMatchObject([{ files: [{ name: 'large.bin', size, sha256 }] }])
    const bytes = requests.reduce((sum, request) => sum + request.bytes, 0)
    expect(bytes).toBeGreaterThanOrEqual(size)
    expect(bytes).toBeLessThan(size + 10_000)
    expect(Number(stderr) * 1024).toBeLessThan(130 * mebibyte)
  }
})
