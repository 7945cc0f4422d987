// The file that GITHUB_EVENT_PATH names: the runner writes it, and other steps of the job can change it. `unit/context.test.ts` has
// what is read of it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { withPeakMemory } from '../support/peak-memory.ts'
import { makePipe } from '../support/processes.ts'
import { type Done, runStep, type Step } from '../support/step.ts'
import { onPosix } from '../support/systems.ts'

let folder = ''
let path = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'event-'))
  path = join(folder, 'event.json')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The step with this event file. */
async function runWith(content: string, { env, ...step }: Step = {}): Promise<Done> {
  await writeFile(path, content)
  const inputs = { comment: 'From {source}' }
  return runStep({ inputs, eventName: 'release', ...step, env: { GITHUB_EVENT_PATH: path, ...env } })
}

function expectNotice(done: Done, why: string): void {
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
  expect(done.stdout.match(/^::(notice|warning|error).*/gm)).toEqual([expect.stringContaining(why)])
  expect(done.messages).toMatchObject([{ text: expect.stringMatching(/^From octo-org\/octo-repo@v1\.2\.0/) }])
}

describe('an event file that cannot be used does not stop the run:', () => {
  test('one that is not JSON', async () => {
    expectNotice(await runWith('{"action":'), 'is not JSON')
  })

  onPosix('a pipe that nobody writes to', async () => {
    const pipe = join(folder, 'pipe.json')
    await makePipe(pipe)
    const step = { env: { GITHUB_EVENT_PATH: pipe }, signal: AbortSignal.timeout(8_000) }
    expectNotice(await runWith('', step), 'is not a regular file')
  })
})

test('an event file that cannot be used is not sent either', async () => {
  await writeFile(join(folder, 'a.csv'), 'a,b\n')
  const done = await runWith('not JSON', { inputs: { files: 'a.*\nevent.*' }, env: { GITHUB_WORKSPACE: folder } })
  expect(done).toMatchObject({ code: 0, outputs: { count: '1' } })
})

describe('memory stays under 200 MB with', () => {
  async function expectLittle(event: object, method: string): Promise<Done> {
    const inputs = { comment: 'From {source}', method }
    const done = await runWith(JSON.stringify(event), { inputs, ...withPeakMemory })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(JSON.stringify([done.messages, done.stdout]).length).toBeLessThan(10_000)
    expect(Number(done.stderr)).toBeLessThan(200_000_000)
    return done
  }

  test('an event file of 50 MB: the run goes on without the event', async () => {
    expectNotice(await expectLittle({ action: 'published', x: 'x'.repeat(50_000_000) }, 'files.upload'), 'has 50 MB')
  })

  const release = (name: string) => ({ action: 'published', release: { tag_name: 'v1', name } })
  test.each([
    ['a release name of letters, by external', release('n'.repeat(20_000_000)), 'external'],
    ['a release name of emoji, by files.upload', release('🎉'.repeat(5_000_000)), 'files.upload'],
    ['a release action, by files.upload', { action: 'p'.repeat(20_000_000) }, 'files.upload'],
  ])('20 MB: %s', async (_, event, method) => {
    await expectLittle(event, method)
  })
})
