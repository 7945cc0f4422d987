// One error of the service of each kind, as in the log. See
// `unit/service/errors/error-codes.test.ts` for all codes.
import { expect, test } from '@jest/globals'
import type { Fault, Target } from '../../sandbox/faults.ts'
import { withClock } from '../support/scaled-clock.ts'
import { annotations, leaked } from '../support/shown-log.ts'
import { runStep, type Step } from '../support/step.ts'

const uploadUrl = 'files.getUploadURLExternal'
const page = (title: string) => ({
  html: `<!doctype html><title>${title}</title><h1>${title}</h1>`,
})

function responding(on: Target, fault: Fault): Step {
  return { inputs: { method: 'external' }, prepare: ({ faults }) => faults.add({ on, fault }) }
}

const steps: Readonly<Record<string, Step>> = {
  'status 403 to the bytes, while the service responds': responding('upload-bytes', {
    kind: 'response',
    status: 403,
    body: page('Nginx: access denied'),
  }),
  'a portal that responds to the completion with a web page': responding(
    'files.completeUploadExternal',
    {
      kind: 'response',
      status: 200,
      body: page('Hotel Wi-Fi: please sign in'),
    },
  ),
  'a wait that is longer than the run may last': responding(uploadUrl, {
    kind: 'response',
    status: 429,
    headers: { 'retry-after': '3600' },
    body: { json: { ok: false, error: 'ratelimited' } },
  }),
  'no response within timeout-minutes': {
    ...responding(uploadUrl, { kind: 'silence' }),
    inputs: { method: 'external', 'timeout-minutes': '0.4' },
  },
  'by files.upload, on Slack as it is today': {
    inputs: { method: 'files.upload' },
    service: { offers: { 'files.upload': 'retired' } },
  },
}

test.concurrent.each(Object.entries(steps))('%s', async (_, step) => {
  const done = await runStep({
    ...withClock(),
    env: { RUNNER_DEBUG: '1' },
    ...step,
  })
  expect(`${done.outputs['status']}\n${annotations(done)}`).toMatchSnapshot()
  expect(done).toMatchObject({ code: 1, stderr: '' })
  expect(leaked(done, done.token)).toEqual([])
})
