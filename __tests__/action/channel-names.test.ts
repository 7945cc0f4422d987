// Names such as `#general` in `channels`, with the external upload.
import { expect, test } from '@jest/globals'
import { annotations } from '../support/shown-log.ts'
import { type Done, runStep, startJob } from '../support/step.ts'

const files = { 'a.csv': 'a,b\n' }
const called = ({ requests }: Done) => requests.map(({ path }) => path.replace('/api/', '').replace(/\/ticket-.*/, ''))
const external = (channels: string, more = {}) => ({ files, inputs: { method: 'external', channels, ...more } })

test('a public and a private channel get the files by name, with one request more than by ID', async () => {
  const byName = await runStep(external('#General, #private'))
  const byId = await runStep(external('C0GENERAL00, G0PRIVATE00'))
  expect(byName).toMatchObject({ code: 0, outputs: { status: 'posted' } })
  expect(byName.messages.map(({ channel }) => channel)).toEqual(byId.messages.map(({ channel }) => channel))
  expect(called(byName).toSorted()).toEqual([...called(byId), 'users.conversations'].toSorted())
  expect(JSON.parse(byName.outputs['messages'] ?? '')).toMatchObject([
    { channel: 'C0GENERAL00', requested: '#General', state: 'posted' },
    { channel: 'G0PRIVATE00', requested: '#private', state: 'posted' },
  ])
  expect(byName.stdout).toContain('#general (C0GENERAL00)')
  expect(byName.stdout).not.toContain('::add-mask::C0GENERAL00')
})

test('names that are not there are refused together, and nothing is uploaded', async () => {
  const done = await runStep(external('#relases #privat #not-joined #archived C0GENERAL00'))
  expect(done).toMatchObject({ code: 1, messages: [], outputs: { status: 'failed' } })
  expect(called(done)).toEqual(['users.conversations'])
  expect(annotations(done)).toMatchSnapshot()
})

test('a token without groups:read finds public channels', async () => {
  const inputs = ({ tokens }: { tokens: { publicChannels: string } }) => ({
    ...external('#general #private').inputs,
    token: tokens.publicChannels,
  })
  expect(annotations(await runStep({ files, inputs }))).toMatchSnapshot()
})

test('1,500 memberships on short pages take ten requests', async () => {
  const done = await runStep({
    ...external('#channel-1499'),
    service: { conversationsPerPage: 151 },
    prepare: ({ users, workspace }) => {
      for (let number = 0; number < 1500; number += 1) {
        const name = `channel-${number}`
        workspace.addConversation({
          id: `C0LIST${String(number).padStart(5, '0')}`,
          name,
          kind: 'public',
          members: [users.app],
        })
      }
    },
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
  expect(called(done).filter((method) => method === 'users.conversations')).toHaveLength(10)
})

test('a dry run and refuse-external-channels look at the channel that has the name', async () => {
  const dryRun = await runStep(external('#general', { 'dry-run': 'true' }))
  expect(dryRun).toMatchObject({ code: 0, messages: [], outputs: { status: 'dry-run' } })
  expect(dryRun.stdout).toContain('#general: ok (`C0GENERAL00`)')
  const refused = await runStep({
    ...external('#partners', { 'refuse-external-channels': 'true' }),
    prepare: ({ users, workspace }) =>
      workspace.addConversation({
        id: 'C0PARTNERS0',
        name: 'partners',
        kind: 'public',
        members: [users.app],
        shared: 'external',
      }),
  })
  expect(refused).toMatchObject({ code: 1, messages: [], outputs: { status: 'failed' } })
  expect(refused.stdout).toContain('A channel is shared with another organization')
})

test('after a rename, a later attempt with the new name posts nothing twice', async () => {
  const job = await startJob({ files, inputs: { method: 'external', 'on-rerun': 'missing' } })
  try {
    await job.attempt(1, { inputs: { channels: '#general' } })
    const { sandbox } = job
    const general = sandbox.workspace.conversations.find(({ id }) => id === 'C0GENERAL00')
    if (general === undefined) throw new Error('there is no channel general')
    sandbox.workspace.addConversation({ ...general, name: 'everybody' })
    const second = await job.attempt(2, { inputs: { channels: '#everybody' } })
    expect(second).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(second.messages).toHaveLength(1)
  } finally {
    await job.stop()
  }
})
