import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { decodeText, maxBodyBytes } from '../../../../src/service/http/http.ts'

const bytes = Buffer.from('{"ok":"ä"}')

describe('the text of a response', () => {
  test.each([
    ['without headers', {}, bytes],
    ['as it is', { 'content-encoding': 'identity' }, bytes],
    ['with gzip', { 'content-encoding': 'gzip' }, gzipSync(bytes)],
    ['with gzip by its old name', { 'content-encoding': ' X-GZIP ' }, gzipSync(bytes)],
    ['with deflate', { 'content-encoding': 'deflate' }, deflateSync(bytes)],
    ['in UTF-8', { 'content-type': 'application/json; charset=utf-8' }, bytes],
    ['in Latin-1', { 'content-type': 'text/plain; Charset = "ISO-8859-1"; x=y' }, Buffer.from('{"ok":"ä"}', 'latin1')],
    [
      'in Latin-1, in single quotes',
      { 'content-type': "text/plain;charset='latin1'" },
      Buffer.from('{"ok":"ä"}', 'latin1'),
    ],
  ])('is read %s', (_how, headers: Record<string, string>, body) => {
    expect(decodeText(body, headers)).toBe('{"ok":"ä"}')
  })

  test.each([
    ['the content coding is unknown', { 'content-encoding': 'br' }, bytes],
    ['it is not compressed although it says so', { 'content-encoding': 'gzip' }, bytes],
    ['the character encoding is unknown', { 'content-type': 'text/plain; charset=x-none' }, bytes],
    ['it is not UTF-8', {}, Buffer.from('ä', 'latin1')],
    ['it is said to be UTF-16', { 'content-type': 'text/plain; charset=utf-16' }, Buffer.from('ab')],
    ['it is UTF-16 without saying so', {}, Buffer.from('ab', 'utf16le')],
    ['it is too long when decompressed', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(maxBodyBytes + 1, 'a'))],
  ])('is unknown if %s', (_why, headers: Record<string, string>, body) => {
    expect(decodeText(body, headers)).toBeUndefined()
  })

  test('may be as long as a body may be', () => {
    expect(maxBodyBytes).toBe(4_194_304)
    const longest = gzipSync(Buffer.alloc(maxBodyBytes, 'a'))
    expect(decodeText(longest, { 'content-encoding': 'gzip' })).toHaveLength(maxBodyBytes)
  })
})
