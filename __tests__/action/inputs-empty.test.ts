// Inputs that are empty. `__tests__/unit/inputs/` tests the values that they may have.
import { expect, test } from '@jest/globals'
import { inputNames } from '../support/declared.ts'
import { runStep } from '../support/step.ts'

test('an empty input counts as unset, except the comment', async () => {
  const empty = Object.fromEntries(inputNames.map((name) => [name, '']))
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
