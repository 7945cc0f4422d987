// The file that GITHUB_EVENT_PATH names: the runner writes it, and other steps of the job can change it.
import { mkdtempSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { withPeakMemory } from '../support/peak-memory.ts'
import { makePipe } from '../support/processes.ts'
import { type Done, runStep, type Step } from '../support/step.ts'
import { onPosix } from '../support/systems.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'event-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const files = { 'a.csv': 'a,b\n' }
const inputs = { comment: 'From {source}' }

const notices = ({ stdout }: Done) => stdout.split('\n').filter((line) => line.startsWith('::notice'))

/** The step with an event file of its own. */
const runWith = (event: string, step: Step = {}) =>
  runStep({ files, inputs, eventName: 'release', ...step, env: { ...step.env, GITHUB_EVENT_PATH: event } })

const write = async (content: string | Uint8Array) => {
  const file = join(mkdtempSync(join(folder, 'event-')), 'event.json')
  await writeFile(file, content)
  return file
}

describe('an event file that cannot be used does not stop the run:', () => {
  test.each([
    ['null', 'null', 'does not hold a JSON object'],
    ['not JSON', '{"action":', 'is not JSON'],
  ])('%s', async (_, content, why) => {
    const done = await runWith(await write(content))
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' }, stderr: '' })
    expect(notices(done)).toEqual([expect.stringContaining(why)])
    expect(done.stdout).not.toMatch(/^::(warning|error)/m)
    expect(done.messages).toMatchObject([{ text: expect.stringMatching(/^From octo-org\/octo-repo@v1\.2\.0/) }])
  })

  test('missing', async () => {
    const done = await runWith(join(folder, 'missing.json'))
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(notices(done)).toEqual([expect.stringContaining('does not exist')])
  })

  onPosix('a pipe that nobody writes to', async () => {
    const path = join(folder, 'pipe.json')
    await makePipe(path)
    const done = await runWith(path, { signal: AbortSignal.timeout(8_000) })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(notices(done)).toEqual([expect.stringContaining('is not a regular file')])
  })
})

test('an event file that cannot be used is not sent either', async () => {
  let path = ''
  const done = await runStep({
    files: { ...files, 'event.json': 'not JSON' },
    inputs: { files: '*' },
    env: {
      get GITHUB_EVENT_PATH() {
        return path
      },
    },
    prepare: (_, workspace) => {
      path = join(workspace, 'event.json')
    },
  })
  expect(done).toMatchObject({ code: 0, outputs: { count: '1' } })
})

describe('a release event whose action is', () => {
  test.each([
    ['an object that cannot become text', { toString: null, valueOf: null }],
    ['a list', ['published']],
  ])('%s: the release is still named', async (_, action) => {
    const event = { action, release: { tag_name: 'v9', name: 'Nine', html_url: 'https://github.com/o/r/releases/v9' } }
    const done = await runStep({ files, inputs, eventName: 'release', event })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(done.stdout).not.toMatch(/^::(warning|error|notice)/m)
    expect(done.messages).toMatchObject([{ text: expect.stringMatching(/^From octo-org\/octo-repo Nine \(v9\)/) }])
  })
})

describe('memory stays under 200 MB with', () => {
  const peakWith = async (event: string, step: Step = {}) => {
    const file = join(folder, 'peak')
    const measured = withPeakMemory(file)
    const done = await runWith(event, { ...step, ...measured })
    return { done, peak: Number(await readFile(file, 'utf8')) }
  }

  test('an event file of 50 MB: the run goes on without the event', async () => {
    const { done, peak } = await peakWith(
      await write(JSON.stringify({ action: 'published', x: 'x'.repeat(50_000_000) })),
    )
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(notices(done)).toEqual([expect.stringContaining('has 50 MB')])
    expect(peak).toBeLessThan(200_000_000)
  })

  test.each([
    ['external', 'letters', 'n', 20_000_000],
    ['files.upload', 'emoji', '🎉', 5_000_000],
  ])('a release name that is cut short, by %s: 20 MB of %s', async (method, _, character, count) => {
    const event = { action: 'published', release: { tag_name: 'v1', name: character.repeat(count) } }
    const { done, peak } = await peakWith(await write(JSON.stringify(event)), { inputs: { ...inputs, method } })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(JSON.stringify(done.messages).length).toBeLessThan(5_000)
    expect(peak).toBeLessThan(200_000_000)
  })

  test('a release action of 20 MB', async () => {
    const { done, peak } = await peakWith(await write(JSON.stringify({ action: 'p'.repeat(20_000_000) })))
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(done.stdout.length).toBeLessThan(5_000)
    expect(peak).toBeLessThan(200_000_000)
  })
})
