import { describe, expect, test } from '@jest/globals'
import { credentialSearch } from '../../../src/files/filter.ts'

/** Bytes. */
const small = 64 * 1024

function whyOf(name: string, hex: string, size = hex.length / 2) {
  return credentialSearch([name]).inContent(size).push(Buffer.from(hex, 'hex'))
}

describe('a file is a credential by how its bytes begin', () => {
  const key = 'contains a private key'
  const store = 'is a key store'
  test.each<[what: string, hex: string, why: string | undefined]>([
    // RFC 9580, with each kind of length and version
    ['OpenPGP, old format', '95 0398 04 5f000000 01', key],
    ['OpenPGP, new format', 'c5 58 04 5f00', key],
    ['OpenPGP, length of two bytes', 'c5 c000 04', key],
    ['OpenPGP, longest of two bytes', 'c5 dfff 04', key],
    ['OpenPGP, length of five bytes', 'c5 ff00001000 04', key],
    ['not OpenPGP with a partial length, which only data has', 'c5 e000 04 5f000000', undefined],
    ['not OpenPGP with the longest partial length', 'c5 fe 0000 0000 04', undefined],
    ['OpenPGP, version 3', 'c5 58 03 5f000000 0007 01', key],
    ['OpenPGP, version 6', 'c5 58 06', key],
    ['not OpenPGP of version 2', 'c5 58 02', undefined],
    ['not OpenPGP of version 7', 'c5 58 07', undefined],
    ['not an unknown algorithm', 'c5 58 04 5f000000 04', undefined],
    ['Java', 'feedfeed 00000002', store],
    ['KeePass', '03d9a29a67fb4bb5', store],
    ['PKCS #12', '30 06 02010330 0000', store],
    ['PKCS #12, with two bytes for the length', '30 820006 02010330 0000', store],
    ['not a sequence with something after it', '30 06 02010330 000000', undefined],
    ['not something else than a sequence', '31 06 02010330 0000', undefined],
    ['not what has fewer bytes than its length', '30 ff 02010330 0000', undefined],
  ])('%s', (_what, hex, why) => {
    expect(whyOf('a.bin', hex.replaceAll(' ', ''))).toBe(why)
  })

  const aws = Buffer.from('aws_secret_access_key = x\n').toString('hex')
  test.each([aws, 'feedfeed', 'c55804'])('up to 64 KB: %s', (start) => {
    expect([whyOf('a.bin', start, small), whyOf('a.bin', start, small + 1)]).toEqual([expect.any(String), undefined])
  })

  test('not by how a later chunk begins', () => {
    const search = credentialSearch(['a.gpg']).inContent(2 * small)
    expect([Buffer.alloc(small, 'a'), Buffer.from('c55804', 'hex')].map(search.push)).toEqual([undefined, undefined])
  })
})

test.each<[name: string, size: number, length: number]>([
  ['a.csv', 10, 10],
  ['a.csv', small, small],
  ['a.csv', small + 1, 0],
  // Its name alone does not decide.
  ['profiles.yml', 2 * small, small],
  // It may hold a key anywhere.
  ['a.pem', 2 * small, 2 * small],
])('of %s with %i bytes, %i are searched before it is sent', (name, size, length) => {
  expect(credentialSearch([name]).inContent(size).length).toBe(length)
})
