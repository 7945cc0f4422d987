import { describe, expect, test } from '@jest/globals'
import { uniqueProblems } from '../../../src/problem.ts'
import { conclude, type SentMessage } from '../../../src/service/conclude.ts'
import { adviceFor } from '../../../src/service/errors/error-codes.ts'
import { createFailure } from '../../../src/service/errors/failures.ts'
import type { LookupResult } from '../../../src/service/record.ts'
import type { CallResult } from '../../../src/service/responses.ts'
import type { Message, PostResult } from '../../../src/service/service.ts'
import { filesToPoll, mustRepeat } from '../../../src/service/slack/completion.ts'
import { quoted, text } from '../../../src/text/text.ts'
import { grid } from '../../support/grid.ts'
import { read } from '../../support/repository.ts'
import { call, foundFile } from '../../support/scripted-service.ts'

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
  ...call,
  outcome: 'succeeded',
  json: { ok: true, ...json },
})
const shares = (inChannels: number) => ({
  public: Object.fromEntries(['C1', 'C2', 'C3'].slice(0, inChannels).map((id) => [id, [{ ts }]])),
})

/** Responses to a completion or to `files.upload`. */
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
  isAbsent: false,
  isConclusive: true,
  aborted: false,
  sightings: channels.slice(0, count).map((channel) => ({ channel, ts })),
  records: [{ id: 'F0', size: 5 }],
  milliseconds: 89_700,
})

/** Results of lookups. */
const lookups: Readonly<Record<string, (what: Message) => LookupResult | undefined>> = {
  none: () => undefined,
  nowhere: (what) => seenIn(what, 0),
  'in one': (what) => seenIn(what, 1),
  'but one': (what) => seenIn(what, what.channels.length - 1),
  worked: (what) => ({ ...seenIn(what, 0), records: [] }),
  absent: (what) => ({ ...seenIn(what, 0), isAbsent: true, records: [] }),
  'no result': (what) => ({
    ...seenIn(what, 0),
    isConclusive: false,
    records: [],
  }),
  aborted: (what) => ({
    ...seenIn(what, 0),
    isConclusive: false,
    aborted: true,
    records: [],
  }),
}

/**
 * For each channel, `+` posted, `a` accepted, `?` unknown, `-` not sent; `R` before it if the
 * message is posted again.
 */
function consequence(sentMessage: SentMessage): string {
  const { postings, problems } = conclude(sentMessage)
  const signs = { posted: '+', accepted: 'a', unknown: '?', 'not-sent': '-' }
  const states = postings.map(({ state }) => signs[state]).join('')
  const isBad = (level: string | undefined) => level !== 'notice'
  expect(problems.filter(({ level }) => isBad(level)).length).toBe(/[?-]/.test(states) ? 1 : 0)
  return `${mustRepeat(sentMessage) ? 'R' : ''}${states}`
}

describe('What becomes of a message', () => {
  const table = (inChannels: number, repeated: boolean) => {
    const what = message(inChannels)
    const line = (name: string, cells: readonly string[]) =>
      [name.padEnd(18), ...cells.map((cell) => cell.padEnd(9))].join(' ').trimEnd()
    const rows = Object.entries(responses).map(([name, respond]) => {
      const sentMessage = { message: what, sent: respond(inChannels), repeated }
      // Without files to poll, there is no lookup.
      const isPossible = (lookup: LookupResult | undefined) =>
        lookup === undefined || filesToPoll(sentMessage).length > 0
      const seenBy = Object.values(lookups).map((look) => look(what))
      return line(
        name,
        seenBy.map((lookup) => (isPossible(lookup) ? consequence({ ...sentMessage, lookup }) : '')),
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

  // An example of each row on the page, in its words.
  const ofThePage = `
ok, but its list of files lacks some | anything else | 1 | ok, short list | no result
ok | something, or the run ended during the lookups | 1 | ok | nowhere
ok | something, or the run ended during the lookups | 1 | ok | aborted
ok | no lookup, or none with a result | 1 | ok | no result
a failure of the second completion | anything else | 1 | refused | absent
a failure of the second completion | anything else | 3 | not_in_channel | but one
refused because of a channel | visible in all other channels | 3 | not_in_channel | but one
anything else | visible in some channels | 3 | refused | but one
not sent, or certainly refused | no lookup | 1 | refused | none
refused | absent for 30 s | 3 | refused | absent
ambiguous | absent for 30 s | 1 | ambiguous | absent
anything else | anything else | 1 | ambiguous | worked
`
  test.each(ofThePage.trim().split('\n'))('is as docs/requests.md says: %s', (row) => {
    const [response = '', look, count, reply = '', shown = ''] = row.split(' | ')
    const inChannels = Number(count)
    const what = message(inChannels)
    const sent = responses[reply]?.(inChannels) ?? ok({})
    const repeated = response.includes('second')
    const sentMessage = { message: what, sent, lookup: lookups[shown]?.(what), repeated }
    const [state, ifWarned] = (['error', 'warn'] as const).map(
      (ifNotConfirmed) => conclude({ ...sentMessage, ifNotConfirmed }).postings.at(-1)?.state,
    )
    const decided =
      state === ifWarned
        ? `\`${state}\``
        : `\`if-not-confirmed\` decides: \`${state}\` or \`${ifWarned}\``
    const consequence = mustRepeat(sentMessage)
      ? 'completed once more; after `file_not_found` with the files uploaded again'
      : decided
    expect(read('docs/requests.md')).toContain(`\n| ${response} | ${look} | ${consequence} |\n`)
  })

  test('with another `if-not-confirmed` is accepted, with a warning', () => {
    const what = message(2)
    const sentMessage = {
      message: what,
      sent: responses['ok']?.(2) ?? ok({}),
      lookup: seenIn(what, 1),
    }
    for (const ifNotConfirmed of ['warn', 'ignore'] as const) {
      const { postings, problems } = conclude({ ...sentMessage, ifNotConfirmed })
      expect(postings.map(({ state }) => state)).toEqual(['posted', 'accepted'])
      expect(problems).toMatchObject([{ level: 'warning' }])
    }
  })
})

test('Messages that are not seen have a problem each, however many files they have', () => {
  const unseen = message(1, 10)
  const other = { ...unseen, files: unseen.files.toReversed() }
  const problems = [unseen, other].flatMap(
    (what) => conclude({ message: what, sent: ok({}), lookup: seenIn(what, 0) }).problems,
  )
  expect(uniqueProblems(problems)).toHaveLength(2)
})

test.each([
  ['2.5', '2.5'],
  [undefined, ts],
])('The ts is the last one that is known: lookups say %s', (later, expected) => {
  const what = message(1)
  const sent = ok({ files: [{ id: 'F0', shares: shares(1) }, { id: 'F1' }] })
  const lookup = {
    ...seenIn(what, 1),
    sightings: [{ channel: { id: 'C1', requested: '#C1' }, ts: later }],
  }
  expect(conclude({ message: what, sent, lookup }).postings).toMatchObject([{ ts: expected }])
})

const lines = ({ problems }: PostResult) =>
  problems.flatMap((problem) => quoted(problem.text).split('\n'))
const titles = ({ problems }: PostResult) => problems.map(({ title }) => title)

describe('The result says', () => {
  const told: Readonly<Record<string, Partial<LookupResult>>> = {
    'an outage': { isConclusive: false, reason: text`x` },
    'no scope': { isConclusive: false, lacksScope: true },
    file_deleted: { reason: text`${'file_deleted'}` },
    unprocessed: { records: [{ mimetype: '', filetype: '' }] },
  }

  test('what is where, what is not, and what may still come', async () => {
    const outcomes = `
1 channel, 1 file; file_too_large; none
1 channel, 2 files; refused; none
1 channel, 3 files; refused; none
1 channel, 4 files; refused; none
1 channel, 2 files; not_in_channel; none; repeated
1 channel, 2 files; not_in_channel; none
2 channels, 2 files; not_in_channel; none; repeated
2 channels, 2 files; refused; none; repeated
2 channels, 2 files; not_in_channel; in one; repeated
2 channels, 2 files; not_in_channel; in one
2 channels, 2 files; ok, no list; nowhere
2 channels, 2 files; ok, no list; nowhere; in a thread
1 channel, 2 files; ok, no list; aborted
2 channels, 2 files; ok, short list; in one
2 channels, 4 files; ok, no list; in one
2 channels, 4 files; ok, no list; in one; if-not-confirmed: warn
1 channel, 1 file; refused; none; repeated
1 channel, 2 files; ambiguous; no scope
1 channel, 2 files; ambiguous; an outage
1 channel, 2 files; ok; file_deleted
1 channel, 2 files; ok; unprocessed
1 channel, 2 files; ok; an outage
1 channel, 2 files; ok; no scope
`
    const shown = await grid(outcomes, (line) => {
      const [size = '', reply = '', look = '', option = ''] = line.split('; ')
      const [inChannels = 1, files = 1] = (size.match(/\d/g) ?? []).map(Number)
      const what = {
        ...message(inChannels, files),
        ...(option === 'in a thread' && { threadTs: '1.5' }),
      }
      const result = conclude({
        message: what,
        sent: responses[reply]?.(inChannels) ?? refused(reply),
        lookup: lookups[look]?.(what) ?? (told[look] && { ...seenIn(what, 0), ...told[look] }),
        repeated: option === 'repeated',
        ...(option.endsWith('warn') && { ifNotConfirmed: 'warn' }),
      })
      const shownTitles = result.problems.map((problem) => `${problem.level}: ${problem.title}`)
      return [...shownTitles, ...lines(result)].join('⏎')
    })
    expect(shown).toMatchInlineSnapshot(`
"1 channel, 1 file; file_too_large; none
    error: The file is too large for the service⏎\`out/0.csv\` (5 B) could not be posted to \`#C1\`: \`chat.example:8443\` responded \`file_too_large\` to \`files.info\`.⏎Send a smaller file, like a ZIP archive.
1 channel, 2 files; refused; none
    error: The service refused the request⏎\`out/0.csv\`, \`out/1.csv\` could not be posted to \`#C1\`: \`chat.example:8443\` responded \`tea_time\` to \`files.info\`.⏎This action does not know the error code. See \`files.info\` in the documentation of the service.
1 channel, 3 files; refused; none
    error: The service refused the request⏎\`out/0.csv\`, \`out/1.csv\`, \`out/2.csv\` could not be posted to \`#C1\`: \`chat.example:8443\` responded \`tea_time\` to \`files.info\`.⏎This action does not know the error code. See \`files.info\` in the documentation of the service.
1 channel, 4 files; refused; none
    error: The service refused the request⏎\`out/0.csv\`, \`out/1.csv\`, \`out/2.csv\` and 1 more could not be posted to \`#C1\`: \`chat.example:8443\` responded \`tea_time\` to \`files.info\`.⏎This action does not know the error code. See \`files.info\` in the documentation of the service.
1 channel, 2 files; not_in_channel; none; repeated
    error: It is unknown whether the message was posted⏎\`out/0.csv\`, \`out/1.csv\` may have been posted to \`#C1\`: \`chat.example:8443\` responded \`not_in_channel\` to \`files.info\`.⏎Check \`#C1\` before you run the step again: if the message is there, the step may post it a second time. Invite the app: type \`/invite @name-of-the-app\` in the channel. Files need this in public channels too, whatever the scopes.
1 channel, 2 files; not_in_channel; none
    error: The app is not in the channel⏎\`out/0.csv\`, \`out/1.csv\` could not be posted to \`#C1\`: \`chat.example:8443\` responded \`not_in_channel\` to \`files.info\`.⏎Invite the app: type \`/invite @name-of-the-app\` in the channel. Files need this in public channels too, whatever the scopes.
2 channels, 2 files; not_in_channel; none; repeated
    error: It is unknown whether the message was posted⏎\`out/0.csv\`, \`out/1.csv\` may have been posted to \`#C1\`, \`#C2\`: \`chat.example:8443\` responded \`not_in_channel\` to \`files.info\`, and did not say which of them it means.⏎Check \`#C1\`, \`#C2\` before you run the step again: if the message is there, the step may post it a second time. Invite the app: type \`/invite @name-of-the-app\` in the channel. Files need this in public channels too, whatever the scopes.⏎To find out which channel: try one at a time.
2 channels, 2 files; refused; none; repeated
    error: It is unknown whether the message was posted⏎\`out/0.csv\`, \`out/1.csv\` may have been posted to \`#C1\`, \`#C2\`: \`chat.example:8443\` responded \`tea_time\` to \`files.info\`.⏎Check \`#C1\`, \`#C2\` before you run the step again: if the message is there, the step may post it a second time. This action does not know the error code. See \`files.info\` in the documentation of the service.
2 channels, 2 files; not_in_channel; in one; repeated
    error: It is unknown which channels have the message⏎The files are in \`#C1\`, and may still appear in \`#C2\`: \`chat.example:8443\` responded \`not_in_channel\` to \`files.info\`.⏎Check \`#C2\` before you run the step again, and leave out \`#C1\`: it may post the files there a second time. Invite the app: type \`/invite @name-of-the-app\` in the channel. Files need this in public channels too, whatever the scopes.
2 channels, 2 files; not_in_channel; in one
    error: The app is not in the channel⏎The files are in \`#C1\`, but could not be posted to \`#C2\`: \`chat.example:8443\` responded \`not_in_channel\` to \`files.info\`.⏎Run the step again for \`#C2\` only: in \`#C1\` it may post the files a second time. Invite the app: type \`/invite @name-of-the-app\` in the channel. Files need this in public channels too, whatever the scopes.
2 channels, 2 files; ok, no list; nowhere
    error: Accepted, but the message was not seen⏎Within 90 s, no message with \`out/0.csv\`, \`out/1.csv\` was seen in \`#C1\`, \`#C2\`, although chat.example responded ok.⏎Check \`#C1\`, \`#C2\` before you run the step again: the message may still appear. \`if-not-confirmed: warn\` makes this a warning.
2 channels, 2 files; ok, no list; nowhere; in a thread
    error: Accepted, but the message was not seen⏎Within 90 s, no message with \`out/0.csv\`, \`out/1.csv\` was seen in \`#C1\`, \`#C2\`, although chat.example responded ok.⏎Check \`#C1\`, \`#C2\` before you run the step again: the message may still appear. \`if-not-confirmed: warn\` makes this a warning.
1 channel, 2 files; ok, no list; aborted
    error: Accepted, but the message was not seen⏎chat.example responded ok, but the run ended before the step could see the message with \`out/0.csv\`, \`out/1.csv\` in \`#C1\`.⏎Check \`#C1\` before you run the step again: the message may still appear.
2 channels, 2 files; ok, short list; in one
    error: It is unknown whether the message was posted⏎chat.example responded ok, but its response lists only some of the files, and not all of them were seen in \`#C2\`: \`out/0.csv\`, \`out/1.csv\`.⏎Check \`#C2\` before you run the step again: if the message is there, the step may post it a second time. Leave out \`#C1\`, where it is.
2 channels, 4 files; ok, no list; in one
    error: Accepted, but the message was not seen⏎Within 90 s, no message with \`out/0.csv\`, \`out/1.csv\`, \`out/2.csv\` and 1 more was seen in \`#C2\`, although chat.example responded ok.⏎Check \`#C2\` before you run the step again: the message may still appear. Leave out \`#C1\`, where it is. \`if-not-confirmed: warn\` makes this a warning.
2 channels, 4 files; ok, no list; in one; if-not-confirmed: warn
    warning: Accepted, but the message was not seen⏎Within 90 s, no message with \`out/0.csv\`, \`out/1.csv\`, \`out/2.csv\` and 1 more was seen in \`#C2\`, although chat.example responded ok.⏎Check \`#C2\` before you run the step again: the message may still appear. Leave out \`#C1\`, where it is.
1 channel, 1 file; refused; none; repeated
    error: It is unknown whether the message was posted⏎\`out/0.csv\` may have been posted to \`#C1\`: \`chat.example:8443\` responded \`tea_time\` to \`files.info\`.⏎Check \`#C1\` before you run the step again: if the message is there, the step may post it a second time. This action does not know the error code. See \`files.info\` in the documentation of the service.
1 channel, 2 files; ambiguous; no scope
    error: It is unknown whether the message was posted⏎\`out/0.csv\`, \`out/1.csv\` may have been posted to \`#C1\`: \`chat.example:8443\` responded to \`files.info\` with HTTP status 500.⏎Check \`#C1\` before you run the step again: if the message is there, the step may post it a second time. With the scope \`files:read\`, the step could have checked this itself. See the status page of chat.example for when to try again.
1 channel, 2 files; ambiguous; an outage
    error: It is unknown whether the message was posted⏎\`out/0.csv\`, \`out/1.csv\` may have been posted to \`#C1\`: \`chat.example:8443\` responded to \`files.info\` with HTTP status 500.⏎Check \`#C1\` before you run the step again: if the message is there, the step may post it a second time. The step could not see it: x. See the status page of chat.example for when to try again.
1 channel, 2 files; ok; file_deleted
    error: Accepted, but the message was not seen⏎Within 90 s, no message with \`out/0.csv\`, \`out/1.csv\` was seen in \`#C1\`, although chat.example responded ok (the last lookup: \`file_deleted\`).⏎Check \`#C1\` before you run the step again: the message may still appear. \`if-not-confirmed: warn\` makes this a warning.
1 channel, 2 files; ok; unprocessed
    error: Accepted, but the message was not seen⏎Within 90 s, no message with \`out/0.csv\`, \`out/1.csv\` was seen in \`#C1\`, although chat.example responded ok (chat.example has not processed the file yet).⏎Check \`#C1\` before you run the step again: the message may still appear. \`if-not-confirmed: warn\` makes this a warning.
1 channel, 2 files; ok; an outage
    notice: Could not verify that the files are visible⏎chat.example accepted the files, but did not say whether they are visible (x). There is no \`ts\` and no \`permalink\`.
1 channel, 2 files; ok; no scope
    notice: Could not verify that the files are visible⏎chat.example accepted the files. With the scope \`files:read\` the step checks that they are visible, and sets \`ts\` and \`permalink\`: add it to the app, reinstall the app, and use the new token. Or set \`if-not-confirmed: ignore\` to hide this notice."
`)
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
      lookup: { ...seenIn(what, 1), sightings: seen },
    })
    expect(result.postings).toMatchObject([{ state: 'posted' }])
    expect(lines(result).slice(0, 1)).toEqual(expected)
    expect(result.problems.map(({ level }) => level)).toEqual(expected.map(() => 'warning'))
  })

  test('which files the response and the lookups described', () => {
    const records = [null, { id: 'F9', size: 1 }, { id: 'F1', permalink: 'https://chat.example/f' }]
    const result = conclude({
      message: message(1),
      sent: ok({ files: records }),
      lookup: seenIn(message(1), 1),
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
      const result = conclude({ message: what, sent, lookup: withSize(0) })
      expect(titles(result)).toEqual(['A file arrived damaged'])
      expect(lines(result)).toEqual([
        '`out/0.csv` has 5 bytes, but the service reports 0.',
        'Delete it in the channel, and send this file again.',
      ])
    }
    const empty = { ...what, files: [{ file: foundFile('0.csv', 0), id: 'F0' }] }
    expect(conclude({ message: empty, sent: listed, lookup: withSize(0) }).problems).toEqual([])
    for (const size of [1, 8])
      expect(conclude({ message: what, sent: listed, lookup: withSize(size) }).problems).toEqual([])
  })
})
