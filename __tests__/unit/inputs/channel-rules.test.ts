// What is wrong with channels and threads, and what to write instead: the whole text of every rule.
import { describe, expect, test } from '@jest/globals'
import { inputProblems, inputsOf, refusal, rows } from '../../support/with-inputs.ts'

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
    'lose paired quotes, which a form or a variable needs not: %s',
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

  const writeTheId =
    "Write the channel ID, such as `C0123456789`. It's at the bottom of the channel's details (click the channel name)."
  const isWord = (word: string) =>
    `not a channel ID. ${writeTheId} If it's a channel name, write \`'#${word}'\` with the quotes. Names have hyphens instead of spaces, such as \`#my-team\`.`
  const isNeither = `neither a channel ID nor a channel name. ${writeTheId}`
  const isVariable =
    "not the value of a variable. Write `${{ vars.NAME }}` with your variable's name, or for a list `${{ toJSON(…) }}`."
  const person =
    'not a channel. For a person, write their member ID, such as `U0123456789` (profile, three dots, Copy member ID).'
  const separate = 'not a channel. Remove it: commas, spaces and line breaks separate channels.'
  const isShort = `not a channel ID, which has nine characters or more, all of them digits or capital letters. ${writeTheId}`
  const isOther = `a webhook, or the ID of an app, a file, a workspace or an organization. None of these accepts files. ${writeTheId}`
  const write = (channels: string) => `not a channel. Write \`${channels}\` in its place.`
  test.each([
    ...rows(['general', '\u958b\u767a', 'DEPLOYMENTS-TEAM', 'C0123456789_x'], isWord),
    ...rows(['xC0123456789', 'XS0123456789', 'S0123456789x', 'XT0123456789'], isWord),
    ...rows(['C1234567', 'c0123456789', 'C01234567Ab'], isShort),
    ...rows(['$CHANNELID', '${CHANNEL}', '%CHANNEL%', '{{CHANNEL}}'], isVariable),
    ...rows(['a@b@c.example', 'team#general', 'general!', `#${'x'.repeat(81)}`], isNeither),
    ...rows(['#dev/ops', '#-', '#DEPLOYMENTS', '(DEPLOYMENTS)'], isNeither),
    ...rows(['"#general', '#general;', '#general\\n'], write("'#general'")),
    ['#u\u0308ber;', write("'#u\u0308ber'")],
    ...rows(
      ['#general;#releases', '#general#releases', '#general\\n#releases'],
      write("'#general, #releases'"),
    ),
    ['C0123456789;#releases', write("'C0123456789, #releases'")],
    ['C0123456789|D0123456789|C0123456789', write('C0123456789, D0123456789')],
    ...rows(['TAB1234567', 'E0123456789', 'A0123456789', 'B0123456789', 'F0123456789'], isOther),
    ...rows(
      ['@here', '@channel', '@everyone', '<!channel>', '<!subteam^S0123456789|@web>', 'SAB1234567'],
      `a mention or a user group. Both belong in the comment, such as \`<!here>\` or \`<!subteam^S0123456789>\`. ${writeTheId}`,
    ),
    ...rows(['@reviewer', 'jane.doe', 'team@example.com'], person),
    ...rows(['C0123456789|general', '"C0123456789', '#C0123456789'], write('C0123456789')),
    ...rows(['\u201c#general\u201d', '\u00ab#general\u00bb'], write("'#general'")),
    [
      'C0123456789:1715686740.441889',
      "not a channel. Write `C0123456789` in its place, and `thread-ts: '1715686740.441889'`.",
    ],
    ['C0123456789:1715686740', write('C0123456789')],
    ['<#C01234567AB|general>', write('C01234567AB')],
    ['https://team.slack.com/archives/GA12345678', write('GA12345678')],
  ])('are not %s', (channels, text) => {
    expect(refusal('channels', channels)).toBe(`contains \`${channels}\`: ${text}`)
  })

  test.each([
    ['https://hooks.slack.com/services/T0123456789/B0123456789/made-up', isOther],
    ['xoxb-C0123456789-made-up', isNeither],
    ['xapp-1-C0123456789-made-up', isNeither],
  ])('are not %s, which is not shown', (channels, text) => {
    expect(refusal('channels', channels)).toBe(`contains a secret (not shown): ${text}`)
  })

  test.each([
    ['vars.RELEASES', write('${{ vars.RELEASES }}')],
    ['null', isVariable],
  ])('are not %s among others', (entry, text) => {
    expect(refusal('channels', `C0123456789, ${entry}`)).toBe(`contains \`${entry}\`: ${text}`)
  })

  test('with the same mistake have one explanation', () => {
    expect(refusal('channels', 'C012 C034 C0123456789 #q&a U012 C056')).toBe(
      `contains \`C012\`, \`C034\`, \`U012\` and 1 more: ${isShort}\n\`channels\` contains \`#q&a\`: ${isNeither}`,
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

  test.each(['C0123456789 # general', '# general', 'C0123456789 #'])(
    'have no comment beside them: %j',
    (channels) => {
      const [comment] = /#.*/.exec(channels) ?? []
      expect(refusal('channels', channels)).toBe(
        `contains \`${comment}\`. If a variable follows the \`#\`, is it set? If that's a channel name, remove the space after \`#\`. If it's a comment, put it on its own line, above the channels.`,
      )
    },
  )

  test.each(['/', '&', 'and', 'or', '-;'])('are separated by commas, not by %s', (separator) => {
    expect(refusal('channels', `C0123456789 ${separator} #releases`)).toBe(
      `contains \`${separator}\`: ${separate}`,
    )
  })

  const example = '["C0123456789", "#releases"]'
  test.each([
    ...rows(
      ['[C0123456789, #releases]', '["C0123456789", "#releases",]'],
      "'C0123456789, #releases'",
    ),
    ['{C0123456789, D0123456789}', 'C0123456789, D0123456789'],
    ...rows(['[releases]', '["xoxb-C0123456789"'], example),
  ])('in brackets are JSON: not %s', (channels, line) => {
    for (const server of [{}, elsewhere]) {
      expect(refusal('channels', channels, server)).toBe(
        `is not valid JSON. Is a double quote missing, or is there a comma too many? Write \`${line}\`.`,
      )
    }
  })

  test.each([
    ['["C0123456789", 7]', '7'],
    ['[["C0123456789"]]', '["C0123456789"]'],
    [
      '{\n  "web": "C0123456789",\n  "api": "C1123456789"\n}',
      '{"web":"C0123456789","api":"C1123456789"}',
    ],
  ])('in a JSON list are strings: not %s', (channels, item) => {
    for (const server of [{}, elsewhere]) {
      expect(refusal('channels', channels, server)).toBe(
        `is JSON with \`${item}\`. Write a list of strings, such as \`${example}\`. To pick an entry of an object, write \`\${{ fromJSON(vars.CHANNELS)[matrix.team] }}\` with your names.`,
      )
    }
  })

  test('may be a JSON list', () => {
    const channels = '[\n"C0123456789", " #releases ", "C0123456789"\n]'
    expect(inputsOf({ channels }).channels).toEqual(['C0123456789', '#releases'])
    expect(inputsOf({ channels: '["#a #b", "#c,#d"]' }).channels).toEqual(['#a', '#b', '#c', '#d'])
    // There, an ID may hold a space.
    expect(inputsOf({ ...elsewhere, channels: '[" team room ", "c , d"]' }).channels).toEqual([
      'team room',
      'c',
      'd',
    ])
    expect(inputProblems({ ...elsewhere, channels: '["team room", ""]' })[0]).toContain(
      '`channels` has an empty entry besides `team room`.',
    )
    expect(refusal('channels', '["C0123456789", "/"]')).toBe(`contains \`/\`: ${separate}`)
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

describe.each([
  ['on Slack', {}],
  ['on another server', elsewhere],
])('channels %s', (_where, server) => {
  test('are needed', () => {
    expect(refusal('channels', ' ,\n', server)).toBe(
      "is empty. Write at least one channel, such as `channels: C0123456789` or `channels: '#general'`: without the quotes, YAML reads the name as a comment. If it comes from `vars.X`, is that variable set in this repository?",
    )
    expect(refusal('channels', '', { ...server, channel_id: 'C0123456789' })).toBe(
      'is empty: rename the input `channel_id` to `channels`.',
    )
  })

  test.each(['- C0123456789\n- C1123456789', 'C0123456789\n  -\tC1123456789'])(
    'are not a YAML list: %j',
    (channels) => {
      expect(refusal('channels', channels, server)).toBe(
        'is text, not a YAML list. Remove the leading `- `, and separate IDs by commas, spaces or line breaks.',
      )
    },
  )

  test.each([
    ['after the last comma', 'C0123456789, ', 'C0123456789'],
    ['between a comma and a line', 'C0123456789, \n,D0123456789', 'C0123456789, D0123456789'],
    ['on the first line', '\nC0123456789\n', 'C0123456789'],
    ['on the first lines', ' \n\n# more\nC0123456789, D0123456789\n', 'C0123456789, D0123456789'],
  ])('with nothing %s get a warning that names the others: %j', (_where, channels, others) => {
    expect(inputProblems({ ...server, channels })).toEqual([
      `warning: A channel is missing: \`channels\` has an empty entry besides \`${others}\`.\nIf it comes from a variable, is that variable set? If it's a name such as \`#releases\`, put the whole value in quotes: otherwise YAML reads the name as a comment. If nothing is missing, remove the comma or the blank line.`,
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

const suchAs = ", such as `'1760688662.900279'`: seconds and six decimals."
const rounded = `${suchAs} Without quotes, YAML may have dropped decimals.`
const meant = (ts: string) => `: \`'${ts}'\`.`
const link = 'https://x.slack.com/archives/C0123456789/p1760688700000000'
const inChannel = ' That message is in the channel `C9876543210`: `channels` must name it.'
test.each([
  ...rows(['1760688662.9', '1760688662.9002790', '17606886620.900279', '1.76069E+09'], rounded),
  ...rows(['p17606886629002790', '1760688662900', '1760688662'], suchAs),
  ['p1760688700000000', meant('1760688700.000000')],
  [link, meant('1760688700.000000')],
  [link.replace('C0123456789', 'C9876543210'), meant('1760688700.000000') + inChannel],
  ...rows(
    ['1760688999123456', '1760688999,123456', 'C0123456789:1760688999.123456'],
    meant('1760688999.123456'),
  ),
  [`${link}?thread_ts=1760688662.900279&cid=C01234567`, meant('1760688662.900279')],
])('on Slack, a thread-ts is not %s', (ts, remedy) => {
  expect(refusal('thread-ts', ts)).toBe(
    `is \`${ts}\`. Write the ts of the thread's first message, not of a reply, in quotes${remedy}`,
  )
})

describe('what an expression came out as is no value:', () => {
  test.each(['null', 'undefined', 'Array', 'Object'])('%j', (value) => {
    const cameOut = 'An expression returned this: does what it names exist, and is it text?'
    const wrong = {
      channels: `contains \`${value}\`: not the value of a variable. Write \`\${{ vars.NAME }}\` with your variable's name, or for a list \`\${{ toJSON(…) }}\`.`,
      'thread-ts': `is \`${value}\`. Write the ts of the thread's first message, not of a reply, in quotes${suchAs}`,
      'dry-run': `is \`${value}\`. Write \`true\` or \`false\`.`,
    }
    for (const [name, text] of Object.entries(wrong))
      expect(refusal(name, ` ${value}\n`)).toBe(`${text} ${cameOut}`)
    for (const name of ['channels', 'thread-ts'])
      expect(refusal(name, value, elsewhere)).toBe(`is \`${value}\`. ${cameOut}`)
    expect(inputsOf({ files: value, comment: value, title: value }).files).toBe(value)
  })

  test.each([
    ['{{ vars.NAME }}', 'vars.NAME'],
    ['${env.NAME}', 'env.NAME'],
    ["'inputs.post'", 'inputs.post'],
    ['{{ !github.event.release }}', '!github.event.release'],
    ["{{ inputs.a && inputs.b || 'x' }}", "inputs.a && inputs.b || 'x'"],
    ['steps.a.outputs.b-c'],
    ["github.event_name == 'push'"],
    ["! (github.ref != 'x')"],
    ["format('{0}', github.ref)"],
    ["success() && github.ref == 'x'"],
  ])('%s is a name', (value = '', expression = value) => {
    const isName = `is not a GitHub expression. Write \`\${{ ${expression} }}\`.`
    for (const name of ['channels', 'thread-ts', 'dry-run'])
      expect(refusal(name, value)).toBe(isName)
  })

  test.each(['not inputs.post', '(inputs.post', 'failure()', 'inputs.a, inputs.b', 'jane.doe'])(
    '%s is none',
    (value) => {
      expect(refusal('dry-run', value)).toBe(`is \`${value}\`. Write \`true\` or \`false\`.`)
    },
  )
})
