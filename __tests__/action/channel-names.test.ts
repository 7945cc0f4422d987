// Names such as `#general` in `channels`, with the external upload.
// `unit/service/slack/channels.test.ts` has the rules.
import { expect, test } from '@jest/globals'
import { called, runStep } from '../support/step.ts'

const external = (channels: string) => ({ inputs: { method: 'external', channels } })

test('a public and a private channel get the files by name, with one request more than by ID', async () => {
  const byName = await runStep(external('#General, #private'))
  const byId = await runStep(external('C0GENERAL00, G0PRIVATE00'))
  expect(byName).toMatchObject({ code: 0, outputs: { status: 'posted' } })
  expect(byName.messages.map(({ channel }) => channel)).toEqual(
    byId.messages.map(({ channel }) => channel),
  )
  expect(called(byName).toSorted()).toEqual([...called(byId), 'users.conversations'].toSorted())
  expect(JSON.parse(byName.outputs['messages'] ?? '')).toMatchObject([
    { channel: 'C0GENERAL00', requested: '#General', state: 'posted' },
    { channel: 'G0PRIVATE00', requested: '#private', state: 'posted' },
  ])
  expect(byName.stdout).toContain('#general (C0GENERAL00)')
  expect(byName.stdout).not.toContain('::add-mask::C0GENERAL00')
})
