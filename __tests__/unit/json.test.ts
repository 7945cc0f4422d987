import { describe, expect, test } from '@jest/globals'
import { isObject, numberIn, objectIn, parseObject, textIn } from '../../src/json.ts'

describe('a text is read as a JSON object', () => {
  test('if it holds one', () => {
    expect(parseObject(' {"a": {"b": [1]}} ')).toEqual({ a: { b: [1] } })
  })

  test.each(['', 'null', 'true', '1', '"a"', '[]', '[{}]', '{', '{"a":1}x', '<html>', '\ufeff{}'])(
    'and as nothing otherwise: %j',
    (json) => {
      expect(parseObject(json)).toBeUndefined()
    },
  )
})

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [null, false],
  [undefined, false],
  [[], false],
  ['a', false],
  [1, false],
])('Whether %j is an object: %s', (value, expected) => {
  expect(isObject(value)).toBe(expected)
})

describe('a member is read', () => {
  const json = { object: { a: 1 }, list: [1], nothing: null, text: 'a', empty: '', number: 0, flag: true }

  test('if it is of the type that is asked for', () => {
    expect(objectIn(json, 'object')).toBe(json.object)
    expect(textIn(json, 'text')).toBe('a')
    expect(numberIn(json, 'number')).toBe(0)
  })

  test.each(['list', 'nothing', 'empty', 'flag', 'absent', 'constructor', '__proto__.a'])(
    'and is absent otherwise: %s',
    (name) => {
      expect(textIn(json, name)).toBeUndefined()
      expect(numberIn(json, name)).toBeUndefined()
      expect(objectIn(json, name)).toBeUndefined()
    },
  )

  test('and is absent if its type is another one', () => {
    expect([objectIn(json, 'text'), textIn(json, 'number'), numberIn(json, 'text')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('and is absent if there is no object', () => {
    expect([objectIn(undefined, 'a'), textIn(undefined, 'a'), numberIn(undefined, 'a')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})
