import { gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { decodeText } from '../../../../src/service/http/http.ts'

const bytes = Buffer.from('{"ok":"ä"}')

describe('the text of a response', () => {
  test.each([
    ['without headers', {}, bytes],
    ['as it is', { 'content-encoding': 'identity' }, bytes],
    ['in UTF-8', { 'content-type': 'application/json; charset=utf-8' }, bytes],
  ])('is read %s', (_how, headers: Record<string, string>, body) => {
    expect(decodeText(body, headers)).toBe('{"ok":"ä"}')
  })

  test.each([
    ['it is compressed, though nobody asked for that', { 'content-encoding': 'gzip' }, gzipSync(bytes)],
    ['it is not UTF-8', {}, Buffer.from('ä', 'latin1')],
    ['it is UTF-16 without saying so', {}, Buffer.from('ab', 'utf16le')],
  ])('is unknown if %s', (_why, headers: Record<string, string>, body) => {
    expect(decodeText(body, headers)).toBeUndefined()
  })
})
