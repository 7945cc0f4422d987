// A file among twenty that cannot be sent as it was found: nothing is posted, the step fails, and that file is named.
// `unit/files/content.test.ts` has every change; here it happens to a run.
import { describe, expect, test } from '@jest/globals'
import { type FileChange, withChange } from '../support/change-file.ts'
import { type Done, errorsIn, runStep } from '../support/step.ts'
import { canCreateLinks, withLinks } from '../support/systems.ts'

/** More than two of the pieces in which a file is read. */
const large = 'x'.repeat(3 * 1024 * 1024)
const files = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [`${String(at + 1).padStart(2, '0')}.csv`, at === 12 ? large : 'a,b\n']),
)
const file = '13.csv'

const cannotBeRead = 'A file cannot be read'
const changed = 'A file changed while it was being sent'
// Windows cannot refuse to open a link: what it leads to is another file.
const linked: (typeof changes)[number] =
  process.platform === 'win32'
    ? ['a link', 'opened', changed, 'it was replaced by another file']
    : ['a link', 'opened', cannotBeRead, 'cannot be read (`ELOOP: too many symbolic links encountered`)']
const changes: readonly (readonly [FileChange['to'], FileChange['when'], title: string, why: string])[] = [
  ['gone', 'opened', cannotBeRead, 'cannot be read (`ENOENT: no such file or directory`)'],
  ...(canCreateLinks ? [linked] : []),
  ['unreadable', 'opened', cannotBeRead, 'cannot be read (`EACCES'],
  ['shorter', 'read', changed, 'it had 3,145,728 bytes when it was found and has 1 now'],
  ['as long, with other bytes', 'read', changed, 'it was written to after it was found'],
]

function post(method: string, change: FileChange): Promise<Done> {
  return runStep({
    files,
    inputs: ({ channels }) => ({ method, files: '*.csv', channels: `${channels.general} ${channels.releases}` }),
    ...withChange(change),
  })
}

describe.each(['external', 'files.upload'])('by %s nothing is posted, and the file is named', (method) => {
  test.each(changes)('when it is %s after it was found, at the moment it is %s', async (to, when, title, why) => {
    const done = await post(method, { file, when, time: 1, to })
    expect(errorsIn(done)).toEqual([{ title, text: expect.stringContaining(why) }])
    expect(errorsIn(done)[0]?.text).toMatch(/^`13\.csv` /)
    expect(done).toMatchObject({ code: 1, outputs: { status: 'failed', count: '0', files: '[]' } })
    expect(done.messages).toEqual([])
    const visible = done.requests.filter(({ path }) => /(completeUploadExternal|files\.upload)$/.test(path))
    expect(visible).toEqual([])
  })
})

describe('by files.upload, which posts file by file, a change after the first post', () => {
  test.each(changes)(
    '(%s, %s) is reported exactly: what is posted, and what is certainly not',
    async (to, when, title) => {
      const done = await post('files.upload', { file, when, time: 2, to })
      expect(errorsIn(done)).toMatchObject([{ title, text: expect.stringMatching(/^`13\.csv` /) }])
      expect(done).toMatchObject({ code: 1, outputs: { status: 'partial', count: '12' } })
      expect(done.messages).toHaveLength(12 * 2)
      const states: readonly { readonly state: string }[] = JSON.parse(done.outputs['messages'] ?? '')
      expect(states.map(({ state }) => state)).toEqual([...Array(24).fill('posted'), ...Array(16).fill('not-sent')])
      expect(done.requests.filter(({ status }) => status === 200)).toHaveLength(12)
    },
  )
})

test.each(['external', 'files.upload'])(
  'by %s a file that only grew is posted as it was found, with a warning',
  async (method) => {
    const done = await post(method, { file, when: 'read', time: 1, to: 'longer' })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '20' } })
    expect(done.stdout).toContain('::warning title=Files were still written::`13.csv` grew after this step found them.')
    const sizes = done.messages.flatMap((message) => message.files).filter(({ name }) => name === file)
    expect(sizes.map(({ size }) => size)).toEqual([large.length, large.length])
  },
)

withLinks.each(['external', 'files.upload'])(
  'by %s nothing is posted when a folder of it becomes a link',
  async (method) => {
    const done = await runStep({
      files: { 'reports/13.csv': 'a,b\n' },
      inputs: { method },
      ...withChange({ file, when: 'opened', time: 1, to: 'behind a link' }),
    })
    expect(errorsIn(done)).toMatchObject([
      { title: changed, text: expect.stringContaining('replaced by another file') },
    ])
    expect(done.messages).toEqual([])
  },
)

test('a file that changes while it is sent is never posted short or padded: the request is broken off', async () => {
  const done = await runStep({
    files: { [file]: large },
    inputs: { method: 'external' },
    ...withChange({ file, when: 'read', time: 1, to: 'shorter' }),
  })
  expect(done.requests.filter(({ origin }) => origin === 'upload').map(({ status }) => status)).toEqual([undefined])
  expect(done.messages).toEqual([])
})
