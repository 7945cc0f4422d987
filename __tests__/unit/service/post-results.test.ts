import { describe, expect, test } from '@jest/globals'
import { createFailure } from '../../../src/service/failures.ts'
import type { FileLookup } from '../../../src/service/file-lookup.ts'
import { accepted, notSent, resultOfLookup, unknown } from '../../../src/service/post-results.ts'
import type { Message, PostResult } from '../../../src/service/service.ts'
import { quoted, text } from '../../../src/text/text.ts'
import { call, foundFile, host } from '../../support/scripted-service.ts'

const channels = ['C1', 'C2', 'C3'].map((id) => ({ id, requested: `#${id}` }))
const uploaded = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ file: foundFile(`${index}.csv`), id: `F${index}` }))
const message = (count = 1, inChannels = 3): Message => ({
  channels: channels.slice(0, inChannels),
  files: uploaded(count),
})
const failure = (code: string) => createFailure(call, code, { status: 200 })
const refused = failure('tea_time')
const ts = '1760688662.900279'

const states = ({ postings }: PostResult) => postings.map(({ state }) => state)
const titles = ({ problems }: PostResult) => problems.map(({ title }) => title)
const lines = ({ problems }: PostResult) => problems.flatMap((problem) => quoted(problem.text).split('\n'))
const found = (record: object): FileLookup => ({ kind: 'found', record: { ...record } })
const sharedIn = (...ids: string[]) =>
  found({ id: 'F0', size: 9, shares: { public: Object.fromEntries(ids.map((id) => [id, [{ ts }]])) } })
const responded = `\`${host}\` responded \`tea_time\` to \`files.info\``

test('An accepted message is posted where it is visible', () => {
  const shares = [{ channel: { id: 'C2', requested: 'x' }, ts }]
  const { files } = message()
  expect(accepted(message(), files, shares)).toEqual({
    postings: [
      { channel: channels[0], state: 'accepted' },
      { channel: channels[1], state: 'posted', ts },
      { channel: channels[2], state: 'accepted' },
    ],
    files,
    problems: [],
  })
})

describe('A message that was not sent', () => {
  test('names its files and channels', () => {
    const result = notSent(message(2), refused)
    expect(states(result)).toEqual(['not-sent', 'not-sent', 'not-sent'])
    expect(result).toMatchObject({ files: message(2).files })
    expect(lines(result)[0]).toBe(
      `\`out/0.csv\`, \`out/1.csv\` could not be posted to \`#C1\`, \`#C2\`, \`#C3\`: ${responded}.`,
    )
  })

  test('names at most three files', () => {
    expect(lines(notSent(message(3), refused))[0]).toContain('`out/2.csv` could')
    expect(lines(notSent(message(4), refused))[0]).toMatch(/^4 files could/)
  })

  test('leaves open which channel is meant if there are several', () => {
    expect(lines(notSent(message(), failure('not_in_channel'))).join()).toContain('which of them')
    expect(lines(notSent(message(1, 1), failure('not_in_channel'))).join()).not.toContain('which of them')
  })
})

describe('A message with an unknown outcome', () => {
  test('says what to check first', () => {
    const result = unknown(message(1, 1), refused)
    expect(states(result)).toEqual(['unknown'])
    expect(result).toMatchObject({ files: message().files })
    expect(titles(result)).toEqual(['It is unknown whether the message was posted'])
    expect(lines(result)).toEqual([
      `It is unknown whether \`out/0.csv\` was posted to \`#C1\`: ${responded}.`,
      'Check `#C1` before you run the step again: if the file is there, the step may post it a second time. This action does not know the error code. See `files.info` in the documentation of the service.',
    ])
    expect(lines(unknown(message(2, 1), refused)).join(' ')).toMatch(
      /It is unknown whether .* were posted .* if the files are there, the step may post them a second time\./,
    )
  })

  test('says which scope would have helped', () => {
    const scope = 'With the scope `files:read`, the step could have checked this itself.'
    const lookup = { kind: 'not possible', reason: text`x` } as const
    expect(lines(unknown(message(), refused, { ...lookup, lacksScope: true }))[1]).toContain(`a second time. ${scope}`)
    for (const other of [undefined, lookup, found({})])
      expect(lines(unknown(message(), refused, other)).join()).not.toContain(scope)
  })

  test('leaves open which channel is meant if there are several', () => {
    const which = (inChannels: number, code: string) =>
      lines(unknown(message(1, inChannels), failure(code)))
        .join()
        .includes('which of them')
    expect([which(2, 'not_in_channel'), which(1, 'not_in_channel'), which(2, 'tea_time')]).toEqual([true, false, false])
  })
})

describe('A message that a lookup shows', () => {
  const look = (lookup: FileLookup | undefined, state: 'not-sent' | 'unknown' = 'unknown') => {
    const counts: number[] = []
    const stateOfOthers = (count: number) => {
      counts.push(count)
      return state
    }
    return { result: resultOfLookup(lookup, message(2), refused, stateOfOthers), counts }
  }

  test('nowhere has no result', () => {
    for (const lookup of [undefined, { kind: 'missing' } as const, found({}), sharedIn('C9')]) {
      expect(look(lookup)).toEqual({ result: undefined, counts: [] })
    }
  })

  test('in all channels is posted, with what the record says about its file', () => {
    const { counts, result } = look(sharedIn('C1', 'C2', 'C3'))
    expect(result && states(result)).toEqual(['posted', 'posted', 'posted'])
    expect(result).toMatchObject({ problems: [], files: [{ id: 'F0', size: 9 }, { id: 'F1' }] })
    expect(result?.files[1]).not.toHaveProperty('size')
    expect(counts).toEqual([])
  })

  test('in some, and certainly not in the others', () => {
    const { counts, result } = look(sharedIn('C2'), 'not-sent')
    expect(result && states(result)).toEqual(['not-sent', 'posted', 'not-sent'])
    expect(counts).toEqual([2])
    expect(result && titles(result)).toEqual(['The service refused the request'])
    expect(result && lines(result).join('\n')).toMatch(
      /^The files are in `#C2`, but could not be posted to `#C1`, `#C3`: .*\nRun the step again for `#C1`, `#C3` only: in `#C2` it may post the files a second time\./,
    )
    expect(result).toMatchObject({ files: [{ size: 9 }, {}] })
  })

  test('in some, and perhaps later in the others', () => {
    const { result } = look(sharedIn('C1', 'C3'))
    expect(result && states(result)).toEqual(['posted', 'unknown', 'posted'])
    expect(result && titles(result)).toEqual(['It is unknown whether the message was posted in every channel'])
    expect(result && lines(result).join('\n')).toMatch(
      /^The files are in `#C1`, `#C3`, but it is unknown whether they will be in `#C2`: .*\nCheck `#C2` before you run the step again, and leave out `#C1`, `#C3`: it may post the files there a second time\./,
    )
  })
})
