// The whole text of every rule for an input.
import { describe, expect, test } from '@jest/globals'
import { grid } from '../../support/grid.ts'
import { takesLinearTime } from '../../support/linear-time.ts'
import {
  type GivenInputs,
  inputProblems,
  inputsOf,
  madeUpToken,
  refusal,
  refusals,
} from '../../support/with-inputs.ts'

const elsewhere = { 'base-url': 'https://chat.example.com' }

describe('a token', () => {
  test.each(['xoxb-made', 'xoxp-made', 'xoxe.xoxb-1-made', 'xoxe.xoxp-1-made', 'xoxa-2-made'])(
    'on Slack may be %s',
    (token) => {
      expect(inputsOf({ token }).token).toBe(token)
    },
  )

  test('is none of these, and is not shown', () => {
    const values = `
https://hooks.slack.com/services/x
hooks.slack.com/services/x
HTTP://chat.example.com/x
 ⏎
\${{ secrets.NAME }}
{{ secrets.NAME }}
secrets.NAME
\${secrets.NAME}
Bearer xoxb-made-up
xoxb-⏎1
xoxb-\u00fa
xoxb-1\u007fx
`
    expect(refusals('token', values)).toMatchInlineSnapshot(`
"is a URL. Webhooks can't upload files: use an access token, on Slack the Bot User OAuth Token (\`xoxb-…\`) of an app with the scope \`files:write\`.
    https://hooks.slack.com/services/x
    hooks.slack.com/services/x
    HTTP://chat.example.com/x
is empty. Does the secret exist in this repository or organization, and can this workflow read it? Write \`\${{ secrets.SLACK_BOT_TOKEN }}\` with your secret's name.
In a reusable workflow, the caller must pass the secret, for example with \`secrets: inherit\`. To read an environment secret, the job needs \`environment:\`.
     ⏎
is an expression, not its value: GitHub evaluates it only in a workflow file. Write it there, and store only its value in a secret or variable.
    \${{ secrets.NAME }}
is not a GitHub expression. Write \`\${{ secrets.NAME }}\`.
    {{ secrets.NAME }}
    secrets.NAME
    \${secrets.NAME}
contains white space, a line break or another character that no token has. Store only the token in the secret, without \`Bearer\`.
    Bearer xoxb-made-up
    xoxb-⏎1
    xoxb-ú
    xoxb-1<7f>x"
`)
    expect(refusals('token', values, elsewhere)).toBe(refusals('token', values))
  })

  test('on Slack only is none of these, and is not shown', () => {
    const values = `
xapp-made-up
xoxe-made-up
xoxb-
xoxe.xoxb-
$MADE_UP
'xoxb-made-up'
xox-made-up
********
made-xapp-up
https-made-up
made-up-https://
0123456789abcdef0123456789abcdef0
`
    expect(refusals('token', values)).toMatchInlineSnapshot(`
"is an app-level or refresh token, which can't upload files. Use the Bot User OAuth Token: \`xoxb-…\`, or \`xoxe.xoxb-…\` with token rotation.
    xapp-made-up
    xoxe-made-up
is cut off: it ends where the secret part begins. Store the whole token in the secret again.
    xoxb-
    xoxe.xoxb-
doesn't look like a Slack token (\`xoxb-…\`). Store the Bot User OAuth Token (app settings, OAuth & Permissions) in the secret, without quotes, and write \`\${{ secrets.NAME }}\` with your secret's name.
    $MADE_UP
    'xoxb-made-up'
    xox-made-up
    ********
    made-xapp-up
    https-made-up
    made-up-https://
    0123456789abcdef0123456789abcdef0"
`)
    for (const token of values.trim().split('\n'))
      expect(inputsOf({ ...elsewhere, token }).token).toBe(token)
  })

  const isMissing = (given: GivenInputs, environment: NodeJS.ProcessEnv = {}) =>
    inputProblems({ token: '', ...given }, environment)[0]?.replace(
      'Invalid input: token: `token` is empty',
      '…',
    )
  const ofAnApp =
    'Use an access token, on Slack the Bot User OAuth Token (`xoxb-…`) of an app with the scope `files:write`.'
  test.each([
    [
      { slack_token: 'xoxb-made-up', webhook: 'https://hooks.slack.com/made-up' },
      '…: rename the input `slack_token` to `token`.',
    ],
    [
      { 'webhook-url': 'https://hooks.slack.com/made-up' },
      `…, and a webhook can't replace it: webhooks can't upload files. ${ofAnApp}`,
    ],
  ])('that is missing is explained by what is set instead: %j', (given, text) => {
    expect(isMissing(given)).toContain(text)
    expect(isMissing(given)).not.toContain('made-up')
  })

  test('that is set, but wrong, is not explained by another input', () => {
    expect(refusal('token', 'xapp-made-up', { slack_token: 'xoxb-made-up' })).toMatch(
      /^is an app-level or refresh token/,
    )
  })

  test.each(['url', 'slack_api_url', 'slack-url'])(
    'of another server, whose address is in the input %s, is no token of Slack',
    (name) => {
      const given = { [name]: 'https://chat.example.com' }
      expect(refusal('token', 'made-up-token', given)).toBe(
        `is not for Slack: rename the input \`${name}\` to \`base-url\`.`,
      )
      expect(inputProblems(given)).toEqual([])
    },
  )

  test('that is only in a variable of the step is named', () => {
    expect(isMissing({}, { SLACK_BOT_TOKEN: 'xoxb-made-up' })).toBe(
      "…. The variable `SLACK_BOT_TOKEN` is set, but this action reads only the input: write `token: ${{ secrets.SLACK_BOT_TOKEN }}` below `with:`, with your secret's name.",
    )
    for (const other of [
      { SLACK_BOT_TOKEN: '' },
      { SLACK_TOKEN_FILE: 'x' },
      { NO_SLACK_TOKEN: 'x' },
    ]) {
      expect(isMissing({}, other)).toContain('Does the secret exist')
    }
    const misnamed = { slack_token: 'xoxb-made-up' }
    expect(isMissing(misnamed, { SLACK_BOT_TOKEN: 'xoxb-made-up' })).toContain(
      'rename the input `slack_token` to `token`',
    )
  })

  test('of fewer than 8 characters cannot be protected, and a warning says so', () => {
    const server = { ...elsewhere, comment: 'with made-it' }
    expect(inputProblems({ ...server, token: 'made-it' })).toEqual([
      'warning: The token is too short to be protected: `token` has fewer than 8 characters, which can occur in any text, so files and comments that contain it are posted anyway.\nUse a longer token.',
    ])
    expect(inputProblems({ ...elsewhere, token: 'made-it1' })).toEqual([])
    expect(refusal('comment', 'with made-it1', { ...elsewhere, token: 'made-it1' })).toContain(
      'contains the token',
    )
  })

  test.each(['comment', 'channels', 'method', 'files', 'dry-run'])('may not be in %s', (name) => {
    expect(refusal(name, `a ${madeUpToken}`)).toBe(
      'contains the token. Remove it: the token belongs only in the input `token`.',
    )
  })
})

describe('a base-url', () => {
  // Names are judged at lookup.
  test('is complete, with https or in a private network', async () => {
    const urls = `
https://SLACK.com
HTTPS://chat.example.com
https://api.example.com
http://localhost:8080
https://chat.example.com:8443/team/
https://chat.example.com/api-gateway/x
https://chat.example.com/api/v1/x
http://127.0.0.1/
http://[::1]:8080/
http://chat:8065/
http://host.docker.internal:8065/
http://chat.corp.example.com/team
http://10.0.0.5:8065/
http://[fd00::5]:8065/
`
    const read = (url: string) => inputsOf({ 'base-url': url }).baseUrl.href
    expect(await grid(urls, read)).toMatchInlineSnapshot(`
"https://SLACK.com
    https://slack.com/
HTTPS://chat.example.com
    https://chat.example.com/
https://api.example.com
    https://api.example.com/
http://localhost:8080
    http://localhost:8080/
https://chat.example.com:8443/team/
https://chat.example.com/api-gateway/x
https://chat.example.com/api/v1/x
http://127.0.0.1/
http://[::1]:8080/
http://chat:8065/
http://host.docker.internal:8065/
http://chat.corp.example.com/team
http://10.0.0.5:8065/
http://[fd00::5]:8065/"
`)
    expect(read('')).toBe('https://slack.com/')
  })

  test('is none of these, and is shown without secrets', () => {
    const values = `
http://203.0.113.7/team
http://169.254.169.254
http://[fe80::1]:8065
http://slack.com
http://chat:8065/api
https://slack.com/api/
https://localhost/api
http://localhost/api
https://chat.example.com/team//api/files.upload
https://chat.example.com/api/files.upload//
https://chat.example.com/api/api
https://chat.example.com/?key=made-up
https://x.example.com/t#made-up
https://slack.com?made-up⏎#made-up
https://me:made-up@chat.example.com
https://made-up@chat.example.com
chat.example.com:8443/team
/chat.example.com
https//chat.example.com
xoxb-made-up-made-up
HTTPS:/chat.example.com
ftp://localhost
chat.example.com/x://y
https://
https://chat.example.com:99999
HTTPS://me:made-up@chat.example.com:99999
me:made-up⏎@made-up@chat.example.com
chat.example.com/?made-up⏎made-up
chat.example.com/#made-up
https://hooks.slack.com/services/made-up
https://app.slack.com/client/T0123456789
https://api.slack.com/methods
http://0.0.0.0:8065
http://[::]:8065
http://0
`
    expect(refusals('base-url', values)).toMatchInlineSnapshot(`
"is \`…\`. Write \`https://203.0.113.7/team\`: with https (http only in a private network), and without a user, \`/api\`, a query or a fragment.
    http://203.0.113.7/team
is \`…\`. Write \`https://169.254.169.254\`: with https (http only in a private network), and without a user, \`/api\`, a query or a fragment.
    http://169.254.169.254
is \`…\`. Write \`https://[fe80::1]:8065\`: with https (http only in a private network), and without a user, \`/api\`, a query or a fragment.
    http://[fe80::1]:8065
is \`…\`. Write \`https://slack.com\`: with https (http only in a private network), and without a user, \`/api\`, a query or a fragment.
    http://slack.com
    https://slack.com/api/
is \`…\`. Write \`http://chat:8065\`: with https (http only in a private network), and without a user, \`/api\`, a query or a fragment.
    http://chat:8065/api
is \`…\`. Write \`https://localhost\`: with https (http only in a private network), and without a user, \`/api\`, a query or a fragment.
    https://localhost/api
is \`…\`. Write \`http://localhost\`: with https (http only in a private network), and without a user, \`/api\`, a query or a fragment.
    http://localhost/api
is \`…\`. Write \`https://chat.example.com/team\`: with https (http only in a private network), and without a user, \`/api\`, a query or a fragment.
    https://chat.example.com/team//api/files.upload
is \`…\`. Write \`https://chat.example.com\`: with https (http only in a private network), and without a user, \`/api\`, a query or a fragment.
    https://chat.example.com/api/files.upload//
    https://chat.example.com/api/api
is \`https://chat.example.com/?…\`. Write \`https://chat.example.com\`: with https (http only in a private network), and without a user, \`/api\`, a query or a fragment.
    https://chat.example.com/?key=made-up
is \`https://x.example.com/t#…\`. Write \`https://x.example.com/t\`: with https (http only in a private network), and without a user, \`/api\`, a query or a fragment.
    https://x.example.com/t#made-up
is \`https://slack.com?…\`. Write \`https://slack.com\`: with https (http only in a private network), and without a user, \`/api\`, a query or a fragment.
    https://slack.com?made-up⏎#made-up
is \`https://…@chat.example.com\`. Write \`https://chat.example.com\`: with https (http only in a private network), and without a user, \`/api\`, a query or a fragment.
    https://me:made-up@chat.example.com
    https://made-up@chat.example.com
is \`…\`, not a complete URL. Write one like \`https://chat.example.com\` or \`http://127.0.0.1:8065\`.
    chat.example.com:8443/team
    /chat.example.com
    https//chat.example.com
    HTTPS:/chat.example.com
    ftp://localhost
    chat.example.com/x://y
    https://
    https://chat.example.com:99999
is a secret (not shown), not a complete URL. Write one like \`https://chat.example.com\` or \`http://127.0.0.1:8065\`.
    xoxb-made-up-made-up
is \`HTTPS://…@chat.example.com:99999\`, not a complete URL. Write one like \`https://chat.example.com\` or \`http://127.0.0.1:8065\`.
    HTTPS://me:made-up@chat.example.com:99999
is \`…@chat.example.com\`, not a complete URL. Write one like \`https://chat.example.com\` or \`http://127.0.0.1:8065\`.
    me:made-up⏎@made-up@chat.example.com
is \`chat.example.com/?…\`, not a complete URL. Write one like \`https://chat.example.com\` or \`http://127.0.0.1:8065\`.
    chat.example.com/?made-up⏎made-up
is \`chat.example.com/#…\`, not a complete URL. Write one like \`https://chat.example.com\` or \`http://127.0.0.1:8065\`.
    chat.example.com/#made-up
has the host \`hooks.slack.com\`, which accepts no files. Write \`https://slack.com\`.
    https://hooks.slack.com/services/made-up
has the host \`app.slack.com\`, which accepts no files. Write \`https://slack.com\`.
    https://app.slack.com/client/T0123456789
has the host \`api.slack.com\`, which accepts no files. Write \`https://slack.com\`.
    https://api.slack.com/methods
has the host \`0.0.0.0\`, which is no address of a server. Write \`localhost\`.
    http://0.0.0.0:8065
    http://0
has the host \`[::]\`, which is no address of a server. Write \`localhost\`.
    http://[::]:8065"
`)
  })
})

/** Values, separated by commas. */
const wrong: GivenInputs = {
  'comment-format': 'html',
  'allow-broadcast': 'yes, 0, tRUE, truely, untrue, falsely, unfalse',
  'include-hidden-files': '1',
  'dry-run': 'yes',
  method:
    'upload, uploadV2x, externalize, External, externl, externals, files.upload, files_upload, files.uplaod, files.uploadV2, upload_v2, files.getUploadURLExternal',
  'if-no-files-found': 'warn,ignore, king, sting, warning, WARNING, warnings, warned',
  'if-not-confirmed': 'ignored, ignoring, Warn, warm, was',
  'max-files': '0, 5MB, -5, 05, 1000000, 5., all',
  'timeout-minutes': '0, 0.0, 1000, 1., -1, 1e2, 30s, 10 min',
  files: '#⏎ # all⏎#',
}
test('other inputs may be none of these', () => {
  const shown = Object.entries(wrong).map(
    ([name, values]) => `${name} ${refusals(name, values.replaceAll(', ', '\n'))}`,
  )
  expect(shown.join('\n')).toMatchInlineSnapshot(`
"comment-format is \`…\`. Write one of \`mrkdwn\`, \`plain\`.
    html
allow-broadcast is \`…\`. Write \`true\` or \`false\`.
    yes
    0
    tRUE
    truely
    untrue
    falsely
    unfalse
include-hidden-files is \`…\`. Write \`true\` or \`false\`.
    1
dry-run is \`…\`. Write \`true\` or \`false\`.
    yes
method is \`…\`. Write one of \`auto\`, \`external\`, \`files.upload\`.
    upload
    uploadV2x
    externalize
is \`…\`. Write \`external\`.
    External
    externl
    externals
is \`…\`. Write \`external\`, the only upload that Slack still offers.
    files.upload
    files_upload
    files.uplaod
    files.uploadV2
    upload_v2
    files.getUploadURLExternal
if-no-files-found is \`…\`. Write one of \`error\`, \`warn\`, \`ignore\`, \`comment\`.
    warn,ignore
    king
    sting
is \`…\`. Write \`warn\`.
    warning
    WARNING
    warnings
    warned
if-not-confirmed is \`…\`. Write \`ignore\`.
    ignored
    ignoring
is \`…\`. Write \`warn\`.
    Warn
    warm
is \`…\`. Write one of \`error\`, \`warn\`, \`ignore\`.
    was
max-files is \`…\`. Write a whole number from 1 to 999999, like \`50\`.
    0
    5MB
    -5
    05
    1000000
    5.
    all
timeout-minutes is \`…\`. Write a number of minutes above 0 and below 1000, like \`10\` or \`0.5\`.
    0
    0.0
    1000
    1.
    -1
    1e2
    30s
    10 min
files is empty. Write one pattern per line, like \`reports/**/*.csv\`.
If an expression can be empty here, add \`if: steps.ID.outputs.NAME != ''\` to this step, or set \`if-no-files-found: warn\`. To post only text to Slack, set \`if-no-files-found: comment\`.
    #⏎ # all⏎#"
`)
})

test('other inputs may be these', () => {
  const rows = `
{"dry-run": "true"}
{"dry-run": "True"}
{"dry-run": "TRUE"}
{"dry-run": "false"}
{"dry-run": "False"}
{"dry-run": "FALSE"}
{"max-files": "999999", "timeout-minutes": "999.5"}
{"method": "files.upload", "base-url": "https://chat.example.com"}
{"if-no-files-found": "warn", "files": ""}
{"if-no-files-found": "comment", "comment": "a"}
`
  for (const row of rows.trim().split('\n')) expect(inputProblems(JSON.parse(row))).toEqual([])
})

test('the error about missing files names the input of another action', () => {
  expect(refusal('files', '', { path: '*.csv' })).toBe(
    'is empty: rename the input `path` to `files`.',
  )
})

test.each([
  [
    { comment: 'none\n' },
    'is `comment`, but there is no comment. Write `if-no-files-found: warn`.',
  ],
  [
    { 'base-url': 'https://chat.example.com' },
    "is `comment`, but `files.upload` can't post a comment without a file. Write `if-no-files-found: warn`.",
  ],
])('a comment alone needs the external upload and a comment: %j', (inputs, expected) => {
  expect(refusal('if-no-files-found', 'comment', inputs)).toBe(expected)
})

const pieces = ', - # \n# C / " [ { \\n#a env.a( \\ .a a@ \' &'
test.each([...pieces.split(' '), '\n', ' ', '# ', '\n- ', ' and '])(
  'values of many %j are read in linear time',
  async (piece) => {
    const names = 'channels files thread-ts token base-url method max-files comment'.split(' ')
    const read = (count: number) => {
      const pieces = piece.repeat(count)
      for (const name of names)
        for (const value of [pieces, `C0${pieces}x`, `"${pieces}"`])
          inputProblems({ [name]: value })
    }
    expect(await takesLinearTime(read, 2_000)).toBe(true)
  },
)
