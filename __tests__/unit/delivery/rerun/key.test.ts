import { describe, expect, test } from '@jest/globals'
import { type StepUse, withKeys } from '../../../../src/delivery/rerun/key.ts'
import { diskContent } from '../../../../src/files/content.ts'
import { tree } from '../../../support/tree.ts'

const use: StepUse = { repository: 'octo/app', runId: 42, job: 'report', action: 'post', leg: '' }

async function keysOf(
  entries: Readonly<Record<string, string>>,
  more: Partial<StepUse> = {},
  signal = new AbortController().signal,
) {
  await using folder = await tree(entries)
  const { files } = await folder.find('**')
  const keyed = await withKeys(files, { ...use, ...more }, diskContent('xoxb-made-up-for-this-test'), signal)
  return keyed.map(({ key }) => key)
}

describe('The key of a file', () => {
  const entries = { 'a.csv': 'a,b\n' }

  test('is the same for the same content in every attempt of the run', async () => {
    const [key] = await keysOf(entries)
    expect(key).toMatch(/^[0-9a-f]{10}$/)
    expect(await keysOf(entries)).toEqual([key])
  })

  test.each([{ repository: 'octo/other' }, { runId: 43 }, { job: 'other' }, { action: 'other' }, { leg: 'linux' }])(
    'is another one in another use of the step: %j',
    async (more) => {
      expect(await keysOf(entries, more)).not.toEqual(await keysOf(entries))
    },
  )

  test('is another one for other content, and for another file', async () => {
    const keys = await keysOf({ 'a.csv': 'a,b\n', 'b.csv': 'a,b\n', 'c/a.csv': 'a,b\n' })
    expect(new Set([...keys, ...(await keysOf({ 'a.csv': 'c,d\n' }))]).size).toBe(4)
  })

  test('does not depend on where the runner keeps temporary files', async () => {
    await using folder = await tree({ 'a.csv': 'a,b\n' })
    const { files } = await folder.find('a.csv')
    const keyOf = async (path: string, temp: string | undefined) => {
      const found = files.map((file) => ({ ...file, path }))
      const content = diskContent('xoxb-made-up-for-this-test')
      const [keyed] = await withKeys(found, { ...use, temp }, content, new AbortController().signal)
      return keyed?.key
    }
    const key = await keyOf('/runner-1/_temp/a.csv', '/runner-1/_temp')
    expect(await keyOf('/runner-2/_temp/a.csv', '/runner-2/_temp/')).toBe(key)
    expect(await keyOf('D:/a/_temp/a.csv', 'D:\\a\\_temp')).toBe(key)
    const others = [
      await keyOf('/runner-1/_temp/a.csv', undefined),
      await keyOf('/runner-1/_temp2/a.csv', '/runner-1/_temp'),
      await keyOf('/runner-1/_temp/b/a.csv', '/runner-1/_temp'),
      await keyOf('runner.temp/a.csv', undefined),
    ]
    expect(new Set([key, ...others]).size).toBe(5)
  })

  test('is given up with the run', async () => {
    await expect(keysOf(entries, {}, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  })
})
