// An exception that no code of the run can catch, such as in the listener of a library.
import { expect, test } from '@jest/globals'
import { withPreload } from '../support/preload.ts'
import { errorsIn, runStep, type Step } from '../support/step.ts'

/** Throws in a listener when the first response arrives. */
const throwsAtResponse = withPreload(`
  import { subscribe } from 'node:diagnostics_channel'
  subscribe('undici:request:headers', () => { throw new Error('thrown in a listener') })
`)

const throwsAfterReport = withPreload(`
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = (text, ...rest) => {
    if (String(text).startsWith('Posted ')) setImmediate(() => { throw new Error('thrown in a listener') })
    return write(text, ...rest)
  }
`)

test.each<[when: string, method: string, preload: Partial<Step>, status: string]>([
  ['before anything was posted, and no cancellation', 'external', throwsAtResponse, 'failed'],
  ['beside what was posted', 'files.upload', throwsAtResponse, 'posted'],
  ['after the report', 'files.upload', throwsAfterReport, 'posted'],
])('is an error %s', async (_, method, preload, status) => {
  const done = await runStep({ inputs: { method }, ...preload })
  expect(done).toMatchObject({ code: 1, outputs: { status }, messages: status === 'posted' ? [{}] : [], stderr: '' })
  const text = expect.stringMatching(/^`thrown in a listener`\nThis is a fault of the action itself\. Please report it/)
  expect(errorsIn(done)).toEqual([{ title: 'The action failed', text }])
  expect(done.summary.includes('thrown in a listener')).toBe(preload === throwsAtResponse)
})
