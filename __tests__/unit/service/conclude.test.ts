import { describe, expect, test } from '@jest/globals'
import { type Combination, lookups, responses, rows } from '../../../scripts/delivery-table.ts'
import { conclude, filesToPoll, nextStep } from '../../../src/service/conclude.ts'
import { adviceFor } from '../../../src/service/errors/error-codes.ts'
import { createFailure } from '../../../src/service/errors/failures.ts'
import type { CallResult } from '../../../src/service/responses.ts'
import type { Message, PostResult } from '../../../src/service/service.ts'
import type { LookupResult } from '../../../src/service/slack/file-lookup.ts'
import { quoted, text } from '../../../src/text/text.ts'
import { call, foundFile, host } from '../../support/scripted-service.ts'

const ts = '1760688662.900279'
const message = (inChannels: number, files = 2): Message => ({
  channels: ['C1', 'C2', 'C3'].slice(0, inChannels).map((id) => ({ id, requested: `#${id}` })),
  files: Array.from({ length: files }, (_, index) => ({ file: foundFile(`${index}.csv`), id: `F${index}` })),
})
const failure = (code: string, status = 200) =>
  createFailure(call, code, adviceFor(code, status).outcome ?? 'refused', { status })
const refused = (code: string, more = {}): CallResult => ({ ...failure(code), outcome: 'refused', ...more })
const ok = (json: object): CallResult => ({ outcome: 'succeeded', call, json: { ok: true, ...json } })
const shares = (inChannels: number) => ({
  public: Object.fromEntries(['C1', 'C2', 'C3'].slice(0, inChannels).map((id) => [id, [{ ts }]])),
})

function responseOf(response: Combination['response'], inChannels: number): CallResult {
  switch (response) {
    case 'ok':
      return ok({ files: [{ id: 'F0' }, { id: 'F1' }] })
    case 'ok, and shows the message':
      return ok({ files: [{ id: 'F0', shares: shares(inChannels) }, { id: 'F1' }] })
    case 'ok, without a list of files':
      return ok({})
    case 'ok, with a list that lacks files':
      return ok({ files: [{ id: 'F0', shares: shares(inChannels) }] })
    case 'not sent':
      return { ...failure('ratelimited'), outcome: 'not sent' }
    case 'refused for all channels':
      return failure('invalid_auth')
    case 'refused because of a channel':
      return refused('not_in_channel')
    case 'refused':
      return refused('tea_time')
    case 'ambiguous':
      return { ...failure('http_500', 500), outcome: 'ambiguous' }
    case 'file_not_found':
      return { ...failure('file_not_found'), outcome: 'ambiguous' }
  }
}

const seenIn = ({ channels }: Message, count: number): LookupResult => ({
  result: 'found',
  aborted: false,
  shares: channels.slice(0, count).map((channel) => ({ channel, ts })),
  records: [{ id: 'F0', size: 5 }],
  milliseconds: 60_000,
})

function seenBy(lookup: Combination['lookup'], what: Message): LookupResult | undefined {
  const count = what.channels.length
  const nowhere = { ...seenIn(what, 0), records: [] }
  switch (lookup) {
    case 'none':
      return undefined
    case 'visible in every channel':
      return seenIn(what, count)
    case 'visible in all channels but one':
      return seenIn(what, count - 1)
    case 'visible in one channel':
      return seenIn(what, 1)
    case 'found, visible nowhere':
      return seenIn(what, 0)
    case 'aborted':
      return { ...nowhere, result: 'no result', aborted: true }
    default:
      return { ...nowhere, result: lookup, reason: text`x` }
  }
}

const combinations = [1, 2, 3].flatMap((channels) =>
  [false, true].flatMap((repeated) =>
    responses.flatMap((response) => lookups.map((lookup): Combination => ({ channels, lookup, repeated, response }))),
  ),
)

/** A lookup that is never made shows nothing, and no message is visible in all channels but one of one. */
const possible = combinations.filter(({ channels, lookup, repeated, response }) => {
  if (lookup === 'none') return true
  if (channels === 1 && (lookup === 'visible in all channels but one' || lookup === 'visible in one channel'))
    return false
  const options = { ifNotConfirmed: 'error', repeated } as const
  return filesToPoll(message(channels), responseOf(response, channels), options).length > 0
})

describe('What becomes of a message', () => {
  const both = possible.flatMap((one) => (['error', 'warn'] as const).map((policy) => ({ ...one, policy })))
  test.each(both)('$response, lookups: $lookup, $channels channels, repeated: $repeated, $policy', (combination) => {
    const { channels, lookup, policy, repeated, response } = combination
    const what = message(channels)
    const [sent, seen] = [responseOf(response, channels), seenBy(lookup, what)]
    const expected = rows.find(({ covers }) => covers(combination))?.consequence
    const next = repeated ? undefined : nextStep(sent, seen)
    if (next || expected === 'complete again' || expected === 'upload again') {
      expect(next).toBe(expected)
      return
    }
    const { postings, problems } = conclude(what, sent, seen, { ifNotConfirmed: policy, repeated })
    const isShown = response === 'ok, and shows the message'
    const visible = isShown ? channels : (seenBy(lookup, what)?.shares.length ?? 0)
    const decided = policy === 'error' ? 'unknown' : 'accepted'
    const others = expected === 'if-not-confirmed' ? decided : expected
    expect(postings.map(({ channel, state }) => [channel.id, state])).toEqual(
      what.channels.map(({ id }, index) => [id, index < visible ? 'posted' : others]),
    )
    const hidden = visible < channels
    const levels = problems.map(({ level = 'error' }) => level).filter((level) => level !== 'notice')
    expect(levels).toEqual(hidden && expected !== 'accepted' ? [others === 'accepted' ? 'warning' : 'error'] : [])
  })

  test.each(rows.map((row) => [row.cells.join(': '), row] as const))('is said by a row that applies: %s', (_, row) => {
    expect(possible.some((combination) => rows.find(({ covers }) => covers(combination)) === row)).toBe(true)
  })
})

describe('The files to look up', () => {
  const of = (sent: CallResult, { confirm = true, repeated = false, inChannels = 1 } = {}) => {
    const options = { ifNotConfirmed: confirm ? 'warn' : 'ignore', repeated } as const
    return filesToPoll(message(inChannels, 3), sent, options).map(({ id }) => id)
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
    ['none if one is shown', ok({ files: [{ id: 'F0', shares: shares(1) }, { id: 'F1' }, { id: 'F2' }] }), {}, []],
    ['all if the list lacks some', listing('F0', 'F2'), {}, ['F0', 'F1', 'F2']],
    ['all if the list is empty, also without a check', listing(), { confirm: false }, ['F0', 'F1', 'F2']],
    ['all if there is no list', ok({}), {}, ['F0', 'F1', 'F2']],
    ['all if the list has no IDs', ok({ files: [{ id: 'F0' }, { title: 'b' }] }), {}, ['F0', 'F1', 'F2']],
    ['none if the list has no IDs, without a check', ok({ files: [{ title: 'a' }] }), { confirm: false }, []],
    ['none if there is no list and no check', ok({}), { confirm: false }, []],
    ['none of what was not sent', { ...failure('ratelimited'), outcome: 'not sent' }, {}, []],
    ['none after a certain refusal', refused('tea_time'), {}, []],
    ['all after a refusal of one of several channels', refused('tea_time'), { inChannels: 2 }, ['F0', 'F1', 'F2']],
    ['none after a refusal for all', failure('invalid_auth'), { inChannels: 2 }, []],
    ['all after the repeat', refused('tea_time'), { repeated: true }, ['F0', 'F1', 'F2']],
    ['all after an ambiguous response', responseOf('ambiguous', 1), { confirm: false }, ['F0', 'F1', 'F2']],
  ])('%s', (_what, sent, options, expected) => {
    expect(of(sent, options)).toEqual(expected)
  })
})

const lines = ({ problems }: PostResult) => problems.flatMap((problem) => quoted(problem.text).split('\n'))
const titles = ({ problems }: PostResult) => problems.map(({ title }) => title)

describe('The result says', () => {
  const responded = `\`${host}\` responded \`tea_time\` to \`files.info\``

  test('what could not be posted where, with at most three files', () => {
    expect(lines(conclude(message(1), refused('tea_time')))[0]).toBe(
      `\`out/0.csv\`, \`out/1.csv\` could not be posted to \`#C1\`: ${responded}.`,
    )
    expect(lines(conclude(message(1, 3), refused('tea_time')))[0]).toContain('`out/2.csv` could')
    expect(lines(conclude(message(1, 1), refused('file_too_large')))[0]).toMatch(/^`out\/0\.csv` \(5 B\) could not/)
    expect(lines(conclude(message(1, 4), refused('tea_time')))[0]).toMatch(/^4 files could/)
  })

  test('that it leaves open which of several channels is meant', () => {
    const which = (inChannels: number, code: string, repeated: boolean) =>
      /which of them.*\n.*\nTo find out which: try one/.test(
        lines(conclude(message(inChannels), refused(code), undefined, { repeated })).join('\n'),
      )
    expect([which(2, 'not_in_channel', true), which(1, 'not_in_channel', true)]).toEqual([true, false])
    expect([which(1, 'not_in_channel', false), which(2, 'tea_time', true)]).toEqual([false, false])
  })

  test('what to check after an unknown outcome, and which scope would have helped', () => {
    const unknown = conclude(message(1, 1), refused('tea_time'), undefined, { repeated: true })
    expect(titles(unknown)).toEqual(['It is unknown whether the message was posted'])
    expect(lines(unknown)).toEqual([
      `It is unknown whether \`out/0.csv\` was posted to \`#C1\`: ${responded}.`,
      'Check `#C1` before you run the step again: if the file is there, the step may post it a second time. This action does not know the error code. See `files.info` in the documentation of the service.',
    ])
    const lost = responseOf('ambiguous', 1)
    const seen = { ...seenIn(message(1), 0), result: 'not possible', reason: text`x` } as const
    const scope = 'With the scope `files:read`, the step could have checked this itself.'
    const [, advice = ''] = lines(conclude(message(1), lost, { ...seen, lacksScope: true }))
    expect(advice).toBe(
      `Check \`#C1\` before you run the step again: if the files are there, the step may post them a second time. ${scope} See the status page of chat.example for when to try again.`,
    )
    expect(lines(conclude(message(1), lost, seen)).join()).not.toContain(scope)
  })

  test.each([
    [[undefined], []],
    [[false, true], []],
    [[false], ['`#C1` has `out/0.csv`, but the service does not show the message in the thread `1.5`.']],
  ])('that it is not in the thread, if lookups did not show it there: %j', (places, expected) => {
    const what = { ...message(1, 1), threadTs: '1.5' }
    const seen = places.flatMap((isInPlace) => seenIn(what, 1).shares.map((share) => ({ ...share, isInPlace })))
    const result = conclude(what, ok({}), { ...seenIn(what, 1), shares: seen })
    expect(result.postings).toMatchObject([{ state: 'posted' }])
    expect(lines(result).slice(0, 1)).toEqual(expected)
    expect(result.problems.map(({ level }) => level)).toEqual(expected.map(() => 'warning'))
  })

  test('where it is, and where it is not or may come', () => {
    const certain = conclude(message(2), refused('not_in_channel'), seenIn(message(2), 1), { repeated: true })
    expect(titles(certain)).toEqual(['It is unknown whether the message was posted in every channel'])
    expect(lines(certain).join('\n')).toMatch(
      /^The files are in `#C1`, but it is unknown whether they will be in `#C2`: .*\nCheck `#C2` before you run the step again, and leave out `#C1`: it may post the files there a second time\./,
    )
    const partial = conclude(message(2), refused('not_in_channel'), seenIn(message(2), 1))
    expect(titles(partial)).toEqual(['The app is not in the channel'])
    expect(lines(partial).join('\n')).toMatch(
      /^The files are in `#C1`, but could not be posted to `#C2`: .*\nRun the step again for `#C2` only: in `#C1` it may post the files a second time\./,
    )
  })

  test('which files the response and the lookups described', () => {
    const records = [null, { id: 'F9', size: 1 }, { id: 'F1', permalink: 'https://chat.example/f' }]
    const result = conclude(message(1), ok({ files: records }), seenIn(message(1), 1))
    expect(result.files).toEqual([
      { file: foundFile('0.csv'), id: 'F0', size: 5 },
      { file: foundFile('1.csv'), id: 'F1', permalink: 'https://chat.example/f' },
    ])
  })

  test('that a file arrived damaged, whatever else', () => {
    const damaged = { ...seenIn(message(2), 2), records: [{ id: 'F0', size: 1 }] }
    for (const sent of [responseOf('ok', 2), responseOf('ambiguous', 2)])
      expect(titles(conclude(message(2), sent, damaged))).toEqual(['A file arrived damaged'])
  })

  test('that not all files were seen', () => {
    const result = conclude(message(1), responseOf('ok, with a list that lacks files', 1), seenIn(message(1), 0))
    expect(titles(result)).toEqual(['It is unknown whether the message was posted'])
    expect(lines(result)).toEqual([
      'chat.example responded ok, but its response lists only some of the files, and not all of them were seen in `#C1`: `out/0.csv`, `out/1.csv`.',
      'Check `#C1` before you run the step again: if the files are there, the step may post them a second time.',
    ])
  })

  test('that the message has not appeared', () => {
    const what = message(2, 4)
    const warned = conclude(what, ok({}), seenIn(what, 1), { ifNotConfirmed: 'warn' })
    const [first, second] = lines(warned)
    expect([first, second]).toEqual([
      'Within 60 s, no message with `out/0.csv`, `out/1.csv`, `out/2.csv` and 1 more was seen in `#C2`, although chat.example responded ok.',
      'Check the channel before you run the step again: the message may still appear.',
    ])
    const advice = `${second} \`if-not-confirmed: warn\` makes this a warning.`
    expect(lines(conclude(what, ok({}), seenIn(what, 1)))).toEqual([first, advice])
  })

  test('what the last lookup said, if it was an error', () => {
    const seen = { ...seenIn(message(1), 0), result: 'unclear', reason: text`${'file_deleted'}` } as const
    expect(lines(conclude(message(1), responseOf('ok', 1), seen))[0]).toContain(
      'responded ok (the last lookup: `file_deleted`).',
    )
  })

  test.each([
    [undefined, ', but did not say whether they are visible (`x`). There is no `ts` and no `permalink`.'],
    [
      true,
      '. With the scope `files:read` the step checks that they are visible, and sets `ts` and `permalink`: add it to the app, reinstall the app, and use the new token. Or set `if-not-confirmed: ignore` to hide this notice.',
    ],
  ])('that it could not be verified, as a notice: lacks the scope %s', (lacksScope, rest) => {
    const seen = { ...seenIn(message(1), 0), result: 'not possible', reason: text`${'x'}`, lacksScope } as const
    const result = conclude(message(1), responseOf('ok', 1), seen)
    expect(result.problems).toMatchObject([{ level: 'notice', title: 'Could not verify that the files are visible' }])
    expect(lines(result)).toEqual([`chat.example accepted the files${rest}`])
  })
})
