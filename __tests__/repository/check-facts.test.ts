/** The comparison of `npm run check:facts`, with made-up samples. */
import { expect, test } from '@jest/globals'
import { actionDifferences, methodDifferences } from '../../scripts/check-facts.ts'

const reference = {
  scope: { bot: ['files:read'] },
  args: { properties: { token: {}, file: {} } },
  errors: { file_not_found: {}, missing_scope: {}, too_many_things: {} },
}

test.each([
  ['what the action sends is there', {}, []],
  [
    'an argument is gone',
    { args: { properties: { token: {} } } },
    [['files.info: argument', 'file', 'none']],
  ],
  [
    'another scope is needed',
    { scope: { bot: ['a:b', 'c:d'] } },
    [['files.info: scope', 'files:read', 'a:b c:d']],
  ],
  [
    'a code has no text',
    { errors: { new_code: {} } },
    [['files.info: error code', 'no text', 'new_code']],
  ],
])('of a method: %s', (_, changed, expected) => {
  const found = methodDifferences('files.info', { ...reference, ...changed })
  expect(found.map(({ fact, here, there }) => [fact, here, there])).toEqual(expected)
})

const tags = `a1\trefs/tags/v1
a1\trefs/tags/v1.0.0
b2\trefs/tags/v1.9.0
c3\trefs/tags/v1.10.0
d4\trefs/tags/v1.10.0^{}
e5\trefs/tags/v2.0.0-beta
`
test.each([
  ['d4 # v1.10.0', []],
  ['c3 # v1.10.0', [['octo-org/a/b: commit of v1.10.0', 'c3', 'd4']]],
  ['b2 # v1.9.0', []],
  ['a1 # v1.0.1', [['octo-org/a/b: commit of v1.0.1', 'a1', 'none']]],
])('of an action that is used as %s', (used, expected) => {
  const found = actionDifferences(`octo-org/a/b@${used}`, tags)
  expect(found.map(({ fact, here, there }) => [fact, here, there])).toEqual(expected)
})
