import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { scanForToken } from '../../../src/files/content.ts'
import { shortestToken } from '../../../src/text/token.ts'

const madeUp = () => `xoxb-${randomBytes(12).toString('hex')}`

describe('the token in a stream of chunks', () => {
  test.each(['utf8', 'utf16le'] as const)('is found wherever a chunk ends, and not before its end: %s', (encoding) => {
    const token = madeUp()
    const content = Buffer.from(`name,value\nä,${token}\nend\n`, encoding)
    const reused = Buffer.alloc(content.length)
    // The last byte of UTF-16 is not compared.
    const length = encoding === 'utf8' ? token.length : 2 * token.length - 1
    const end = content.indexOf(token, 0, encoding) + length
    for (let first = 0; first <= content.length; first++) {
      for (const size of [1, 2, 7, content.length]) {
        const searched = scanForToken(token)
        const search = (chunk: Buffer) => searched(reused.subarray(0, chunk.copy(reused)))
        let found = search(content.subarray(0, first))
        expect(found).toBe(first >= end)
        for (let seen = first; !found && seen < content.length; seen += size) {
          found = search(content.subarray(seen, seen + size))
          expect(found).toBe(Math.min(seen + size, content.length) >= end)
        }
      }
    }
  })

  test('that is too short is never found', () => {
    const short = 'a'.repeat(shortestToken - 1)
    expect(scanForToken(short)(Buffer.from(short.repeat(3)))).toBe(false)
    expect(scanForToken('')(Buffer.from('text'))).toBe(false)
    expect(scanForToken(`${short}a`)(Buffer.from(short.repeat(3)))).toBe(true)
  })
})
