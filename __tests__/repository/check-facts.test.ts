/** The comparison of `npm run check:facts`, with made-up samples. */
import { expect, test } from '@jest/globals'
import { actionDifferences, methodDifferences } from '../../scripts/check-facts.ts'
import { grid } from '../support/grid.ts'

const reference = {
  scope: { bot: ['files:read'] },
  args: { properties: { token: {}, file: {} } },
  errors: { file_not_found: {}, missing_scope: {}, too_many_things: {} },
}

test('a method differs by an argument that is gone, another scope, and a code without a text', async () => {
  const changes = `
{}
{"args":{"properties":{"token":{}}}}
{"scope":{"bot":["a:b","c:d"]}}
{"errors":{"new_code":{}}}
`
  const found = (line: string) =>
    methodDifferences('files.info', { ...reference, ...JSON.parse(line) })
  expect(await grid(changes, found)).toMatchInlineSnapshot(`
"{}
    []
{"args":{"properties":{"token":{}}}}
    [{"fact":"files.info: argument","here":"file","there":"none"}]
{"scope":{"bot":["a:b","c:d"]}}
    [{"fact":"files.info: scope","here":"files:read","there":"a:b c:d"}]
{"errors":{"new_code":{}}}
    [{"fact":"files.info: error code","here":"no text","there":"new_code"}]"
`)
})

const tags = `a1\trefs/tags/v1
a1\trefs/tags/v1.0.0
b2\trefs/tags/v1.9.0
c3\trefs/tags/v1.10.0
d4\trefs/tags/v1.10.0^{}
e5\trefs/tags/v2.0.0-beta
`
test('an action differs by the commit of its version', async () => {
  const used = `
d4 # v1.10.0
c3 # v1.10.0
b2 # v1.9.0
a1 # v1.0.1
`
  const found = (step: string) => actionDifferences(`octo-org/a/b@${step}`, tags)
  expect(await grid(used, found)).toMatchInlineSnapshot(`
"d4 # v1.10.0
    []
c3 # v1.10.0
    [{"fact":"octo-org/a/b: commit of v1.10.0","here":"c3","there":"d4"}]
b2 # v1.9.0
    []
a1 # v1.0.1
    [{"fact":"octo-org/a/b: commit of v1.0.1","here":"a1","there":"none"}]"
`)
})
