// What the step makes of its inputs as a whole. `unit/inputs/` has every rule and its text.
import { randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { inputNames } from '../support/declared.ts'
import { annotations } from '../support/shown-log.ts'
import { runStep, type Step } from '../support/step.ts'

test('a wrapper that passes every input on, empty, does what a step without them does', async () => {
  const empty = Object.fromEntries(inputNames.map((name) => [name, '']))
  const given: Step['inputs'] = ({ baseUrl, channels, tokens }) => ({
    ...{ 'base-url': baseUrl, token: tokens.all, channels: channels.general, files: 'a.csv' },
  })
  const wrapped = await runStep({ inputs: (sandbox) => ({ ...empty, ...given(sandbox) }) })
  const bare = await runStep({ inputs: given })
  expect(wrapped).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
  expect(wrapped.requests.map(({ fields, path }) => [path, fields])).toEqual(
    bare.requests.map(({ fields, path }) => [path, fields]),
  )
  expect(wrapped.messages[0]?.text).toMatch(/^a\.csv, 4 B from octo-org/)
})

test('several mistakes are reported together: an error for each input, a line for each channel, and no secret', async () => {
  const webhook = `https://hooks.slack.com/services/T0123456789/B0123456789/${randomBytes(12).toString('hex')}`
  const done = await runStep({
    env: { RUNNER_DEBUG: '1' },
    inputs: {
      'base-url': 'https://slack.com',
      token: webhook,
      channels: 'C0123456789, deployments @reviewer',
      files: '# all\n',
      comment: `with ${webhook}`,
      'comment-format': 'markdown',
      'dry-run': 'maybe',
      method: `external\n${'x'.repeat(200)}`,
      'max-files': 'all',
      'timeout-minutes': '10m',
    },
  })
  expect(annotations(done)).toMatchSnapshot()
  expect(done).toMatchObject({ code: 1, stderr: '', outputs: { status: 'failed', count: '0', messages: '[]' } })
  expect(done.summary).toContain('Invalid input: max-files')
  // Each request would be a line.
  expect(done.stdout).not.toContain('::debug::')
})
