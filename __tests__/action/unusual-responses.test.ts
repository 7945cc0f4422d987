/** Responses that no documentation rules out, and an environment that no runner has: the step still follows its rules. */
import { describe, expect, test } from '@jest/globals'
import type { Body, FaultRule } from '../../sandbox/faults.ts'
import { type Done, runStep, type Step } from '../support/step.ts'

const files = { 'a.csv': 'a,b\n' }

const responding = (on: FaultRule['on'], body: Body): FaultRule => ({
  on,
  fault: { kind: 'response', status: 200, effect: true, body },
})

/** One file by the external upload, unless `inputs` has another method, to a service with these faults. */
const run = (rules: readonly FaultRule[], { inputs, ...more }: Step = {}): Promise<Done> =>
  runStep({
    files,
    prepare: ({ faults }) => faults.add(...rules),
    inputs: { method: 'external', ...(typeof inputs === 'object' ? inputs : {}) },
    ...more,
  })

test('an external upload whose completion responds without the files is looked up, and found', async () => {
  const done = await run([responding('files.completeUploadExternal', { json: { ok: true } })])
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
})

test('files.upload is accepted if the response is a list', async () => {
  const done = await run([responding('files.upload', { text: '[]' })], { inputs: { method: 'files.upload' } })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'accepted' } })
})

test('a dry run whose token the service does not describe cannot check the channel, and succeeds', async () => {
  const closed: FaultRule = { on: 'conversations.info', fault: { kind: 'error', code: 'missing_scope' } }
  const rules = [responding('auth.test', { json: { ok: true } }), closed]
  const done = await run(rules, { inputs: { 'dry-run': 'true' } })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'dry-run' } })
  expect(done.stdout).toContain('user unknown in workspace unknown')
  expect(done.stdout).toContain('did not report the scopes')
})

describe('an environment', () => {
  test('without the files that only a newer or older runner has is no problem', async () => {
    const done = await run([], { env: { GITHUB_STATE: undefined, GITHUB_PATH: undefined, GITHUB_ENV: undefined } })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
  })

  test('with a token of three letters, as another service may have, posts', async () => {
    const done = await runStep({
      files,
      inputs: { token: 'abc' },
      service: { strictIds: false },
      prepare: ({ users, workspace }) =>
        workspace.set({ tokens: new Map([['abc', { user: users.app, scopes: ['files:write'] }]]) }),
    })
    expect(done).toMatchObject({ code: 0, outputs: { count: '1' } })
  })
})
