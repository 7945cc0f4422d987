import { describe, expect, test } from '@jest/globals'
import { remainingFiles } from '../../../../src/delivery/rerun/remaining.ts'
import type { DeliveredMessage } from '../../../../src/service/service.ts'
import { foundFile } from '../../../support/scripted-service.ts'

const channels = ['C1', 'C2'].map((id) => ({ id, requested: id }))

/** What remains of the files, which an earlier attempt posted in these channels. */
function remaining(seenIn: Readonly<Record<string, readonly string[]>>) {
  const files = Object.keys(seenIn).map((name) => foundFile(name))
  const earlier = files.map((file): DeliveredMessage => {
    const seen = channels.filter(({ id }) => seenIn[file.name]?.includes(id))
    return { files: [{ file }], postings: seen.map((channel) => ({ channel, state: 'posted', earlier: true })) }
  })
  return remainingFiles(files, channels, earlier).map((group) => [
    group.files.map(({ name }) => name).join(),
    group.channels.map(({ id }) => id).join(),
  ])
}

describe('What an attempt has to post', () => {
  test.each<[string, Readonly<Record<string, readonly string[]>>, string[][]]>([
    ['everything', { 'a.csv': [], 'b.csv': [] }, [['a.csv,b.csv', 'C1,C2']]],
    ['nothing', { 'a.csv': ['C1', 'C2'] }, []],
    [
      'each file where it is missing',
      { 'a.csv': ['C1'], 'b.csv': ['C2'] },
      [
        ['a.csv', 'C2'],
        ['b.csv', 'C1'],
      ],
    ],
    [
      'together what is missing in the same channels',
      { 'a.csv': ['C1'], 'b.csv': ['C1', 'C2'], 'c.csv': [], 'd.csv': ['C1'] },
      [
        ['a.csv,d.csv', 'C2'],
        ['c.csv', 'C1,C2'],
      ],
    ],
  ])('is %s', (_, seenIn, expected) => {
    expect(remaining(seenIn)).toEqual(expected)
  })
})
