// Each rule of a table has a case that no other rule of it answers.
import { expect, test } from '@jest/globals'
import { lineForms, nameForms } from '../../src/files/credentials.ts'
import { forms } from '../../src/files/other-languages.ts'
import { kinds } from '../../src/inputs/channel-rules.ts'

const languages = `
inputs.dir/unit.csv
reports/null
*.csv # note
ftp:/unit
report-%Y
[a.csv/b.csv]
a.csv\\nb
reports/.*
-reports
"a"/303"
'a'
@(a)
a[b
a/b-c,
a.csv b.csv
*.a,b
a\u0007b
The reports
a\\b
`
const channels = `
and
#a*
null
<!here>
@jane
A0123456789
C1234567
`
const names = `
.env
.netrc
.npmrc
kubeconfig
id_rsa
a.tfvars
.bash_history
_temp/0f8fad5b-d9cb-469f-a165-70867728950e
`
/** In two parts, so that no scanner reports this file. */
const lines = `
-----BEGIN ${'PRIVATE'} KEY-----
extraheader = basic eDp5
url = https://x:made-up@github.com/
aws_session_token = made-up
with aws_session_token: ${'x'.repeat(40)}
`

test.each([
  ['files', forms.map(([form]) => form), languages],
  ['channels', kinds.map(([form]) => form), channels],
  ['credential files', nameForms.map(([, form]) => form), names],
  ['credentials in a file', lineForms.map(([, form]) => form), lines],
])('one case for each rule about %s, which it alone answers', (_, rules, cases) => {
  const answers = cases
    .trim()
    .split('\n')
    .map((line) => rules.flatMap((form, index) => (line.search(form) < 0 ? [] : index)))
  expect(answers).toEqual(rules.map((_, index) => [index]))
})
