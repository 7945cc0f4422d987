// The whole text of every rule for channels and threads.
import { describe, expect, test } from '@jest/globals'
import { inputProblems, inputsOf, refusal, refusals } from '../../support/with-inputs.ts'

const elsewhere = { 'base-url': 'https://chat.example.com' }

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `C${String(index).padStart(10, '0')}`)

describe('channels on Slack', () => {
  test('may be IDs, separated by commas, spaces and line breaks, and named several times', () => {
    const channels =
      'C12345678, G0123456789\n  D0123456789 ,\tZ0123456789\nG0123456789 U0123456789 W0123456789 CABCDEFGHI\n'
    const ids = 'C12345678 G0123456789 D0123456789 Z0123456789 U0123456789 W0123456789 CABCDEFGHI'
    expect(inputsOf({ channels }).channels).toEqual(ids.split(' '))
  })

  test.each([" '#releases', 'C0123456789' ", '"#releases, C0123456789"'])(
    'lose paired quotes, which forms and variables do not need: %s',
    (channels) => {
      expect(inputsOf({ channels }).channels).toEqual(['#releases', 'C0123456789'])
    },
  )

  const names = '#Releases #\u00fcbersicht #u\u0308bersicht #\u958b\u767a-\u9023 #a.b_c-1 #1'
  test.each([...names.split(' '), `#${'x'.repeat(80)}`])('may have the name %s', (channels) => {
    expect(inputsOf({ channels: `C0123456789 ${channels}` }).channels).toEqual([
      'C0123456789',
      channels,
    ])
  })

  test('are none of these', () => {
    const values = `
general
\u958b\u767a
DEPLOYMENTS-TEAM
C0123456789_x
xC0123456789
XS0123456789
S0123456789x
XT0123456789
C1234567
c0123456789
C01234567Ab
$CHANNELID
\${CHANNEL}
%CHANNEL%
{{CHANNEL}}
C0123456789, null
a@b@c.example
team#general
general!
#xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
#dev/ops
#-
#DEPLOYMENTS
(DEPLOYMENTS)
"#general
#general;
#general\\n
#u\u0308ber;
\u201c#general\u201d
\u00ab#general\u00bb
#general;#releases
#general#releases
#general\\n#releases
C0123456789;#releases
C0123456789|D0123456789|C0123456789
C0123456789|general
"C0123456789
#C0123456789
C0123456789:1715686740
C0123456789:1715686740.441889
<#C01234567AB|general>
https://team.slack.com/archives/GA12345678
C0123456789, vars.RELEASES
TAB1234567
E0123456789
A0123456789
B0123456789
F0123456789
@here
@channel
@everyone
<!channel>
<!subteam^S0123456789|@web>
SAB1234567
@reviewer
jane.doe
team@example.com
https://hooks.slack.com/services/T0123456789/B0123456789/made-up
xoxb-C0123456789-made-up
xapp-1-C0123456789-made-up
C0123456789 # general
# general
C0123456789 #
C0123456789 / #releases
C0123456789 & #releases
C0123456789 and #releases
C0123456789 or #releases
C0123456789 -; #releases
["C0123456789", "/"]
#team-*
!C0123456789, C9876543210
`
    expect(refusals('channels', values)).toMatchInlineSnapshot(`
"contains \`…\`: not a channel ID. Write the channel ID, like \`C0123456789\`. It's at the bottom of the channel's details (click the channel name). If it's a channel name, write \`'#general'\` with the quotes. Names have hyphens instead of spaces, like \`#my-team\`.
    general
contains \`…\`: not a channel ID. Write the channel ID, like \`C0123456789\`. It's at the bottom of the channel's details (click the channel name). If it's a channel name, write \`'#開発'\` with the quotes. Names have hyphens instead of spaces, like \`#my-team\`.
    開発
contains \`…\`: not a channel ID. Write the channel ID, like \`C0123456789\`. It's at the bottom of the channel's details (click the channel name). If it's a channel name, write \`'#DEPLOYMENTS-TEAM'\` with the quotes. Names have hyphens instead of spaces, like \`#my-team\`.
    DEPLOYMENTS-TEAM
contains \`…\`: not a channel ID. Write the channel ID, like \`C0123456789\`. It's at the bottom of the channel's details (click the channel name). If it's a channel name, write \`'#C0123456789_x'\` with the quotes. Names have hyphens instead of spaces, like \`#my-team\`.
    C0123456789_x
contains \`…\`: not a channel ID. Write the channel ID, like \`C0123456789\`. It's at the bottom of the channel's details (click the channel name). If it's a channel name, write \`'#xC0123456789'\` with the quotes. Names have hyphens instead of spaces, like \`#my-team\`.
    xC0123456789
contains \`…\`: not a channel ID. Write the channel ID, like \`C0123456789\`. It's at the bottom of the channel's details (click the channel name). If it's a channel name, write \`'#XS0123456789'\` with the quotes. Names have hyphens instead of spaces, like \`#my-team\`.
    XS0123456789
contains \`…\`: not a channel ID. Write the channel ID, like \`C0123456789\`. It's at the bottom of the channel's details (click the channel name). If it's a channel name, write \`'#S0123456789x'\` with the quotes. Names have hyphens instead of spaces, like \`#my-team\`.
    S0123456789x
contains \`…\`: not a channel ID. Write the channel ID, like \`C0123456789\`. It's at the bottom of the channel's details (click the channel name). If it's a channel name, write \`'#XT0123456789'\` with the quotes. Names have hyphens instead of spaces, like \`#my-team\`.
    XT0123456789
contains \`…\`: not a channel ID, which has nine characters or more, all of them digits or capital letters. Write the channel ID, like \`C0123456789\`. It's at the bottom of the channel's details (click the channel name).
    C1234567
    c0123456789
    C01234567Ab
contains \`…\`: not the value of a variable. Write \`\${{ vars.NAME }}\` with your variable's name, or for a list \`\${{ toJSON(…) }}\`.
    $CHANNELID
    \${CHANNEL}
    %CHANNEL%
    {{CHANNEL}}
contains \`null\`: not the value of a variable. Write \`\${{ vars.NAME }}\` with your variable's name, or for a list \`\${{ toJSON(…) }}\`.
    C0123456789, null
contains \`…\`: neither a channel ID nor a channel name. Commas, spaces and line breaks separate channels. Write the channel ID, like \`C0123456789\`. It's at the bottom of the channel's details (click the channel name).
    a@b@c.example
    team#general
    general!
    #xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    #dev/ops
    #-
    #DEPLOYMENTS
    (DEPLOYMENTS)
    "#general
    #general;
    #general\\n
    #über;
    “#general”
    «#general»
    #general;#releases
    #general#releases
    #general\\n#releases
    C0123456789;#releases
    C0123456789|D0123456789|C0123456789
    C0123456789|general
    "C0123456789
    #C0123456789
    C0123456789:1715686740
    C0123456789:1715686740.441889
    <#C01234567AB|general>
    https://team.slack.com/archives/GA12345678
contains \`vars.RELEASES\`: not a channel. Write \`\${{ vars.RELEASES }}\` in its place.
    C0123456789, vars.RELEASES
contains \`…\`: a webhook, or the ID of an app, a file, a workspace or an organization. None of these accepts files. Write the channel ID, like \`C0123456789\`. It's at the bottom of the channel's details (click the channel name).
    TAB1234567
    E0123456789
    A0123456789
    B0123456789
    F0123456789
contains \`…\`: a mention or a user group. Both belong in the comment, like \`<!here>\` or \`<!subteam^S0123456789>\`. Write the channel ID, like \`C0123456789\`. It's at the bottom of the channel's details (click the channel name).
    @here
    @channel
    @everyone
    <!channel>
    <!subteam^S0123456789|@web>
    SAB1234567
contains \`…\`: not a channel. For a person, write their member ID, like \`U0123456789\` (profile, three dots, Copy member ID).
    @reviewer
    jane.doe
    team@example.com
contains a secret (not shown): a webhook, or the ID of an app, a file, a workspace or an organization. None of these accepts files. Write the channel ID, like \`C0123456789\`. It's at the bottom of the channel's details (click the channel name).
    https://hooks.slack.com/services/T0123456789/B0123456789/made-up
contains a secret (not shown): neither a channel ID nor a channel name. Commas, spaces and line breaks separate channels. Write the channel ID, like \`C0123456789\`. It's at the bottom of the channel's details (click the channel name).
    xoxb-C0123456789-made-up
    xapp-1-C0123456789-made-up
contains \`# general\`. If a variable follows the \`#\`, is it set? If that's a channel name, remove the space after \`#\`. If it's a comment, put it on its own line, above the channels.
    C0123456789 # general
contains \`…\`. If a variable follows the \`#\`, is it set? If that's a channel name, remove the space after \`#\`. If it's a comment, put it on its own line, above the channels.
    # general
contains \`#\`. If a variable follows the \`#\`, is it set? If that's a channel name, remove the space after \`#\`. If it's a comment, put it on its own line, above the channels.
    C0123456789 #
contains \`/\`: not a channel. Remove it: commas, spaces and line breaks separate channels.
    C0123456789 / #releases
    ["C0123456789", "/"]
contains \`&\`: not a channel. Remove it: commas, spaces and line breaks separate channels.
    C0123456789 & #releases
contains \`and\`: not a channel. Remove it: commas, spaces and line breaks separate channels.
    C0123456789 and #releases
contains \`or\`: not a channel. Remove it: commas, spaces and line breaks separate channels.
    C0123456789 or #releases
contains \`-;\`: not a channel. Remove it: commas, spaces and line breaks separate channels.
    C0123456789 -; #releases
contains \`…\`: not a channel: \`!\` and \`*\` mean nothing here. Write each channel that gets the files.
    #team-*
contains \`!C0123456789\`: not a channel: \`!\` and \`*\` mean nothing here. Write each channel that gets the files.
    !C0123456789, C9876543210"
`)
  })

  test('with the same mistake have one explanation', () => {
    expect(refusal('channels', 'C012 C034 C0123456789 #q&a U012 C056 #q&b')).toEqual(
      expect.stringMatching(
        /^contains `C012`, `C034`, `U012` and 1 more: not a channel ID.*\n`channels` contains `#q&a`, `#q&b`: neither/,
      ),
    )
  })

  test('are at most 100, which an error says instead of naming each', () => {
    expect(inputsOf({ channels: [...numbered(100), ...numbered(100)].join() }).channels).toEqual(
      numbered(100),
    )
    expect(refusal('channels', ['bad', ...numbered(100)].join())).toBe(
      'has 101 channels, but a message can go to at most 100. Use several steps.',
    )
  })

  test('may be a JSON list', () => {
    const channels = '[\n"C0123456789", " #releases ", "C0123456789"\n]'
    expect(inputsOf({ channels }).channels).toEqual(['C0123456789', '#releases'])
    expect(inputsOf({ channels: '["#a #b", "#c,#d"]' }).channels).toEqual(['#a', '#b', '#c', '#d'])
    // On other servers, an ID may contain a space.
    expect(inputsOf({ ...elsewhere, channels: '[" team room ", "c , d"]' }).channels).toEqual([
      'team room',
      'c',
      'd',
    ])
    expect(inputProblems({ ...elsewhere, channels: '["team room", ""]' })[0]).toContain(
      '`channels` has an empty entry besides `team room`.',
    )
    expect(inputProblems({ channels: '["C0123456789", ""]' })[0]).toContain(
      '`channels` has an empty entry besides `C0123456789`.',
    )
  })
})

test('channels on another server are any text without commas and white space, in any number', () => {
  const channels = 'general,team/7 42 #random @reviewer -x a-b https://chat.example.com/c/1'
  expect(inputsOf({ ...elsewhere, channels }).channels).toEqual(channels.split(/[ ,]/))
  expect(inputsOf({ ...elsewhere, channels: numbered(101).join() }).channels).toEqual(numbered(101))
})

test('channels on any server are none of these', () => {
  const values = `
[C0123456789, #releases]
["C0123456789", "#releases",]
{C0123456789, D0123456789}
[releases]
["xoxb-C0123456789"
["C0123456789", 7]
[["C0123456789"]]
{⏎  "web": "C0123456789",⏎  "api": "C1123456789"⏎}
 ,⏎
- C0123456789⏎- C1123456789
C0123456789⏎  -	C1123456789
`
  expect(refusals('channels', values)).toMatchInlineSnapshot(`
"is not valid JSON. Is a double quote missing, or is there a comma too many? Write a list like \`["C0123456789", "#releases"]\`.
    [C0123456789, #releases]
    ["C0123456789", "#releases",]
    {C0123456789, D0123456789}
    [releases]
    ["xoxb-C0123456789"
is JSON with \`7\`. Write a list of strings, like \`["C0123456789", "#releases"]\`. To pick an entry of an object, write \`\${{ fromJSON(vars.CHANNELS)[matrix.team] }}\` with your names.
    ["C0123456789", 7]
is JSON with \`["C0123456789"]\`. Write a list of strings, like \`["C0123456789", "#releases"]\`. To pick an entry of an object, write \`\${{ fromJSON(vars.CHANNELS)[matrix.team] }}\` with your names.
    [["C0123456789"]]
is JSON with \`{"web":"C0123456789","api":"C1123456789"}\`. Write a list of strings, like \`["C0123456789", "#releases"]\`. To pick an entry of an object, write \`\${{ fromJSON(vars.CHANNELS)[matrix.team] }}\` with your names.
    {⏎  "web": "C0123456789",⏎  "api": "C1123456789"⏎}
is empty. Write at least one channel, like \`channels: C0123456789\` or \`channels: '#general'\`: without the quotes, YAML reads the name as a comment. If it comes from \`vars.X\`, is that variable set in this repository?
     ,⏎
is text, not a YAML list. Remove the leading \`- \`, and separate IDs by commas, spaces or line breaks.
    - C0123456789⏎- C1123456789
    C0123456789⏎  -<9>C1123456789"
`)
  const withQuotes = values
    .replace('[C0123456789, #releases]\n', '')
    .replace('{C0123456789, D0123456789}\n', '')
    .replace('[releases]\n', '')
  expect(refusals('channels', withQuotes, elsewhere)).toBe(refusals('channels', withQuotes))
})

test('channels of another server can begin with { or [', () => {
  const { channels } = inputsOf({ ...elsewhere, channels: '{1b4e-28ba}, [web]' })
  expect(channels).toEqual(['{1b4e-28ba}', '[web]'])
})

describe.each([
  ['on Slack', {}],
  ['on another server', elsewhere],
])('channels %s', (_where, server) => {
  test('that are empty name the input of another action', () => {
    expect(refusal('channels', '', { ...server, channel_id: 'C0123456789' })).toBe(
      'is empty: rename the input `channel_id` to `channels`.',
    )
  })

  test.each([
    ['after the last comma', 'C0123456789, ', 'C0123456789'],
    ['between a comma and a line', 'C0123456789, \n,D0123456789', 'C0123456789, D0123456789'],
    ['on the first line', '\nC0123456789\n', 'C0123456789'],
    ['on the first lines', ' \n\n# more\nC0123456789, D0123456789\n', 'C0123456789, D0123456789'],
  ])('with nothing %s get a warning that names the others: %j', (_where, channels, others) => {
    expect(inputProblems({ ...server, channels })).toEqual([
      `warning: A channel is missing: \`channels\` has an empty entry besides \`${others}\`.\nIf it comes from a variable, is that variable set? If it's a name like \`#releases\`, put the whole value in quotes: otherwise YAML reads the name as a comment. If nothing is missing, remove the comma or the blank line.`,
    ])
  })

  test.each(['\n', ' ', '\n# all\n'])('that are empty get no warning besides: %j', (channels) => {
    expect(inputProblems({ ...server, channels })).toHaveLength(1)
  })

  test.each(['C0123456789\n\nD0123456789', 'C0123456789,\nD0123456789\n', '# all\nC0123456789'])(
    'may have blank lines: %j',
    (channels) => {
      expect(inputProblems({ ...server, channels })).toEqual([])
    },
  )

  test('are one if there is a thread-ts', () => {
    const channels = 'C0123456789 D0123456789'
    expect(refusal('thread-ts', '1760688662.900279', { ...server, channels })).toBe(
      'needs exactly one channel, but `channels` has 2. Use one step for each thread.',
    )
  })

  test.each([
    '"C0123456789, D0123456789\\r\\n"',
    '# all\nC0123456789\n  # of one team: #web, #api\n#\nD0123456789',
  ])('lose what is around them: %j', (channels) => {
    expect(inputsOf({ ...server, channels }).channels).toEqual(['C0123456789', 'D0123456789'])
    expect(inputProblems({ ...server, channels })).toEqual([])
  })
})

test.each(["'1760688662.900279'", '"1760688662.900279\\n"'])(
  'a thread-ts loses paired quotes, and those of JSON: %s',
  (ts) => {
    expect(inputsOf({ 'thread-ts': ts }).threadTs).toBe('1760688662.900279')
    expect(inputsOf({ ...elsewhere, 'thread-ts': ts }).threadTs).toBe('1760688662.900279')
  },
)

test('on Slack, a thread-ts is none of these', () => {
  const values = `
1760688662.9
1760688662.9002790
17606886620.900279
1.76069E+09
p17606886629002790
1760688662900
1760688662
p1760688700000000
https://x.slack.com/archives/C0123456789/p1760688700000000
https://x.slack.com/archives/C9876543210/p1760688700000000
1760688999123456
1760688999,123456
C0123456789:1760688999.123456
https://x.slack.com/archives/C0123456789/p1760688700000000?thread_ts=1760688662.900279&cid=C01234567
[{"channel":"C0123456789","ts":"1760688662.900279"}]
{"ts":"1760688662.900279"}
`
  expect(refusals('thread-ts', values)).toMatchInlineSnapshot(`
"is \`…\`. Write the ts of the thread's first message, not of a reply, in quotes, like \`'1760688662.900279'\`: seconds and six decimals. Without quotes, YAML may have dropped decimals.
    1760688662.9
    1760688662.9002790
    17606886620.900279
    1.76069E+09
is \`…\`. Write the ts of the thread's first message, not of a reply, in quotes, like \`'1760688662.900279'\`: seconds and six decimals.
    p17606886629002790
    1760688662900
    1760688662
is \`…\`. Write the ts of the thread's first message, not of a reply, in quotes: \`'1760688700.000000'\`.
    p1760688700000000
is \`…\`. Write the ts of the thread's first message, not of a reply, in quotes: \`'1760688700.000000'\`. If it comes from an earlier step, write its output \`ts\`.
    https://x.slack.com/archives/C0123456789/p1760688700000000
is \`…\`. Write the ts of the thread's first message, not of a reply, in quotes: \`'1760688700.000000'\`. If it comes from an earlier step, write its output \`ts\`. That message is in the channel \`C9876543210\`: \`channels\` must name it.
    https://x.slack.com/archives/C9876543210/p1760688700000000
is \`…\`. Write the ts of the thread's first message, not of a reply, in quotes: \`'1760688999.123456'\`.
    1760688999123456
    1760688999,123456
    C0123456789:1760688999.123456
is \`…\`. Write the ts of the thread's first message, not of a reply, in quotes: \`'1760688662.900279'\`. If it comes from an earlier step, write its output \`ts\`.
    https://x.slack.com/archives/C0123456789/p1760688700000000?thread_ts=1760688662.900279&cid=C01234567
is \`…\`. Write the output \`ts\` of the step that posted the message.
    [{"channel":"C0123456789","ts":"1760688662.900279"}]
    {"ts":"1760688662.900279"}"
`)
})

describe('what an expression came out as is no value:', () => {
  test.each(['null', 'undefined', 'Array', 'Object'])('%j', (value) => {
    const cameOut = 'An expression returned this: does what it names exist, and is it text?'
    const wrong = {
      channels: `contains \`${value}\`: not the value of a variable. Write \`\${{ vars.NAME }}\` with your variable's name, or for a list \`\${{ toJSON(…) }}\`.`,
      'thread-ts': `is \`${value}\`. Write the ts of the thread's first message, not of a reply, in quotes, like \`'1760688662.900279'\`: seconds and six decimals.`,
      'dry-run': `is \`${value}\`. Write \`true\` or \`false\`.`,
    }
    for (const [name, text] of Object.entries(wrong))
      expect(refusal(name, ` ${value}\n`)).toBe(`${text} ${cameOut}`)
    for (const name of ['channels', 'thread-ts'])
      expect(refusal(name, value, elsewhere)).toBe(`is \`${value}\`. ${cameOut}`)
    expect(inputsOf({ files: value, comment: value, title: value }).files).toBe(value)
  })

  test('an expression without its marks is named', () => {
    for (const name of ['channels', 'thread-ts', 'dry-run'])
      expect(refusal(name, '{{ vars.NAME }}')).toBe(
        'is not a GitHub expression. Write `${{ vars.NAME }}`.',
      )
  })
})
