import { expect, test } from '@jest/globals'
import {
  expressionOf,
  noTextProblem,
  questionForGap,
  unquoted,
} from '../../../src/text/expressions.ts'
import { quoted, text } from '../../../src/text/text.ts'
import { grid, groups } from '../../support/grid.ts'

test('quotes around a value are removed, with the white space in them', async () => {
  const values = `
a
 'a'
' a '
"a\\"b"
"C:\\new"
'a"
"a'
'a'b'
`
  expect(await grid(values, unquoted)).toMatchInlineSnapshot(`
"a
 'a'
    a
' a '
    a
"a\\"b"
    a"b
"C:\\new"
    C:\\new
'a"
"a'
'a'b'"
`)
})

test('an expression is known without its marks', async () => {
  const values = `
{{ vars.NAME }}
\${env.NAME}
'inputs.post'
{{ !github.event.release }}
{{ inputs.a && inputs.b || 'x' }}
inputs.a || inputs.b
inputs.a && inputs.b
steps.a.outputs.b-c
github.event_name == 'push'
! (github.ref != 'x')
format('{0}', github.ref)
success() && github.ref == 'x'
job.status
matrix.os
needs.a.result
secrets.TOKEN
# These are none.
not inputs.post
(inputs.post
failure()
inputs.a, inputs.b
jane.doe
`
  const inner = (value: string) => expressionOf(value)?.slice(4, -3)
  expect(await grid(values, inner)).toMatchInlineSnapshot(`
"{{ vars.NAME }}
    vars.NAME
\${env.NAME}
    env.NAME
'inputs.post'
    inputs.post
{{ !github.event.release }}
    !github.event.release
{{ inputs.a && inputs.b || 'x' }}
    inputs.a && inputs.b || 'x'
inputs.a || inputs.b
inputs.a && inputs.b
steps.a.outputs.b-c
github.event_name == 'push'
! (github.ref != 'x')
format('{0}', github.ref)
success() && github.ref == 'x'
job.status
matrix.os
needs.a.result
secrets.TOKEN
# These are none.
    nothing
not inputs.post
    nothing
(inputs.post
    nothing
failure()
    nothing
inputs.a, inputs.b
    nothing
jane.doe
    nothing"
`)
})

test('an expression, or its result, in place of a value is explained', async () => {
  const values = `
null
undefined
Array
Object
\${{ vars.NAME }}
vars.NAME
NULL
`
  const complaints = async (value: string) =>
    [text`is wrong.`, undefined]
      .map((wrong) => quoted(noTextProblem(value, wrong) ?? text`right`))
      .join(' | ')
  expect(await groups(values, complaints)).toMatchInlineSnapshot(`
"is wrong. An expression returned this: does what it names exist, and is it text? | is \`null\`. An expression returned this: does what it names exist, and is it text?
    null
is wrong. An expression returned this: does what it names exist, and is it text? | is \`undefined\`. An expression returned this: does what it names exist, and is it text?
    undefined
is wrong. An expression returned this: does what it names exist, and is it text? | is \`Array\`. An expression returned this: does what it names exist, and is it text?
    Array
is wrong. An expression returned this: does what it names exist, and is it text? | is \`Object\`. An expression returned this: does what it names exist, and is it text?
    Object
is an expression, not its value: GitHub evaluates it only in a workflow file. Write it there, and store only its value in a secret or variable. | is an expression, not its value: GitHub evaluates it only in a workflow file. Write it there, and store only its value in a secret or variable.
    \${{ vars.NAME }}
is not a GitHub expression. Write \`\${{ vars.NAME }}\`. | is not a GitHub expression. Write \`\${{ vars.NAME }}\`.
    vars.NAME
is wrong. | right
    NULL"
`)
})

test('a gap that no similar name has is asked about', async () => {
  const rows = `
#-builds
#_builds
builds-
dist/report_.csv
builds-/a.csv
builds---/a.csv
dist/app-.zip dist/app-1.2.0.zip
dist/app--linux.zip dist/app-1.2.0-linux.zip
apps/-app/*.csv
reports//a.csv
packages/{}/b.csv
app-.zip app_.zip
reports/.csv
.html
.json
.log
.txt
.xml
.zip
builds--/a.csv builds--/b.csv
__snapshot__/a.snap
_site/index.htm
src/__init__.py
a---b/d/c.csv
dist/block--mo.css dist/block--mod.css
-/b.csv
.env
a.csv
`
  const asked = async (row: string) => {
    const [value = '', ...similar] = row.split(' ')
    return questionForGap(value, similar) ? 'asked' : 'a name'
  }
  expect(await groups(rows, asked)).toMatchInlineSnapshot(`
"asked
    #-builds
    #_builds
    builds-
    dist/report_.csv
    builds-/a.csv
    builds---/a.csv
    dist/app-.zip dist/app-1.2.0.zip
    dist/app--linux.zip dist/app-1.2.0-linux.zip
    apps/-app/*.csv
    reports//a.csv
    packages/{}/b.csv
    app-.zip app_.zip
    reports/.csv
    .html
    .json
    .log
    .txt
    .xml
    .zip
a name
    builds--/a.csv builds--/b.csv
    __snapshot__/a.snap
    _site/index.htm
    src/__init__.py
    a---b/d/c.csv
    dist/block--mo.css dist/block--mod.css
    -/b.csv
    .env
    a.csv"
`)
})
