// The inputs `on-rerun` and `rerun-key`: what a later attempt of the same run posts. `unit/delivery/deliver-rerun.test.ts`,
// `rerun-key.test.ts` and `unit/service/earlier-uploads.test.ts` have the rules.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { withClock } from '../support/scaled-clock.ts'
import { type Done, errorsIn, type Job, runStep, type Step, startJob } from '../support/step.ts'

const files = { 'reports/a.csv': 'line\n1\n', 'reports/b.csv': 'line\n2\n' }
const missing = { method: 'external', 'on-rerun': 'missing' }

async function withJob<T>(step: Step, use: (job: Job) => Promise<T>): Promise<T> {
  const job = await startJob({ files, ...step })
  try {
    return await use(job)
  } finally {
    await job.stop()
  }
}

const methodsIn = ({ requests }: Done) =>
  requests.map(({ origin, path }) => (origin === 'upload' ? 'the bytes' : path.split('/').at(-1)))
const titlesOf = ({ messages }: Done) => messages.flatMap((message) => message.files.map(({ title }) => title))
const warningsIn = ({ stdout }: Done) =>
  [...stdout.matchAll(/^::warning title=(.*?)::(.*)$/gm)].map(([, title, text]) => `${title}: ${text}`)

describe('Without on-rerun: missing', () => {
  test.each([{}, { 'on-rerun': 'post' }])('every attempt posts everything: %j', async (inputs) => {
    await withJob({ inputs: { method: 'external', ...inputs } }, async (job) => {
      const first = await job.attempt(1)
      const second = await job.attempt(2)
      expect(titlesOf(second)).toEqual(['a.csv', 'b.csv', 'a.csv', 'b.csv'])
      expect(methodsIn(second).sort()).toEqual(methodsIn(first).sort())
      for (const done of [first, second]) expect(warningsIn(done)).toEqual([])
    })
  })
})

describe('With on-rerun: missing', () => {
  test('the title of each file ends in a key, and the first attempt makes no other request', async () => {
    const plain = await runStep({ files, inputs: { method: 'external' } })
    const keyed = await runStep({ files, inputs: missing })
    expect(titlesOf(keyed)).toEqual([
      expect.stringMatching(/^a\.csv · [0-9a-f]{10}$/),
      expect.stringMatching(/^b\.csv · [0-9a-f]{10}$/),
    ])
    expect(methodsIn(keyed).sort()).toEqual(methodsIn(plain).sort())
    expect(warningsIn(keyed)).toEqual([])
  })

  test('the second attempt posts nothing that is there, and says where it is', async () => {
    await withJob({ inputs: missing }, async (job) => {
      const first = await job.attempt(1)
      const second = await job.attempt(2)
      expect(second.messages).toHaveLength(1)
      expect(methodsIn(second)).toEqual(['auth.test', 'files.list', 'files.info', 'files.info', 'chat.getPermalink'])
      expect(second.code).toBe(0)
      const earlier = (json = '') => JSON.parse(json).map((entry: object) => ({ ...entry, earlier: true }))
      expect(second.outputs).toEqual({
        ...first.outputs,
        files: expect.any(String),
        messages: expect.any(String),
      })
      expect(JSON.parse(second.outputs['files'] ?? '')).toEqual(earlier(first.outputs['files']))
      expect(JSON.parse(second.outputs['messages'] ?? '')).toEqual(earlier(first.outputs['messages']))
      expect(second.stdout).toContain('An earlier attempt posted 2 files in 1 channel')
      expect(second.stdout).toContain('2 files: posted by an earlier attempt in C0GENERAL00, http')
      expect(second.summary).toContain('posted by an earlier attempt')
      expect(warningsIn(second)).toEqual([])
    })
  })

  test('only the missing file is posted, and a warning names it', async () => {
    await withJob({ inputs: missing }, async (job) => {
      await job.attempt(1)
      await writeFile(join(job.folder, 'reports/b.csv'), 'line\n3\n')
      const second = await job.attempt(2)
      expect(second.messages.map((message) => message.files.map(({ name }) => name))).toEqual([
        ['a.csv', 'b.csv'],
        ['b.csv'],
      ])
      expect(second.stdout).toContain('Posted 1 file in 1 channel; an earlier attempt posted 1 file')
      expect(JSON.parse(second.outputs['files'] ?? '')).toMatchObject([
        { path: 'reports/a.csv', earlier: true },
        { path: 'reports/b.csv' },
      ])
      expect(second.outputs['count']).toBe('2')
      expect(warningsIn(second)).toEqual([expect.stringContaining('`reports/b.csv` in `C0GENERAL00`')])
    })
  })

  test.each<[string, Step]>([
    ['another leg of the matrix', { matrix: { os: 'windows-latest' } }],
    ['another rerun-key', { inputs: { 'rerun-key': 'other' } }],
  ])('the files of %s are others', async (_, more) => {
    await withJob({ inputs: missing }, async (job) => {
      await job.attempt(1, { matrix: { os: 'ubuntu-latest' } })
      const other = await job.attempt(2, { matrix: { os: 'ubuntu-latest' }, ...more })
      expect(other.messages).toHaveLength(2)
    })
  })

  test('a dry run of the second attempt says what would be posted', async () => {
    await withJob({ inputs: missing }, async (job) => {
      await job.attempt(1)
      const none = await job.attempt(2, { inputs: { 'dry-run': 'true' } })
      expect(none.stdout).toContain('Dry run: nothing would be posted; an earlier attempt posted 2 files')
      await writeFile(join(job.folder, 'reports/b.csv'), 'line\n3\n')
      const one = await job.attempt(2, { inputs: { 'dry-run': 'true' } })
      expect(one.stdout).toContain('Dry run: 1 file would be posted in 1 channel; an earlier attempt posted 1 file')
      expect(one.stdout).toContain('reports/b.csv: would be sent to #general (C0GENERAL00)')
      expect(one.outputs['status']).toBe('dry-run')
      expect(one.messages).toHaveLength(1)
    })
  })

  test('a file that is written to after its key was made is an error', async () => {
    const done = await runStep({
      files,
      inputs: missing,
      prepare: ({ faults }) =>
        faults.add({ on: 'files.getUploadURLExternal', call: 1, fault: { kind: 'response', status: 500 } }),
      ...writesAfterFirstRequest('reports/a.csv'),
    })
    expect(errorsIn(done).map(({ title }) => title)).toEqual(['A file changed while it was being sent'])
    expect(done.messages).toEqual([])
  })

  test('without files:read, the first attempt warns, and the second posts everything and warns', async () => {
    await withJob({ inputs: ({ tokens }) => ({ ...missing, token: tokens.uploadOnly }) }, async (job) => {
      const first = await job.attempt(1)
      expect(warningsIn(first)).toEqual([expect.stringMatching(/^A re-run will post everything again: .*`files:read`/)])
      const second = await job.attempt(2)
      expect(second.code).toBe(0)
      expect(second.messages).toHaveLength(2)
      expect(warningsIn(second)).toEqual([
        expect.stringMatching(/`files:read`.*`reports\/a\.csv`, `reports\/b\.csv` in `C0GENERAL00`/),
      ])
    })
  })
})

describe('files.upload has no lookup', () => {
  test.each(['auto', 'files.upload'])('so on-rerun: missing is refused: method %s', async (method) => {
    const done = await runStep({ files, inputs: { method, 'on-rerun': 'missing' } })
    expect(done.requests).toEqual([])
    expect(errorsIn(done)).toEqual([
      { title: 'Invalid input: on-rerun', text: expect.stringContaining('`method: external`') },
    ])
  })
})

/** The action writes to the file itself, after its first request was created: nothing is left to chance. */
function writesAfterFirstRequest(path: string): Partial<Step> {
  const code = `
    import { subscribe } from 'node:diagnostics_channel'
    import { utimesSync } from 'node:fs'
    let done = false
    subscribe('undici:request:create', () => {
      if (!done) utimesSync('${path}', 1, 1)
      done = true
    })
  `
  return { nodeOptions: [...withClock().nodeOptions, '--import', `data:text/javascript,${encodeURIComponent(code)}`] }
}
