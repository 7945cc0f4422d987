// `method: auto`: the specified files.upload wherever the service is not Slack. It chooses by the host and stays.
import { describe, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { type Done, errorsIn, runStep, type Step } from '../support/step.ts'

const files = { 'a.csv': 'a,b\n', 'b.csv': 'c,d\n' }
const calls = ({ requests }: Done) => requests.map(({ path }) => path.split('/').at(-1))
const post = (step: Step) => runStep({ files, ...step })

/** How a server responds that does not offer a method (any more). */
const absent: readonly (readonly [string, Fault])[] = [
  ['method_deprecated', { kind: 'error', code: 'method_deprecated' }],
  ['404 with a web page', { kind: 'response', status: 404, body: { html: '<h1>Not found</h1>' } }],
]

describe('a server that does not offer files.upload is sent nothing else, and the error names the other method', () => {
  test.each(absent)('%s', async (_, fault) => {
    const done = await post({ prepare: ({ faults }) => faults.add({ on: 'files.upload', fault }) })
    expect(done).toMatchObject({ code: 1, outputs: { status: 'failed', count: '0' } })
    expect(calls(done)).toEqual(['files.upload'])
    expect(errorsIn(done)).toEqual([
      {
        title: 'The server does not offer this upload method',
        text: expect.stringMatching(
          /If `127.+` offers Slack's external upload, write `method: external`\. Otherwise check `base-url`/,
        ),
      },
    ])
  })
})

test('a server that does not offer the external upload gets an error that names files.upload', async () => {
  const offers = { 'files.getUploadURLExternal': 'absent' } as const
  const done = await post({ inputs: { method: 'external' }, service: { offers } })
  expect(done).toMatchObject({ code: 1, outputs: { status: 'failed', count: '0' } })
  expect(new Set(calls(done))).toEqual(new Set(['files.getUploadURLExternal']))
  expect(errorsIn(done)).toEqual([
    {
      title: 'The server does not offer this upload method',
      text: expect.stringMatching(/If `127.+` offers `files\.upload`, write `method: files\.upload`\./),
    },
  ])
})

test('a server that stops offering files.upload after the first file is partial', async () => {
  const fault: Fault = { kind: 'error', code: 'method_deprecated' }
  const done = await post({ prepare: ({ faults }) => faults.add({ on: 'files.upload', call: 2, fault }) })
  expect(done).toMatchObject({ code: 1, outputs: { status: 'partial', count: '1' } })
  expect(calls(done)).toEqual(['files.upload', 'files.upload'])
})

test('elsewhere than on Slack, IDs are sent unchanged by files.upload', async () => {
  const done = await post({
    service: { strictIds: false },
    inputs: { channels: 'general, team/7, 42', comment: '<@U1> & <b>' },
  })
  expect(calls(done)).toEqual(['files.upload', 'files.upload'])
  expect(new Set(done.messages.map(({ channel }) => channel))).toEqual(new Set(['general', 'team/7', '42']))
  expect(done.messages[0]?.text).toBe('<@U1> & <b>')
})
