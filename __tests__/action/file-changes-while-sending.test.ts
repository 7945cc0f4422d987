// A file changes in a run of 20 files. See `unit/files/content.test.ts` for all changes, and
// `unit/service/files-upload.test.ts` for reading files before posting.
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { type FileChange, withChange } from '../support/change-file.ts'
import { makePipe } from '../support/processes.ts'
import { called, type Done, errorsIn, runStep } from '../support/step.ts'
import { onLinux, onPosix, withLinks } from '../support/systems.ts'

/** More than two chunks of reading. */
const large = 'x'.repeat(3 * 1024 * 1024)
const files = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [
    `${String(at + 1).padStart(2, '0')}.csv`,
    at === 12 ? large : 'a,b\n',
  ]),
)
const file = '13.csv'

function post(method: string, change: Omit<FileChange, 'file'>): Promise<Done> {
  return runStep({
    files,
    inputs: ({ channels }) => ({
      method,
      files: '*.csv',
      channels: `${channels.general} ${channels.releases}`,
    }),
    ...withChange({ file, ...change }),
  })
}

test('a file that changes while it is sent is never posted short or padded: the request is broken off', async () => {
  const done = await post('external', { when: 'read', time: 1, to: 'as long, with other bytes' })
  const text = expect.stringContaining('it was rewritten or replaced after it was found')
  expect(errorsIn(done)).toEqual([{ title: 'A file changed while it was being sent', text }])
  expect(done).toMatchObject({
    code: 1,
    messages: [],
    outputs: { status: 'failed', count: '0', files: '[]' },
  })
  expect(called(done)).not.toContain('files.completeUploadExternal')
  const large = done.requests.filter(
    ({ origin, headers }) => origin === 'upload' && headers.flat().includes('3145728'),
  )
  expect(large.map(({ status }) => status)).toStrictEqual([undefined])
})

withLinks(
  'by files.upload, which posts file by file, a change after the first post is reported exactly',
  async () => {
    const done = await post('files.upload', { when: 'opened', time: 2, to: 'a link' })
    // Windows cannot refuse to open a link, and its target is another file.
    const why =
      process.platform === 'win32' ? 'it was rewritten or replaced' : 'cannot be read (`ELOOP'
    expect(errorsIn(done)).toMatchObject([{ text: expect.stringContaining(why) }])
    expect(done).toMatchObject({ code: 1, outputs: { status: 'partial', count: '12' } })
    expect(done.messages).toHaveLength(12 * 2)
    const states = JSON.parse(done.outputs['messages'] ?? '').map(
      ({ state }: { state: string }) => state,
    )
    expect(states).toEqual([...Array(24).fill('posted'), ...Array(16).fill('not-sent')])
    expect(done.requests.filter(({ status }) => status === 200)).toHaveLength(12)
  },
)

onPosix('a pipe that is put in the place of a file does not hold the step up', async () => {
  const done = await runStep({
    files: { 'a.csv': 'a,b\n', 'b.csv': 'c,d\n' },
    inputs: { files: '*.csv', 'timeout-minutes': '0.5' },
    prepare: (_sandbox, folder) => makePipe(join(folder, 'b.csv.pipe')),
    ...withChange({ file: 'b.csv', when: 'opened', time: 0, to: 'the pipe beside it' }),
  })
  expect(done.stdout).toContain('b.csv is not a regular file')
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
})

async function sendFromMovedFolder(change: Pick<FileChange, 'time' | 'to'>): Promise<Done> {
  const done = await runStep({
    files: { 'a.csv': 'a,b\n', 'sub/b.csv': 'c,d\n' },
    inputs: { method: 'external', files: '**' },
    ...withChange({ file: 'b.csv', when: 'opened', ...change }),
  })
  expect(JSON.stringify(done.requests.map(({ fields }) => fields))).not.toContain('sub-moved')
  expect(done.stdout).toContain('its folder was moved or replaced after it was found')
  return done
}

withLinks('a folder that becomes a link to outside sends nothing from there', async () => {
  const found = await sendFromMovedFolder({ time: 0, to: 'in a linked folder' })
  expect(found.stdout).toContain('::warning title=Files that cannot be read are skipped::')
  expect(found).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
  expect(found.messages).toMatchObject([{ files: [{ name: 'a.csv', size: 4 }] }])
  const sent = await sendFromMovedFolder({ time: 1, to: 'in a linked folder' })
  expect(sent).toMatchObject({ code: 1, messages: [], outputs: { status: 'failed' } })
})

onLinux('and so does one that is a link only while a file is opened', async () => {
  const done = await sendFromMovedFolder({ time: 0, to: 'in a linked folder for a moment' })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
})

test.each(['external', 'files.upload'])(
  'by %s a file that only grew is posted as it was found, with a warning',
  async (method) => {
    const done = await post(method, { when: 'read', time: 1, to: 'longer' })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '20' } })
    expect(done.stdout).toContain(
      '::warning title=Files were still written::`13.csv` grew after this step found them.',
    )
    const sizes = done.messages
      .flatMap((message) => message.files)
      .filter(({ name }) => name === file)
    expect(sizes.map(({ size }) => size)).toEqual([large.length, large.length])
  },
)
