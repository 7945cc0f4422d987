// An exception that no code of the run can catch, such as in the listener of a library.
import { expect, test } from '@jest/globals'
import { withPreload } from '../support/preload.ts'
import { errorsIn, runStep } from '../support/step.ts'

const files = { 'a.csv': 'a,b\n' }

/** Throws in a listener when the response with this number arrives. */
const throwsAtResponse = (number: number) =>
  withPreload(`
    import { subscribe } from 'node:diagnostics_channel'
    let count = 0
    subscribe('undici:request:headers', () => {
      count += 1
      if (count === ${number}) throw new Error('thrown in a listener')
    })
  `)

const fault = {
  title: 'The action failed',
  text: expect.stringMatching(/^`thrown in a listener`\nThis is a fault of the action itself\. Please report it/),
}

test('is an error, and not a cancellation', async () => {
  const done = await runStep({ files, inputs: { method: 'external' }, ...throwsAtResponse(1) })
  expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' }, messages: [], stderr: '' })
  expect(errorsIn(done)).toEqual([fault])
  expect(done.summary).toContain('thrown in a listener')
})

test('is an error beside what was posted', async () => {
  const done = await runStep({ files, inputs: { method: 'files.upload' }, ...throwsAtResponse(1) })
  expect(done).toMatchObject({ code: 1, outputs: { status: 'posted' }, stderr: '' })
  expect(done.messages).toHaveLength(1)
  expect(errorsIn(done)).toEqual([fault])
})

test('is an error after the report', async () => {
  const throwsAfterReport = withPreload(`
    const write = process.stdout.write.bind(process.stdout)
    process.stdout.write = (text, ...rest) => {
      if (String(text).startsWith('Posted ')) setImmediate(() => { throw new Error('thrown in a listener') })
      return write(text, ...rest)
    }
  `)
  const done = await runStep({ files, ...throwsAfterReport })
  expect(done).toMatchObject({ code: 1, outputs: { status: 'posted' }, stderr: '' })
  expect(errorsIn(done)).toEqual([fault])
})
