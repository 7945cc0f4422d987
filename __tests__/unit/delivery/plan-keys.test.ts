import { sep } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { type StepUse, withKeys } from '../../../src/delivery/plan.ts'
import { diskContent } from '../../../src/files/content.ts'
import type { FoundFile } from '../../../src/files/files.ts'
import { tree } from '../../support/tree.ts'

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
    await using folder = await tree({ 'w/a.csv': 'a,b\n', 't/a.csv': 'a,b\n', 'u/a.csv': 'a,b\n' })
    const { files } = await folder.find('**')
    const at = (prefix: string, path: string) => {
      const file = files.find(({ real }) => real.endsWith(path.replace('/', sep)))
      return file ? [{ ...file, path: `${prefix}/a.csv` }] : []
    }
    const keyOf = async (file: readonly FoundFile[], temp: string | undefined) => {
      const content = diskContent('xoxb-made-up-for-this-test')
      const [keyed] = await withKeys(file, { ...use, temp }, content, new AbortController().signal)
      return keyed?.key
    }
    const key = await keyOf(at('/runner-1/_temp', 't/a.csv'), '/runner-1/_temp')
    expect(await keyOf(at('/runner-2/_temp', 'u/a.csv'), '/runner-2/_temp/')).toBe(key)
    expect(await keyOf(at('D:/a/_temp', 'u/a.csv'), 'D:\\a\\_temp')).toBe(key)
    const others = [
      await keyOf(at('/runner-1/_temp', 't/a.csv'), undefined),
      await keyOf(at('/runner-1/_temp2', 't/a.csv'), '/runner-1/_temp'),
      await keyOf(at('/runner-1/_temp/b', 't/a.csv'), '/runner-1/_temp'),
      await keyOf(at('runner.temp', 'w/a.csv'), undefined),
    ]
    expect(new Set([key, ...others]).size).toBe(5)
  })

  test('is given up with the run', async () => {
    await expect(keysOf(entries, {}, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  })
})
