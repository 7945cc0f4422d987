// 1xx: the final response is still to come, https://www.rfc-editor.org/rfc/rfc9110#name-informational-1xx
import { expect, test } from '@jest/globals'
import { called, runStep } from '../support/step.ts'

test.each([
  ['external', 102],
  ['external', 103],
  ['files.upload', 102],
  ['files.upload', 103],
] as const)('By %s, every call gets %d before its response, and is made once', async (method, status) => {
  const run = { files: { 'a.bin': Buffer.alloc(6e6) }, inputs: { method } }
  const usual = await runStep(run)
  const done = await runStep({
    ...run,
    prepare: ({ faults }) => faults.add({ on: '*', fault: { kind: 'informational', status } }),
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: usual.outputs['status'] } })
  expect(called(done)).toEqual(called(usual))
})
