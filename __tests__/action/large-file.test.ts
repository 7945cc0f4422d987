// A file of 256 MiB arrives whole by each method, and the action never holds it in memory. The bench sends one of 1 GiB.
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { runAction } from '../../sandbox/runner.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { withPeakMemory } from '../support/peak-memory.ts'

const size = 2 ** 28
const mebibyte = 2 ** 20

let folder: string
let sha256: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'large-'))
  const path = join(folder, 'large.bin')
  const file = await open(path, 'w')
  // Mostly holes, which take no room on disk, with bytes that no other place has wherever a piece might get lost.
  for (let at = 0; at < size; at += 16 * mebibyte) await file.write(randomBytes(4096), 0, 4096, at - (at && 2048))
  await file.truncate(size)
  await file.write(randomBytes(10), 0, 10, size - 10)
  await file.close()
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: mebibyte }), hash)
  sha256 = hash.digest('hex')
}, 60_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

test.each(['external', 'files.upload'])(
  'by %s',
  async (method) => {
    const sandbox = await startSandbox()
    try {
      const peak = join(folder, `${method}-peak`)
      const result = await runAction({
        workspace: folder,
        inputs: {
          'base-url': sandbox.baseUrl,
          token: sandbox.tokens.all,
          channels: sandbox.channels.general,
          files: 'large.bin',
          method,
        },
        ...withPeakMemory(peak),
      })
      expect(result).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
      expect(sandbox.workspace.messages.flatMap(({ files }) => files)).toMatchObject([
        { name: 'large.bin', size, sha256 },
      ])
      const bytes = sandbox.requests.reduce((sum, request) => sum + request.bytes, 0)
      expect(bytes).toBeGreaterThanOrEqual(size)
      expect(bytes).toBeLessThan(size + 10_000)
      expect(Number(await readFile(peak, 'utf8'))).toBeLessThan(130 * mebibyte)
    } finally {
      await sandbox.stop()
    }
  },
  120_000,
)
