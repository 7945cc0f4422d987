// Where the behavior of the service is unknown, a rule of the sandbox selects it: the action keeps its promises either way.
import { describe, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { WorkspaceSettings } from '../../sandbox/workspace.ts'
import { withClock } from '../support/scaled-clock.ts'
import { runStep } from '../support/step.ts'

const complete = 'files.completeUploadExternal'

interface Scenario {
  readonly rules: Partial<WorkspaceSettings>
  readonly channels?: readonly (keyof Sandbox['channels'])[]
  /** Of the first completion. */
  readonly fault?: Fault
}

/** Posts one file by the external upload, with the usual comment, whose link needs blocks. */
async function post({ channels = ['general'], fault, rules }: Scenario) {
  const done = await runStep({
    ...withClock(),
    files: { 'report.csv': 'name,result\n' },
    service: rules,
    inputs: (sandbox) => ({ method: 'external', channels: channels.map((name) => sandbox.channels[name]).join(',') }),
    prepare: ({ faults }) => {
      if (fault) faults.add({ on: complete, call: 1, fault })
    },
  })
  return {
    code: done.code,
    status: done.outputs['status'],
    messages: done.messages,
    completions: done.requests.filter(({ path }) => path.endsWith(complete)).length,
  }
}

describe('A lost response to the completion', () => {
  const records = ['file_not_found', 'shown'] as const
  const lost: Fault = { kind: 'reset', when: 'after' }

  test.each(records)('is not answered by a repeat if it was carried out: record before it %s', async (record) => {
    const done = await post({ rules: { recordBeforeCompletion: record }, fault: { ...lost, effect: true } })
    expect(done).toMatchObject({ code: 0, status: 'posted', completions: 1, messages: [{}] })
  })

  test('is answered by a repeat if the file is absent', async () => {
    const done = await post({ rules: { recordBeforeCompletion: 'file_not_found' }, fault: lost })
    expect(done).toMatchObject({ code: 0, status: 'posted', completions: 2, messages: [{}] })
  })

  test('leaves the outcome unknown if a record exists and does not show the message', async () => {
    const done = await post({ rules: { recordBeforeCompletion: 'shown' }, fault: lost })
    expect(done).toMatchObject({ code: 1, status: 'unknown', completions: 1, messages: [] })
  })
})

describe('A service that does not support', () => {
  const channels = ['general', 'releases'] as const

  test.each(['ignored', 'refused'] as const)('channels (%s) gets one channel without it', async (support) => {
    const done = await post({ rules: { completionArguments: { channels: support, blocks: 'supported' } } })
    expect(done).toMatchObject({ code: 0, status: 'posted', messages: [{}] })
  })

  test('channels, and ignores them: the step does not succeed', async () => {
    const rules = { completionArguments: { channels: 'ignored', blocks: 'supported' } } as const
    expect(await post({ rules, channels })).toMatchObject({ code: 1, status: 'unknown', messages: [] })
  })

  test('channels, and refuses them: the step does not succeed', async () => {
    const rules = { completionArguments: { channels: 'refused', blocks: 'supported' } } as const
    expect(await post({ rules, channels })).toMatchObject({ code: 1, messages: [] })
  })

  test('blocks, and ignores them: the file is posted without its comment', async () => {
    const rules = { completionArguments: { channels: 'supported', blocks: 'ignored' } } as const
    const messages = [{ blocks: undefined, text: undefined }]
    expect(await post({ rules })).toMatchObject({ code: 0, status: 'posted', messages })
  })

  test('blocks, and refuses them: nothing is posted', async () => {
    const rules = { completionArguments: { channels: 'supported', blocks: 'refused' } } as const
    expect(await post({ rules })).toMatchObject({ code: 1, status: 'failed', messages: [] })
  })
})
