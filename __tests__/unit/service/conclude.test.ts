import { describe, expect, test } from '@jest/globals'
import { conclude, type Evidence } from '../../../src/service/conclude.ts'
import { adviceFor } from '../../../src/service/errors/error-codes.ts'
import { createFailure } from '../../../src/service/errors/failures.ts'
import type { LookupResult } from '../../../src/service/record.ts'
import type { CallResult } from '../../../src/service/responses.ts'
import type { Message, PostResult } from '../../../src/service/service.ts'
import { filesToPoll, mustRepeat } from '../../../src/service/slack/completion.ts'
import { quoted, text } from '../../../src/text/text.ts'
import { read } from '../../support/repository.ts'
import { call, foundFile, host } from '../../support/scripted-service.ts'

const ts = '1760688662.900279'
const message = (inChannels: number, files = 2): Message => ({
  channels: ['C1', 'C2', 'C3'].slice(0, inChannels).map((id) => ({ id, requested: `#${id}` })),
  files: Array.from({ length: files }, (_, index) => ({
    file: foundFile(`${index}.csv`),
    id: `F${index}`,
  })),
})
const failure = (code: string, status = 200) =>
  createFailure(call, code, adviceFor(code, status).outcome ?? 'refused', { status })
const refused = (code: string, more = {}): CallResult => ({
  ...failure(code),
  outcome: 'refused',
  ...more,
})
const ok = (json: object): CallResult => ({
  outcome: 'succeeded',
  call,
  json: { ok: true, ...json },
})
const shares = (inChannels: number) => ({
  public: Object.fromEntries(['C1', 'C2', 'C3'].slice(0, inChannels).map((id) => [id, [{ ts }]])),
})

/** What the service responded to a completion, or to `files.upload`. */
const responses: Readonly<Record<string, (inChannels: number) => CallResult>> = {
  ok: () => ok({ files: [{ id: 'F0' }, { id: 'F1' }] }),
  'ok, no list': () => ok({}),
  'ok, short list': (inChannels) => ok({ files: [{ id: 'F0', shares: shares(inChannels) }] }),
  'rate limited': () => failure('ratelimited'),
  'not sent': () => ({ ...failure('http_503', 503), outcome: 'not sent' }),
  'refused everywhere': () => failure('invalid_auth'),
  'no such method': () => failure('unknown_method'),
  not_in_channel: () => refused('not_in_channel'),
  refused: () => refused('tea_time'),
  ambiguous: () => failure('http_500', 500),
  file_not_found: () => ({ ...failure('file_not_found'), outcome: 'ambiguous' }),
  'not_in_channel 5xx': () => ({ ...failure('not_in_channel', 500), outcome: 'ambiguous' }),
}

const seenIn = ({ channels }: Message, count: number): LookupResult => ({
  result: 'found',
  isReliable: true,
  aborted: false,
  sightings: channels.slice(0, count).map((channel) => ({ channel, ts })),
  records: [{ id: 'F0', size: 5 }],
  milliseconds: 89_700,
})

/** What lookups showed. */
const lookups: Readonly<Record<string, (what: Message) => LookupResult | undefined>> = {
  none: () => undefined,
  nowhere: (what) => seenIn(what, 0),
  'in one': (what) => seenIn(what, 1),
  'but one': (what) => seenIn(what, what.channels.length - 1),
  worked: (what) => ({ ...seenIn(what, 0), result: 'unknown', records: [] }),
  absent: (what) => ({ ...seenIn(what, 0), result: 'absent', records: [] }),
  'no result': (what) => ({
    ...seenIn(what, 0),
    result: 'unknown',
    isReliable: false,
    records: [],
  }),
  aborted: (what) => ({
    ...seenIn(what, 0),
    result: 'unknown',
    isReliable: false,
    aborted: true,
    records: [],
  }),
}

/**
 * What becomes of each channel: `+` posted, `a` accepted, `?` unknown, `-` not sent; before it, `R`
 * if it is repeated.
 */
function consequence(evidence: Evidence): string {
  const { postings, problems } = conclude(evidence)
  const signs = { posted: '+', accepted: 'a', unknown: '?', 'not-sent': '-' }
  const states = postings.map(({ state }) => signs[state]).join('')
  const isBad = (level: string | undefined) => level !== 'notice'
  expect(problems.filter(({ level }) => isBad(level)).length).toBe(/[?-]/.test(states) ? 1 : 0)
  return `${mustRepeat(evidence) ? 'R' : ''}${states}`
}

describe('What becomes of a message', () => {
  const table = (inChannels: number, repeated: boolean) => {
    const what = message(inChannels)
    const line = (name: string, cells: readonly string[]) =>
      [name.padEnd(18), ...cells.map((cell) => cell.padEnd(9))].join(' ').trimEnd()
    const rows = Object.entries(responses).map(([name, respond]) => {
      const evidence = { message: what, sent: respond(inChannels), repeated }
      // A lookup that is never made shows nothing.
      const isPossible = (seen: LookupResult | undefined) =>
        seen === undefined || filesToPoll(evidence).length > 0
      const seenBy = Object.values(lookups).map((look) => look(what))
      return line(
        name,
        seenBy.map((seen) => (isPossible(seen) ? consequence({ ...evidence, seen }) : '')),
      )
    })
    return [
      line(`${inChannels}${repeated ? ', repeated' : ''}`, Object.keys(lookups)),
      ...rows,
      '',
    ].join('\n')
  }

  test('follows from the response, what lookups showed, the number of channels, and whether it was repeated', () => {
    const tables = [table(1, false), table(3, false), table(3, true)]
    expect(`\n${tables.join('\n')}`).toMatchInlineSnapshot(`
"
1                  none      nowhere   in one    but one   worked    absent    no result aborted
ok                 a         ?         +         ?         ?         ?         a         ?
ok, no list        a         ?         +         ?         ?         ?         a         ?
ok, short list     ?         ?         +         ?         ?         ?         ?         ?
rate limited       -
not sent           -
refused everywhere -
no such method     -
not_in_channel     -
refused            -
ambiguous          ?         ?         +         ?         ?         R?        ?         ?
file_not_found     ?         ?         +         ?         ?         R?        ?         ?
not_in_channel 5xx ?         ?         +         ?         ?         R?        ?         ?

3                  none      nowhere   in one    but one   worked    absent    no result aborted
ok                 aaa       ???       +??       ++?       ???       ???       aaa       ???
ok, no list        aaa       ???       +??       ++?       ???       ???       aaa       ???
ok, short list     ???       ???       +??       ++?       ???       ???       ???       ???
rate limited       ---
not sent           ---
refused everywhere ---
no such method     ---
not_in_channel     ???       ???       +??       ++-       ???       ---       ???       ???
refused            ???       ???       +??       ++?       ???       ---       ???       ???
ambiguous          ???       ???       +??       ++?       ???       R???      ???       ???
file_not_found     ???       ???       +??       ++?       ???       R???      ???       ???
not_in_channel 5xx ???       ???       +??       ++?       ???       R???      ???       ???

3, repeated        none      nowhere   in one    but one   worked    absent    no result aborted
ok                 aaa       ???       +??       ++?       ???       ???       aaa       ???
ok, no list        aaa       ???       +??       ++?       ???       ???       aaa       ???
ok, short list     ???       ???       +??       ++?       ???       ???       ???       ???
rate limited       ???       ???       +??       ++?       ???       ???       ???       ???
not sent           ???       ???       +??       ++?       ???       ???       ???       ???
refused everywhere ???       ???       +??       ++?       ???       ???       ???       ???
no such method     ???       ???       +??       ++?       ???       ???       ???       ???
not_in_channel     ???       ???       +??       ++?       ???       ???       ???       ???
refused            ???       ???       +??       ++?       ???       ???       ???       ???
ambiguous          ???       ???       +??       ++?       ???       ???       ???       ???
file_not_found     ???       ???       +??       ++?       ???       ???       ???       ???
not_in_channel 5xx ???       ???       +??       ++?       ???       ???       ???       ???
"
`)
  })

  // An example of each row of the page, with the words of the page.
  test.each<[string, string, number, string, string]>([
    ['ok, but its list of files lacks some', 'anything else', 1, 'ok, short list', 'no result'],
    ['ok', 'no lookup, or none with a result', 1, 'ok', 'no result'],
    ['ok', 'anything else', 1, 'ok', 'nowhere'],
    [
      'refused because of a channel',
      'visible in all other channels',
      3,
      'not_in_channel',
      'but one',
    ],
    ['anything else', 'visible in some channels', 3, 'refused', 'but one'],
    ['a failure of the second completion', 'anything else', 1, 'refused', 'absent'],
    ['not sent, or certainly refused', 'no lookup', 1, 'refused', 'none'],
    ['refused', 'absent for 30 s', 3, 'refused', 'absent'],
    ['ambiguous', 'absent for 30 s', 1, 'ambiguous', 'absent'],
    ['anything else', 'anything else', 1, 'ambiguous', 'worked'],
  ])('is as docs/requests.md says: %s, %s', (response, look, inChannels, reply, shown) => {
    const what = message(inChannels)
    const sent = responses[reply]?.(inChannels) ?? ok({})
    const repeated = response.includes('second')
    const evidence = { message: what, sent, seen: lookups[shown]?.(what), repeated }
    const [state, ifWarned] = (['error', 'warn'] as const).map(
      (ifNotConfirmed) => conclude({ ...evidence, ifNotConfirmed }).postings.at(-1)?.state,
    )
    const decided =
      state === ifWarned
        ? `\`${state}\``
        : `\`if-not-confirmed\` decides: \`${state}\` or \`${ifWarned}\``
    const consequence = mustRepeat(evidence)
      ? 'completed once more; after `file_not_found` with the files uploaded again'
      : decided
    expect(read('docs/requests.md')).toContain(`\n| ${response} | ${look} | ${consequence} |\n`)
  })

  test('with another `if-not-confirmed` is accepted, with a warning', () => {
    const what = message(2)
    const evidence = { message: what, sent: responses['ok']?.(2) ?? ok({}), seen: seenIn(what, 1) }
    for (const ifNotConfirmed of ['warn', 'ignore'] as const) {
      const { postings, problems } = conclude({ ...evidence, ifNotConfirmed })
      expect(postings.map(({ state }) => state)).toEqual(['posted', 'accepted'])
      expect(problems).toMatchObject([{ level: 'warning' }])
    }
  })
})

test('A response that only repeats the channels of the request does not show the message', () => {
  const sent = ok({ files: ['F0', 'F1'].map((id) => ({ id, channels: ['C1'] })) })
  const evidence = { message: message(1), sent }
  expect(filesToPoll(evidence).map(({ id }) => id)).toEqual(['F0'])
  expect(consequence(evidence)).toBe('a')
})

test.each([
  ['2.5', '2.5'],
  [undefined, ts],
])('The ts is the last one that is known: lookups say %s', (later, expected) => {
  const what = message(1)
  const sent = ok({ files: [{ id: 'F0', shares: shares(1) }, { id: 'F1' }] })
  const seen = {
    ...seenIn(what, 1),
    sightings: [{ channel: { id: 'C1', requested: '#C1' }, ts: later }],
  }
  expect(conclude({ message: what, sent, seen }).postings).toMatchObject([{ ts: expected }])
})

describe('The files to look up', () => {
  const of = (sent: CallResult, { confirm = true, repeated = false, inChannels = 1 } = {}) => {
    const options = { ifNotConfirmed: confirm ? 'warn' : 'ignore', repeated } as const
    return filesToPoll({ message: message(inChannels, 3), sent, ...options }).map(({ id }) => id)
  }
  const listing = (...ids: string[]) => ok({ files: ids.map((id) => ({ id })) })

  test.each<[string, CallResult, object, string[]]>([
    ['the first', listing('F0', 'F1', 'F2'), {}, ['F0']],
    ['none without a check', listing('F0', 'F1', 'F2'), { confirm: false }, []],
    [
      'the first if it is shown in one of two channels',
      ok({ files: [{ id: 'F0', shares: shares(1) }, { id: 'F1' }, { id: 'F2' }] }),
      { inChannels: 2 },
      ['F0'],
    ],
    [
      'none if one is shown',
      ok({ files: [{ id: 'F0', shares: shares(1) }, { id: 'F1' }, { id: 'F2' }] }),
      {},
      [],
    ],
    ['all if the list lacks some', listing('F0', 'F2'), {}, ['F0', 'F1', 'F2']],
    [
      'all if the list is empty, also without a check',
      listing(),
      { confirm: false },
      ['F0', 'F1', 'F2'],
    ],
    ['all if there is no list', ok({}), {}, ['F0', 'F1', 'F2']],
    [
      'all if the list has no IDs',
      ok({ files: [{ id: 'F0' }, { title: 'b' }] }),
      {},
      ['F0', 'F1', 'F2'],
    ],
    ['none if there is no list and no check', ok({}), { confirm: false }, []],
    ['none of what was not sent', { ...failure('ratelimited'), outcome: 'not sent' }, {}, []],
    ['none after a certain refusal', refused('tea_time'), {}, []],
    [
      'all after a refusal of one of several channels',
      refused('tea_time'),
      { inChannels: 2 },
      ['F0', 'F1', 'F2'],
    ],
    ['none after a refusal for all', failure('invalid_auth'), { inChannels: 2 }, []],
    ['all after the repeat', refused('tea_time'), { repeated: true }, ['F0', 'F1', 'F2']],
    [
      'all after an ambiguous response',
      failure('http_500', 500),
      { confirm: false },
      ['F0', 'F1', 'F2'],
    ],
  ])('%s', (_what, sent, options, expected) => {
    expect(of(sent, options)).toEqual(expected)
  })
})

const lines = ({ problems }: PostResult) =>
  problems.flatMap((problem) => quoted(problem.text).split('\n'))
const titles = ({ problems }: PostResult) => problems.map(({ title }) => title)

describe('The result says', () => {
  const responded = `\`${host}\` responded \`tea_time\` to \`files.info\``

  test('what could not be posted where, with at most three files', () => {
    expect(lines(conclude({ message: message(1), sent: refused('tea_time') }))[0]).toBe(
      `\`out/0.csv\`, \`out/1.csv\` could not be posted to \`#C1\`: ${responded}.`,
    )
    expect(lines(conclude({ message: message(1, 3), sent: refused('tea_time') }))[0]).toContain(
      '`out/2.csv` could',
    )
    expect(lines(conclude({ message: message(1, 1), sent: refused('file_too_large') }))[0]).toMatch(
      /^`out\/0\.csv` \(5 B\) could not/,
    )
    expect(lines(conclude({ message: message(1, 4), sent: refused('tea_time') }))[0]).toMatch(
      /^4 files could/,
    )
  })

  test('that it leaves open which of several channels is meant', () => {
    const which = (inChannels: number, code: string, repeated: boolean) =>
      /which of them.*\n.*\nTo find out which channel: try one/.test(
        lines(conclude({ message: message(inChannels), sent: refused(code), repeated })).join('\n'),
      )
    expect([which(2, 'not_in_channel', true), which(1, 'not_in_channel', true)]).toEqual([
      true,
      false,
    ])
    expect([which(1, 'not_in_channel', false), which(2, 'tea_time', true)]).toEqual([false, false])
  })

  test('what to check after an unknown outcome, and which scope would have helped', () => {
    const unknown = conclude({ message: message(1, 1), sent: refused('tea_time'), repeated: true })
    expect(titles(unknown)).toEqual(['It is unknown whether the message was posted'])
    expect(lines(unknown)).toEqual([
      `\`out/0.csv\` may have been posted to \`#C1\`: ${responded}.`,
      'Check `#C1` before you run the step again: if the message is there, the step may post it a second time. This action does not know the error code. See `files.info` in the documentation of the service.',
    ])
    const lost = failure('http_500', 500)
    const seen = {
      ...seenIn(message(1), 0),
      result: 'unknown',
      isReliable: false,
      reason: text`x`,
    } as const
    const scope = 'With the scope `files:read`, the step could have checked this itself.'
    const [, advice = ''] = lines(
      conclude({ message: message(1), sent: lost, seen: { ...seen, lacksScope: true } }),
    )
    expect(advice).toBe(
      `Check \`#C1\` before you run the step again: if the message is there, the step may post it a second time. ${scope} See the status page of chat.example for when to try again.`,
    )
    const without = lines(conclude({ message: message(1), sent: lost, seen })).join()
    expect([without.includes(scope), without.includes(' The step could not see it: x. ')]).toEqual([
      false,
      true,
    ])
  })

  test.each([
    [[undefined], []],
    [[false, true], []],
    [
      [false],
      ['`#C1` has `out/0.csv`, but the service does not show the message in the thread `1.5`.'],
    ],
  ])('that it is not in the thread, if lookups did not show it there: %j', (places, expected) => {
    const what = { ...message(1, 1), threadTs: '1.5' }
    const seen = places.flatMap((isInPlace) =>
      seenIn(what, 1).sightings.map((sighting) => ({ ...sighting, isInPlace })),
    )
    const result = conclude({
      message: what,
      sent: ok({}),
      seen: { ...seenIn(what, 1), sightings: seen },
    })
    expect(result.postings).toMatchObject([{ state: 'posted' }])
    expect(lines(result).slice(0, 1)).toEqual(expected)
    expect(result.problems.map(({ level }) => level)).toEqual(expected.map(() => 'warning'))
  })

  test('only that it has not appeared, if no lookup showed it in any channel', () => {
    const what = { ...message(2), threadTs: '1.5' }
    const result = conclude({ message: what, sent: ok({}), seen: seenIn(what, 0) })
    expect(lines(result)).toEqual([
      'Within 90 s, no message with `out/0.csv`, `out/1.csv` was seen in `#C1`, `#C2`, although chat.example responded ok.',
      'Check `#C1`, `#C2` before you run the step again: the message may still appear. `if-not-confirmed: warn` makes this a warning.',
    ])
  })

  test('that the run ended before the message could be seen', () => {
    const what = message(1)
    const seen = { ...seenIn(what, 0), result: 'unknown', aborted: true, records: [] } as const
    expect(lines(conclude({ message: what, sent: ok({}), seen }))).toEqual([
      'chat.example responded ok, but the run ended before the step could see the message with `out/0.csv`, `out/1.csv` in `#C1`.',
      'Check `#C1` before you run the step again: the message may still appear.',
    ])
  })

  test('where it is, and where it is not or may come', () => {
    const certain = conclude({
      message: message(2),
      sent: refused('not_in_channel'),
      seen: seenIn(message(2), 1),
      repeated: true,
    })
    expect(titles(certain)).toEqual([
      'It is unknown whether the message was posted in every channel',
    ])
    expect(lines(certain).join('\n')).toMatch(
      /^The files are in `#C1`, and may still appear in `#C2`: .*\nCheck `#C2` before you run the step again, and leave out `#C1`: it may post the files there a second time\./,
    )
    const partial = conclude({
      message: message(2),
      sent: refused('not_in_channel'),
      seen: seenIn(message(2), 1),
    })
    expect(titles(partial)).toEqual(['The app is not in the channel'])
    expect(lines(partial).join('\n')).toMatch(
      /^The files are in `#C1`, but could not be posted to `#C2`: .*\nRun the step again for `#C2` only: in `#C1` it may post the files a second time\./,
    )
  })

  test('which files the response and the lookups described', () => {
    const records = [null, { id: 'F9', size: 1 }, { id: 'F1', permalink: 'https://chat.example/f' }]
    const result = conclude({
      message: message(1),
      sent: ok({ files: records }),
      seen: seenIn(message(1), 1),
    })
    expect(result.files).toEqual([
      { file: foundFile('0.csv'), id: 'F0' },
      { file: foundFile('1.csv'), id: 'F1', permalink: 'https://chat.example/f' },
    ])
  })

  test('that a file arrived damaged, whatever else, if it is empty at the service; another size is no damage', () => {
    const what = message(2)
    const listed = ok({ files: [{ id: 'F0' }, { id: 'F1' }] })
    const withSize = (size: number) => ({ ...seenIn(what, 2), records: [{ id: 'F0', size }] })
    for (const sent of [listed, failure('http_500', 500)]) {
      const result = conclude({ message: what, sent, seen: withSize(0) })
      expect(titles(result)).toEqual(['A file arrived damaged'])
      expect(lines(result)).toEqual([
        '`out/0.csv` has 5 bytes, but the service reports 0.',
        'Delete it in the channel, and run the step again.',
      ])
    }
    const empty = { ...what, files: [{ file: foundFile('0.csv', 0), id: 'F0' }] }
    expect(conclude({ message: empty, sent: listed, seen: withSize(0) }).problems).toEqual([])
    for (const size of [1, 8])
      expect(conclude({ message: what, sent: listed, seen: withSize(size) }).problems).toEqual([])
  })

  test('that not all files were seen', () => {
    const what = message(2)
    const sent = ok({ files: [{ id: 'F0' }] })
    const result = conclude({ message: what, sent, seen: seenIn(what, 1) })
    expect(titles(result)).toEqual(['It is unknown whether the message was posted'])
    expect(lines(result)).toEqual([
      'chat.example responded ok, but its response lists only some of the files, and not all of them were seen in `#C2`: `out/0.csv`, `out/1.csv`.',
      'Check `#C2` before you run the step again: if the message is there, the step may post it a second time. Leave out `#C1`, where it is.',
    ])
  })

  test('that the message has not appeared', () => {
    const what = message(2, 4)
    const warned = conclude({
      message: what,
      sent: ok({}),
      seen: seenIn(what, 1),
      ifNotConfirmed: 'warn',
    })
    const [first, second] = lines(warned)
    expect([first, second]).toEqual([
      'Within 90 s, no message with `out/0.csv`, `out/1.csv`, `out/2.csv` and 1 more was seen in `#C2`, although chat.example responded ok.',
      'Check `#C2` before you run the step again: the message may still appear. Leave out `#C1`, where it is.',
    ])
    const advice = `${second} \`if-not-confirmed: warn\` makes this a warning.`
    expect(lines(conclude({ message: what, sent: ok({}), seen: seenIn(what, 1) }))).toEqual([
      first,
      advice,
    ])
  })

  test.each([
    [
      'what the last lookup said, if it was an error',
      { reason: text`${'file_deleted'}` },
      'the last lookup: `file_deleted`',
    ],
    [
      'that the file was not processed',
      { records: [{ mimetype: '', filetype: '' }] },
      'chat.example has not processed the file yet',
    ],
  ])('%s', (_what, more, why) => {
    const sent = ok({ files: [{ id: 'F0' }, { id: 'F1' }] })
    const seen = { ...seenIn(message(1), 0), ...more }
    expect(lines(conclude({ message: message(1), sent, seen }))[0]).toContain(
      `responded ok (${why}).`,
    )
  })

  test.each([
    [
      { reason: text`${'x'}` },
      ', but did not say whether they are visible (`x`). There is no `ts` and no `permalink`.',
    ],
    [
      { lacksScope: true },
      '. With the scope `files:read` the step checks that they are visible, and sets `ts` and `permalink`: add it to the app, reinstall the app, and use the new token. Or set `if-not-confirmed: ignore` to hide this notice.',
    ],
  ])('that it could not be verified, as a notice: %j', (why, rest) => {
    const seen = { ...seenIn(message(1), 0), result: 'unknown', isReliable: false, ...why } as const
    const result = conclude({
      message: message(1),
      sent: ok({ files: [{ id: 'F0' }, { id: 'F1' }] }),
      seen,
    })
    expect(result.problems).toMatchObject([
      { level: 'notice', title: 'Could not verify that the files are visible' },
    ])
    expect(lines(result)).toEqual([`chat.example accepted the files${rest}`])
  })
})
