// What is wrong with the value of an input, and what to write instead: the whole text of every rule.
import { describe, expect, test } from '@jest/globals'
import { type GivenInputs, inputProblems, inputsOf, madeUpToken } from '../../support/with-inputs.ts'

const elsewhere = { 'base-url': 'https://chat.example.com' }

/** The text after the name of the input `name`, which is the only one with an error. */
function refusal(name: string, value: string, others: GivenInputs = {}, environment: NodeJS.ProcessEnv = {}): string {
  const problems = inputProblems({ ...others, [name]: value }, environment)
  const [problem = '', ...more] = problems.filter((one) => !one.startsWith('warning: '))
  expect(more).toEqual([])
  const start = `Invalid input: ${name}: \`${name}\` `
  expect(problem.slice(0, start.length)).toBe(start)
  return problem.slice(start.length)
}

/** A row of a table for each of the values. */
const rows = (values: readonly string[], text: string | ((value: string) => string)) =>
  values.map((value) => [value, typeof text === 'string' ? text : text(value)] as const)

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `C${String(index).padStart(10, '0')}`)

describe('a token', () => {
  test.each(['xoxb-made', 'xoxp-made', 'xoxe.xoxb-1-made', 'xoxe.xoxp-1-made', 'xoxa-2-made'])(
    'on Slack may be %s',
    (token) => {
      expect(inputsOf({ token }).token).toBe(token)
    },
  )

  const ofUrl =
    'is a URL. A webhook URL cannot upload files: use an access token, on Slack the Bot User OAuth Token (`xoxb-…`) of an app with the scope `files:write`.'
  const withBearer = 'begins with `Bearer`. Store the token alone: the action adds `Bearer` to the request.'
  const withSpace =
    'contains white space, a line break or another character that no token has. Store the token in the secret again, alone.'
  test.each([
    [
      ' \n',
      'is empty. Does the secret exist in this repository or organization, and may this workflow read it? Write `${{ secrets.SLACK_BOT_TOKEN }}` with the name of your secret.\nIn a reusable workflow, the caller passes the secret on, such as by `secrets: inherit`. For the secret of an environment, the job needs `environment:`.',
    ],
    ...rows(['https://hooks.slack.com/services/x', 'hooks.slack.com/services/x', 'HTTP://chat.example.com/x'], ofUrl),
    ...rows(['Bearer xoxb-made-up', 'bearer\txoxb-made-up'], withBearer),
    ...rows(['Authorization: Bearer xoxb-1', 'xoxb-1 xoxb-1', 'xoxb-\n1', 'xoxb-\u00fa', 'xoxb-1\u007fx'], withSpace),
  ])('is not %j, which is not shown', (token, text) => {
    expect(refusal('token', token)).toBe(text)
    expect(refusal('token', token, elsewhere)).toBe(text)
  })

  test.each([
    [
      'xapp-made-up',
      'is an app-level token (`xapp-…`), which cannot upload files. Use the Bot User OAuth Token (`xoxb-…`).',
    ],
    [
      'xoxe-made-up',
      'is a refresh token (`xoxe-…`), which cannot upload files. Use the access token that it is exchanged for (`xoxe.xoxb-…`), or turn token rotation off.',
    ],
  ])('on Slack only is not %j, which is not shown', (token, text) => {
    expect(refusal('token', token)).toBe(text)
    expect(inputsOf({ ...elsewhere, token }).token).toBe(token)
  })

  const store =
    'Store the Bot User OAuth Token in the secret (settings of the app, OAuth & Permissions), and write `${{ secrets.NAME }}` with the name of your secret.'
  const isName =
    'It is the name of a secret or a variable instead of its value. Write `${{ secrets.NAME }}` with the name of your secret.'
  const quote = 'It begins with a quote. Store the token in the secret again, without quotes.'
  test.each([
    ...rows(['secrets.NAME', '{secrets.NAME}', '${secrets.NAME}', 'env.NAME_NAME', '$MADE_UP', '%MADE_UP%'], isName),
    ...rows(["'xoxb-made-up'", '"xoxb-made-up"', '`xoxb-made-up`'], quote),
    [
      '0123456789abcdef0123456789abcdef',
      'It looks like the signing secret of an app. Store the Bot User OAuth Token in the secret (settings of the app, OAuth & Permissions).',
    ],
    ...rows(['made-xoxb-up', 'xox-made-up', '********', 'made-xapp-up', 'made-xoxe-up', 'made-env.up'], store),
    ...rows(['https-made-up', 'made-up-https://'], store),
    ...rows(
      ['made$up-up', "made'up-up", `0${'0123456789abcdef'.repeat(2)}`, `g${'0123456789abcdef'.repeat(2)}`],
      store,
    ),
  ])('on Slack only has the form of one, not of %s, which is not shown', (token, hint) => {
    expect(refusal('token', token)).toBe(`does not have the form of a Slack token, such as \`xoxb-…\`. ${hint}`)
    expect(inputsOf({ ...elsewhere, token }).token).toBe(token)
  })

  const isMissing = (given: GivenInputs, environment: NodeJS.ProcessEnv = {}, inFork = false) =>
    inputProblems({ token: '', ...given }, environment, inFork)[0]?.replace(
      'Invalid input: token: `token` is empty',
      '…',
    )
  const ofAnApp =
    'Use an access token, on Slack the Bot User OAuth Token (`xoxb-…`) of an app with the scope `files:write`.'
  test.each([
    [
      { slack_token: 'xoxb-made-up', webhook: 'https://hooks.slack.com/made-up' },
      '…: this action reads `token`, not `slack_token`. Does the secret exist',
    ],
    [
      { 'webhook-url': 'https://hooks.slack.com/made-up' },
      `…, and \`webhook-url\` cannot replace it: a webhook cannot upload files. ${ofAnApp}`,
    ],
  ])('that is missing is explained by what is set instead: %j', (given, text) => {
    expect(isMissing(given)).toContain(text)
    expect(isMissing(given)).not.toContain('made-up')
  })

  test('that is only in a variable of the step is named', () => {
    expect(isMissing({}, { SLACK_BOT_TOKEN: 'xoxb-made-up' })).toBe(
      '…. The variable `SLACK_BOT_TOKEN` is set, but this action reads the input: write `token: ${{ secrets.SLACK_BOT_TOKEN }}` below `with:`, with the name of your secret.',
    )
    for (const other of [{ SLACK_BOT_TOKEN: '' }, { SLACK_TOKEN_FILE: 'x' }, { NO_SLACK_TOKEN: 'x' }]) {
      expect(isMissing({}, other)).toContain('Does the secret exist')
    }
    const misnamed = { slack_token: 'xoxb-made-up' }
    expect(isMissing(misnamed, { SLACK_BOT_TOKEN: 'xoxb-made-up' })).toContain(
      'not `slack_token`. Does the secret exist',
    )
  })

  test('that is missing in a fork needs a condition', () => {
    expect(isMissing({}, {}, true)).toBe(
      "…. This repository is a fork, and has secrets of its own. To run the job only in the repository that has the secret, write `if: github.repository == 'owner/name'`.",
    )
  })

  test('of fewer than 8 characters cannot be protected, and a warning says so', () => {
    const server = { ...elsewhere, comment: 'with made-it' }
    expect(inputProblems({ ...server, token: 'made-it' })).toEqual([
      'warning: The token is too short to be protected: `token` has fewer than 8 characters, which can occur in any text: a file that contains it is posted, and so is a comment.\nUse a longer token.',
    ])
    expect(inputProblems({ ...elsewhere, token: 'made-it1' })).toEqual([])
    expect(refusal('comment', 'with made-it1', { ...elsewhere, token: 'made-it1' })).toContain('contains the token')
  })

  test.each([
    ...['comment', 'title', 'files', 'method', 'rerun-key', 'working-directory', 'channels', 'thread-ts'],
    ...['max-files', 'timeout-minutes', 'dry-run'],
  ])('may not be in %s', (name) => {
    expect(refusal(name, `a ${madeUpToken}`)).toBe(
      'contains the token. Remove it: the token belongs in the input `token` only.',
    )
  })
})

describe('channels on Slack', () => {
  test('may be IDs, separated by commas, spaces and line breaks, and named several times', () => {
    const channels =
      'C12345678, G0123456789\n  D0123456789 ,\tZ0123456789\nG0123456789 U0123456789 W0123456789 CABCDEFGHI\n'
    const ids = ['C12345678', 'G0123456789', 'D0123456789', 'Z0123456789', 'U0123456789', 'W0123456789', 'CABCDEFGHI']
    expect(inputsOf({ channels }).channels).toEqual(ids)
  })

  test.each(["'#releases'", '"#releases"', " '#releases' ", "'#releases', 'C0123456789'", '"#releases, C0123456789"'])(
    'lose paired quotes, which a form or a variable needs not: %s',
    (channels) => {
      expect(inputsOf({ channels }).channels).toEqual(
        ['#releases', 'C0123456789'].slice(0, channels.includes('C0') ? 2 : 1),
      )
    },
  )

  const names = '#general #Releases #\u00fcbersicht #u\u0308bersicht #\u958b\u767a-\u9023 #a.b_c-1 #1'
  test.each(names.split(' '))('may have the name %s', (channels) => {
    expect(inputsOf({ channels: `C0123456789 ${channels}` }).channels).toEqual(['C0123456789', channels])
    expect(inputsOf({ ...elsewhere, method: 'external', channels }).channels).toEqual([channels])
  })

  const writeTheId =
    "Write the channel ID, such as `C0123456789`. It is shown at the bottom of the channel's details (click the channel name)."
  const isWord = (word: string) =>
    `is not a channel ID. If it is the name of a channel, write \`'#${word}'\` in quotes. Or write the channel ID: it is shown at the bottom of the channel's details (click the channel name).`
  const isNeither = `is neither the ID nor the name of a channel. ${writeTheId}`
  const isVariable =
    'is the name of a variable instead of its value. Write `${{ vars.NAME }}` with the name of your variable.'
  const writeMember = 'Write the member ID, such as `U0123456789` (profile, three dots, Copy member ID).'
  const several = (list: string) => `is not one channel. Separate channels by commas: write \`${list}\`.`
  const isNoId = (id: string) => `is not a channel ID. Write \`${id}\`.`
  test.each([
    ...rows(['general', 'GENERAL-CHANNELS', 'C1234567', 'XC0123456789', 'C0123456789x', 'C1234567-x'], isWord),
    ...rows(['channel-c0123456789', 'c0123456789-channel', '\u958b\u767a'], isWord),
    ...rows(['XS0123456789', 'S0123456789x', 'XT0123456789', 'T0123456789x'], isWord),
    ...rows(['$CHANNEL', '${CHANNEL}', 'vars.CHANNEL', '{{vars.CHANNEL}}', '%CHANNEL%'], isVariable),
    ...rows(['a@b@c.example', 'me@example.', 'team#general', 'general!', `#${'x'.repeat(81)}`], isNeither),
    ...rows(['"#general', '#general;'], 'is not the name of a channel. Write `#general`.'),
    ['#general;#releases', several('#general, #releases')],
    ['C0123456789;#releases', several('C0123456789, #releases')],
    ['C0123456789;D0123456789', several('C0123456789, D0123456789')],
    ['C0123456789|D0123456789|C0123456789', several('C0123456789, D0123456789')],
    ...rows(
      ['TAB1234567', 'E0123456789', 'A0123456789', 'B0123456789'],
      `is the ID of an app, a workspace or an organization. ${writeTheId}`,
    ),
    [
      'SAB1234567',
      'is the ID of a user group. Write the ID of a channel, and mention the group in the comment: `<!subteam^S0123456789>`.',
    ],
    ['@reviewer', `is the name of a person. ${writeMember}`],
    ['jane.doe', `has a dot, which no name of a channel has. Is it a person? ${writeMember}`],
    ['team@example.com', `is an e-mail address. ${writeMember}`],
    ...rows(['c0123456789', 'C0123456789|general', '"C0123456789', '#C0123456789'], isNoId('C0123456789')),
    ['id=D12345678;', isNoId('D12345678')],
    ['<#C01234567AB|general>', isNoId('C01234567AB')],
    ['https://team.slack.com/archives/GA12345678', isNoId('GA12345678')],
    ['https://app.slack.com/client/T0123456789/C9876543210', isNoId('C9876543210')],
  ])('are not %s', (channels, text) => {
    expect(refusal('channels', channels)).toBe(`contains \`${channels}\`, which ${text}`)
  })

  test.each([
    ['https://hooks.slack.com/services/T0123456789/B0123456789/made-up', 'is a webhook URL: it cannot take files.'],
    ['xoxb-C0123456789-made-up', 'is not a channel ID.'],
    ['xapp-1-C0123456789-made-up', 'is not a channel ID.'],
  ])('are not %s, which is not shown', (channels, text) => {
    expect(refusal('channels', channels)).toBe(`contains a secret (not shown), which ${text} ${writeTheId}`)
  })

  test('are at most 100, which an error says instead of naming each', () => {
    expect(inputsOf({ channels: [...numbered(100), ...numbered(100)].join() }).channels).toEqual(numbered(100))
    expect(refusal('channels', ['bad', ...numbered(100)].join())).toBe(
      'has 101 channels, but a message can go to at most 100. Use several steps.',
    )
  })

  test.each(['C0123456789 # general', '# all\nC0123456789', 'C0123456789 #'])('have no comment: %j', (channels) => {
    const [comment] = /#.*/.exec(channels) ?? []
    expect(refusal('channels', channels)).toBe(
      `contains \`${comment}\`. A comment is not possible here: remove it, or the space after \`#\` if it is the name of a channel.`,
    )
  })

  test.each([
    ['#my channel', '#my channel', '#my-channel'],
    ['C0123456789, #my  channel\nC1123456789', '#my  channel', '#my-channel'],
  ])('have no space in a name: %j', (channels, shown, meant) => {
    const two = meant.replace('-', ', #')
    expect(refusal('channels', channels)).toBe(
      `contains \`${shown.replace('  ', ' ')}\`. A space separates channels, and names have none. Write \`'${meant}'\`, or, for two channels, \`'${two}'\`.`,
    )
    expect(inputsOf({ channels: '#my C0123456789 #channel' }).channels).toHaveLength(3)
  })

  test('may not be separated by dashes', () => {
    expect(refusal('channels', 'C0123456789 - D0123456789')).toBe(`contains \`-\`, which ${isNeither}`)
  })

  test('may be a JSON list', () => {
    const channels = '[\n"C0123456789", " #releases ", "C0123456789"\n]'
    expect(inputsOf({ channels }).channels).toEqual(['C0123456789', '#releases'])
    expect(inputsOf({ ...elsewhere, channels: '["a b", "c,d"]' }).channels).toEqual(['a b', 'c,d'])
    expect(refusal('channels', '["C0123456789", "#my releases"]')).toMatch(/^contains `#my releases`, which /)
    expect(refusal('channels', '["C0123456789", 7]')).toBe(
      'is a JSON list with `7`. Write a list of strings, such as `["C0123456789", "#releases"]`.',
    )
    expect(inputProblems({ channels: '["C0123456789", ""]' })[0]).toContain('one of its entries is empty')
  })

  test.each([{}, elsewhere])('are no JSON object, which is one mistake: %j', (server) => {
    const map = '{\n  "web": "C0123456789",\n  "api": "C1123456789"\n}'
    expect(refusal('channels', map, server)).toBe(
      'is a JSON object. Which of its entries is meant? Write `${{ fromJSON(vars.CHANNELS)[matrix.team] }}`, with your names.',
    )
  })
})

test('channels on another server are any text without commas and white space, in any number', () => {
  const channels = 'general,team/7 42 #random @reviewer -x a-b https://chat.example.com/c/1'
  expect(inputsOf({ ...elsewhere, channels }).channels).toEqual(channels.split(/[ ,]/))
  expect(inputsOf({ ...elsewhere, channels: numbered(101).join() }).channels).toEqual(numbered(101))
})

describe.each([
  ['on Slack', {}],
  ['on another server', elsewhere],
])('channels %s', (_where, server) => {
  test('are needed', () => {
    expect(refusal('channels', ' ,\n', server)).toBe(
      "is empty. Write at least one channel, such as `channels: C0123456789`, or `channels: '#general'`: without the quotes, YAML takes the name for a comment. If it comes from `vars.X`, is that variable set in this repository?",
    )
    expect(refusal('channels', '', { ...server, channel_id: 'C0123456789' })).toMatch(
      /^is empty: this action reads `channels`, not `channel_id`\. /,
    )
  })

  test.each(['- C0123456789', '- C0123456789\n- C1123456789', 'C0123456789\n  -\tC1123456789'])(
    'are not a YAML list: %j',
    (channels) => {
      expect(refusal('channels', channels, server)).toBe(
        'is text, not a YAML list. Remove the leading `- `: write IDs separated by commas, spaces or line breaks.',
      )
    },
  )

  const comment =
    ' If a name such as `#releases` follows the last comma, put the whole value in quotes: without them, YAML takes the name for a comment.'
  test.each(['C0123456789, ', ',C0123456789', 'C0123456789,,D0123456789', 'C0123456789, \n,D0123456789'])(
    'with nothing between two commas, or outside of them, get a warning: %j',
    (channels) => {
      expect(inputProblems({ ...server, channels })).toEqual([
        `warning: A channel is missing: \`channels\` is \`${channels.trim().replace(/\s+/g, ' ')}\`: one of its entries is empty.\nIf it comes from a variable, is the variable set?${channels.endsWith(', ') ? comment : ''} Otherwise, remove it.`,
      ])
    },
  )

  test.each(['C0123456789\n\nD0123456789', 'C0123456789,\nD0123456789\n'])('may have blank lines: %j', (channels) => {
    expect(inputProblems({ ...server, channels })).toEqual([])
  })

  test('are one if there is a thread-ts', () => {
    const refused = (channels: string) => refusal('thread-ts', '1760688662.900279', { ...server, channels })
    const [a, b, c, d] = numbered(4)
    expect(refused(`${a} ${b}`)).toBe(
      `requires exactly one channel, and \`channels\` has 2: \`${a}\`, \`${b}\`. Use one step for each thread.`,
    )
    expect(refused(`${a} ${b} ${c} ${d}`)).toContain(`\`channels\` has 4: \`${a}\`, \`${b}\`, \`${c}\` and 1 more.`)
  })
})

test.each([
  ['1760688662.900279', {}],
  ['th-42', elsewhere],
])('a thread-ts may be %s', (ts, server) => {
  expect(inputsOf({ ...server, 'thread-ts': ts }).threadTs).toBe(ts)
})

const suchAs = ", such as `'1760688662.900279'`: seconds and six decimals. Without quotes, YAML rounds the number."
const ofLink = ": `'1760688662.900279'`."
test.each([
  ...rows(['1760688662.9', '1760688662.9002790', '17606886620.900279', '1760688662900279'], suchAs),
  ...rows(['p17606886629002790'], suchAs),
  ...rows(['https://team.slack.com/archives/C0123456789/p1760688662900279', 'p1760688662900279?cid=C01'], ofLink),
])('on Slack, a thread-ts is not %s', (ts, remedy) => {
  expect(refusal('thread-ts', ts)).toBe(`is \`${ts}\`. Write the ts of the message in quotes${remedy}`)
})

describe('a base-url', () => {
  test.each([
    ['', 'https://slack.com/'],
    ['https://SLACK.com', 'https://slack.com/'],
    ['HTTPS://chat.example.com', 'https://chat.example.com/'],
    ['https://api.example.com', 'https://api.example.com/'],
    ['http://localhost:8080', 'http://localhost:8080/'],
    ...rows(['https://chat.example.com:8443/team/', 'https://chat.example.com/api-gateway/x'], (url) => url),
    ...rows(['https://chat.example.com/api/v1/x', 'http://127.0.0.1/', 'http://[::1]:8080/'], (url) => url),
  ])('of %j is %s', (url, href) => {
    expect(inputsOf({ 'base-url': url }).baseUrl.href).toBe(href)
  })

  const noScheme = 'which has no scheme'
  const notSafe = 'but the token is sent only over https, or over http to this machine'
  const withApi = 'but the action adds `/api` and the method itself'
  test.each([
    ['chat.example.com', noScheme, 'https://chat.example.com'],
    ['chat.example.com:8443/team', noScheme, 'https://chat.example.com:8443/team'],
    ['chat.example.com:8443/api', noScheme, 'https://chat.example.com:8443'],
    ['localhost:8080', noScheme, 'http://localhost:8080'],
    ['127.0.0.1/api', noScheme, 'http://127.0.0.1'],
    ...rows(['/chat.example.com', 'https//chat.example.com', 'HTTPS:/chat.example.com'], noScheme).map((row) => [
      ...row,
      'https://chat.example.com',
    ]),
    ['http:localhost', noScheme, 'http://localhost'],
    ['chat.example.com/x://y', noScheme, 'https://chat.example.com/x://y'],
    ['http://chat.example.com/team', notSafe, 'https://chat.example.com/team'],
    ['http://localhost.example.com', notSafe, 'https://localhost.example.com'],
    ...['ftp', 'git+ssh', 'h2c'].map((scheme) => [`${scheme}://chat.example.com`, notSafe, 'https://chat.example.com']),
    ['ftp://localhost', notSafe, 'http://localhost'],
    ...rows(['https://slack.com/api', 'https://slack.com/api/'], withApi).map((row) => [...row, 'https://slack.com']),
    ...['https://localhost', 'http://localhost'].map((base) => [`${base}/api`, withApi, base]),
    ['https://chat.example.com/team//api/files.upload', withApi, 'https://chat.example.com/team'],
    ['https://chat.example.com/api/files.upload//', withApi, 'https://chat.example.com'],
    ['https://chat.example.com/api/api', withApi, 'https://chat.example.com'],
  ])('is not %s, %s', (url = '', why, corrected) => {
    expect(refusal('base-url', url)).toBe(`is \`${url}\`, ${why}. Write \`${corrected}\`.`)
  })

  test.each([
    ['https://chat.example.com/?key=made-up', 'https://chat.example.com/', 'query', 'https://chat.example.com'],
    ['https://x.example.com/t#made-up', 'https://x.example.com/t', 'fragment', 'https://x.example.com/t'],
    ['https://slack.com?made-up\n#made-up', 'https://slack.com', 'query', 'https://slack.com'],
  ])('has no query or fragment, which is not shown: %j', (url, shown, what, corrected) => {
    expect(refusal('base-url', url)).toBe(`is \`${shown}\`, followed by a ${what} (not shown). Write \`${corrected}\`.`)
  })

  test.each([
    'https://me:made-up@chat.example.com',
    'https://made-up@chat.example.com',
    'https://:made-up@chat.example.com',
    'me:made-up@chat.example.com',
  ])('has no user or password, and they are not shown: %s', (url) => {
    expect(refusal('base-url', url)).toBe(
      'contains a user name or a password. Remove them: the token goes into the input `token`.',
    )
  })

  test.each([
    ['https://', 'https://'],
    ['https://chat.example.com:99999', 'https://chat.example.com:99999'],
    ['HTTPS://me:made-up@chat.example.com:99999', 'HTTPS://…@chat.example.com:99999'],
    ['me:made-up\n@made-up@chat.example.com:99999', '…@chat.example.com:99999'],
    ['chat.example.com:99999/?made-up\nmade-up', 'chat.example.com:99999/'],
    ['chat.example.com:99999/#made-up', 'chat.example.com:99999/'],
  ])('is a URL, and shown without secrets: %j', (url, shown) => {
    expect(refusal('base-url', url)).toBe(
      `is \`${shown}\`, which is not a URL. Write one such as \`https://chat.example.com\`.`,
    )
  })

  test.each([
    ['https://hooks.slack.com/services/made-up', 'hooks.slack.com'],
    ['hooks.slack.com', 'hooks.slack.com'],
    ['https://app.slack.com/client/T0123456789', 'app.slack.com'],
    ['https://api.slack.com/methods', 'api.slack.com'],
  ])('is not on another host of Slack: %s', (url, host) => {
    const text = `has the host \`${host}\`, which takes no files. Write \`https://slack.com\`.`
    expect(refusal('base-url', url)).toBe(text)
  })
})

const zero =
  "\nAn input of type number that the caller of a reusable workflow does not give is 0: write `${{ inputs.name || '' }}` with its name."
const count = 'Write a whole number from 1 to 999999, such as `50`.'
const minutes = 'Write a number of minutes above 0 and below 1000, such as `10` or `0.5`.'
const methods = 'Write one of `auto`, `external`, `files.upload`.'
const policies = 'Write one of `error`, `warn`, `ignore`.'
const policiesOfFiles = 'Write one of `error`, `warn`, `ignore`, `comment`.'
const trueOrFalse = 'Write `true` or `false`.'
const refusals: readonly (readonly [name: string, values: readonly string[], remedy: string])[] = [
  [
    'comment-format',
    ['markdown', 'Markdown', 'md'],
    "Slack's own form is `mrkdwn`: `*bold*`, `<https://example.com|text>`. Write `mrkdwn`, or `plain`.",
  ],
  ['comment-format', ['html'], 'Write one of `mrkdwn`, `plain`.'],
  ['allow-broadcast', ['yes', '0', 'tRUE', 'truely', 'untrue', 'falsely', 'unfalse'], trueOrFalse],
  ['include-hidden-files', ['1'], trueOrFalse],
  ['dry-run', ['yes'], trueOrFalse],
  ['method', ['upload', 'my-uploadV2', 'uploadV2x', 'externalize'], methods],
  ['method', ['External', 'externl', 'externals', 'files.getUploadURLExternal'], 'Write `external`.'],
  ['method', ['files.uploadV2', 'filesUploadV2', 'upload_v2'], 'Write `external`.'],
  ['if-no-files-found', ['warning', 'warn,ignore'], policiesOfFiles],
  ['if-not-confirmed', ['Warn', 'warm'], 'Write `warn`.'],
  ['if-not-confirmed', ['was'], policies],
  ['max-files', ['-5', '05', '1000000', '5.', 'all'], count],
  ['max-files', ['0'], `${count}${zero}`],
  ['max-files', ['5MB', '10 kb', '1GiB'], `It is a number of files, not a size. ${count}`],
  ['timeout-minutes', ['0.0', '1000', '1.', '-1', '1e2', '30s', '10 min'], minutes],
  ['timeout-minutes', ['0'], `${minutes}${zero}`],
  ['on-rerun', ['skip'], 'Write one of `post`, `missing`.'],
]
test.each([
  ...refusals.flatMap(([name, values, remedy]) => values.map((value) => [name, value, `is \`${value}\`. ${remedy}`])),
  [
    'files',
    '\n # all\n#',
    "is empty. Write one pattern per line, such as `reports/**/*.csv`.\nIf an expression can be empty here, write `if: steps.x.outputs.y != ''` in this step, with its names, or `if-no-files-found: warn`. To post a text alone, use `slackapi/slack-github-action`.",
  ],
  ...rows(
    ['files.upload', 'files_upload', 'files.uplaod'],
    (value) => `is \`${value}\`, which Slack no longer offers. Write \`external\`, or remove the input.`,
  ).map((row) => ['method', ...row]),
])('%s may not be %j', (name = '', value = '', text) => {
  expect(refusal(name, value)).toBe(text)
})

test('the error about missing files names the input of another action', () => {
  expect(refusal('files', '', { path: '*.csv' })).toMatch(/^is empty: this action reads `files`, not `path`\. /)
})

test.each([
  [
    { comment: 'none\n' },
    'is `comment`, but there is no comment. Write one in `comment`, or `if-no-files-found: warn`.',
  ],
  [
    { 'base-url': 'https://chat.example.com' },
    "is `comment`, but `files.upload` posts no comment without a file. Write `if-no-files-found: warn`, or `method: external` if the server offers Slack's external upload.",
  ],
])('a comment alone needs the external upload and a comment: %j', (inputs, expected) => {
  expect(refusal('if-no-files-found', 'comment', inputs)).toBe(expected)
})

test('files.upload offers no lookup of what was posted, so on-rerun may be post only', () => {
  const server = { ...elsewhere, method: 'files.upload' }
  expect(inputsOf({ ...server, 'on-rerun': 'post' }).onRerun).toBe('post')
  expect(refusal('on-rerun', 'missing', server)).toBe(
    "is `missing`, but `files.upload` offers no lookup of what was posted. Write `on-rerun: post`, or `method: external` if the server offers Slack's external upload.",
  )
})
