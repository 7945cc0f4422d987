// The input `on-rerun`: what a later attempt of the same run posts. `unit/delivery/deliver-rerun.test.ts`, `plan-keys.test.ts` and
// `unit/service/slack/earlier-uploads.test.ts` have the rules.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { called, type Done, runStep, startJob } from '../support/step.ts'

const files = { 'reports/a.csv': 'line\n1\n', 'reports/b.csv': 'line\n2\n' }
const missing = { method: 'external', 'on-rerun': 'missing' }

const titlesOf = ({ messages }: Done) => messages.map((message) => message.files.map(({ title }) => title))
const warningsIn = ({ stdout }: Done) => stdout.match(/^::warning .*$/gm) ?? []

test.each([{}, { 'on-rerun': 'post' }])(
  'without on-rerun: missing, every attempt posts everything: %j',
  async (inputs) => {
    await using job = await startJob({ files, inputs: { method: 'external', ...inputs } })
    const first = await job.attempt(1)
    const second = await job.attempt(2)
    expect(titlesOf(second)).toEqual([
      ['a.csv', 'b.csv'],
      ['a.csv', 'b.csv'],
    ])
    expect(called(second).toSorted()).toEqual(called(first).toSorted())
    expect([...warningsIn(first), ...warningsIn(second)]).toEqual([])
  },
)

describe('With on-rerun: missing', () => {
  test('the title of each file ends in a key; the second attempt posts nothing that is there, and says where it is', async () => {
    await using job = await startJob({ asRecorded: true, files, inputs: missing })
    const plain = await runStep({ asRecorded: true, files, inputs: { method: 'external' } })
    const first = await job.attempt(1)
    expect(called(first).toSorted()).toEqual(called(plain).toSorted())
    const keyed = ['a', 'b'].map((name) => expect.stringMatching(`^${name}\\.csv · [0-9a-f]{10}$`))
    expect(titlesOf(first)).toEqual([keyed])

    const second = await job.attempt(2)
    expect(second).toMatchObject({ code: 0, messages: [{}] })
    // The files are looked up side by side, so the link can be asked for before the second request arrives.
    const [identity, list, ...lookups] = called(second)
    expect([identity, list]).toEqual(['auth.test', 'files.list'])
    expect(lookups.toSorted()).toEqual(['chat.getPermalink', 'files.info', 'files.info'])
    const parsed = ({ outputs: { files = '', messages = '', ...others } }: Done) => ({
      ...others,
      entries: [...JSON.parse(files), ...JSON.parse(messages)],
    })
    const { entries, ...others } = parsed(first)
    expect(parsed(second)).toEqual({ ...others, entries: entries.map((entry) => ({ ...entry, earlier: true })) })
    expect(second.stdout).toContain('An earlier attempt posted 2 files in 1 channel')
    expect(second.stdout).toContain('2 files: posted by an earlier attempt in C0GENERAL00, http')
    expect(second.summary).toContain('posted by an earlier attempt')
    expect([...warningsIn(first), ...warningsIn(second)]).toEqual([])
  })

  test('a dry run says what would be posted; then only the missing file is posted, and a warning names it', async () => {
    await using job = await startJob({ asRecorded: true, files, inputs: missing })
    await job.attempt(1)
    const none = await job.attempt(2, { inputs: { 'dry-run': 'true' } })
    expect(none.stdout).toContain('Dry run: nothing would be posted; an earlier attempt posted 2 files')
    await writeFile(join(job.folder, 'reports/b.csv'), 'line\n3\n')
    const one = await job.attempt(2, { inputs: { 'dry-run': 'true' } })
    expect(one.stdout).toContain('Dry run: 1 file would be posted in 1 channel; an earlier attempt posted 1 file')
    expect(one.stdout).toContain('reports/b.csv: would be sent to #general (C0GENERAL00)')
    expect(one).toMatchObject({ messages: [{}], outputs: { status: 'dry-run' } })

    const second = await job.attempt(2)
    expect(second.messages).toMatchObject([
      { files: [{ name: 'a.csv' }, { name: 'b.csv' }] },
      { files: [{ name: 'b.csv' }] },
    ])
    expect(second.stdout).toContain('Posted 1 file in 1 channel; an earlier attempt posted 1 file')
    expect(JSON.parse(second.outputs['files'] ?? '')).toMatchObject([
      { path: 'reports/a.csv', earlier: true },
      { path: 'reports/b.csv' },
    ])
    expect(second.outputs['count']).toBe('2')
    expect(warningsIn(second)).toEqual([expect.stringContaining('`reports/b.csv` in `C0GENERAL00`')])
  })

  test('the files of another leg of the matrix are others', async () => {
    await using job = await startJob({ inputs: missing })
    await job.attempt(1, { matrix: { os: 'ubuntu-latest' } })
    expect((await job.attempt(2, { matrix: { os: 'windows-latest' } })).messages).toHaveLength(2)
  })
})

// What the records of files hold, as recorded: the size without metadata, and the content of texts.
test('a photo that the service made smaller and a text of which a record holds 8 MB are posted, seen, and not posted again', async () => {
  const changed = { 'photo.jpg': Buffer.alloc(29_720, 'photo'), 'build.log': 'compile <module> done\n'.repeat(22_000) }
  await using job = await startJob({ asRecorded: true, files: changed, inputs: missing })
  for (const attempt of [1, 2]) {
    const done = await job.attempt(attempt)
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '2' }, messages: [{}] })
    expect(JSON.parse(done.outputs['messages'] ?? '')).toMatchObject([{ ts: expect.any(String) }])
  }
})
