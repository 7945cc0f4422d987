// Inputs that are empty. `__tests__/unit/inputs/` tests the values that they may have.
import { expect, test } from '@jest/globals'
import { declaredInputs } from '../../sandbox/runner.ts'
import { readInputs } from '../../src/inputs/inputs.ts'
import { runStep } from '../support/step.ts'
import { withInputs } from '../support/with-inputs.ts'

test('an empty input counts as unset, except the comment', async () => {
  const empty = Object.fromEntries(Object.keys(await declaredInputs()).map((name) => [name, '']))
  const done = await runStep({
    files: { 'report.csv': 'a,b\n' },
    inputs: ({ baseUrl, channels, tokens }) => ({
      ...empty,
      'base-url': baseUrl,
      token: tokens.all,
      channels: channels.general,
      files: 'report.csv',
    }),
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
  expect(done.requests.map(({ path, fields }) => [path, fields])).toEqual([
    ['/api/files.upload', [['channels', 'C0GENERAL00']]],
  ])
})

test('an empty input has the default that action.yml declares', async () => {
  // An empty comment has a meaning, and the runner evaluates the default of rerun-key.
  const declared = Object.entries(await declaredInputs()).filter(([name]) => !['comment', 'rerun-key'].includes(name))
  const empty = Object.fromEntries(declared.map(([name]) => [name, '']))
  const defaults = Object.fromEntries(declared.map(([name, { default: value }]) => [name, value ?? '']))
  const given = { token: 'made-up-token', channels: 'C0123456789', files: '*.csv' }
  const fromDefaults = withInputs({ ...defaults, ...given }, readInputs)
  expect(withInputs({ ...empty, ...given }, readInputs)).toEqual(fromDefaults)
})
