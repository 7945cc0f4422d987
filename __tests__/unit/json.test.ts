import { expect, test } from '@jest/globals'
import { listIn, numberIn, objectIn, parseObject, parseString, textIn } from '../../src/json.ts'
import { grid } from '../support/grid.ts'

test('a text is read as a JSON object if it holds one', () => {
  expect(parseObject(' {"a": {"b": [1]}} ')).toEqual({ a: { b: [1] } })
})

test.each(['', 'null', 'true', '1', '"a"', '[]', '[{}]', '{', '{"a":1}x', '<html>', '\ufeff{}'])(
  'a text that holds none is read as nothing: %j',
  (json) => {
    expect(parseObject(json)).toBeUndefined()
  },
)

test('a text is read as a JSON string if it is one, and no path of Windows', async () => {
  const texts = String.raw`
"a\r\nb"
"a\tb"
"c:\new"
"c:/new"
"a
'a'
1
`
  expect(await grid(texts, parseString)).toMatchInlineSnapshot(`
""a\\r\\nb"
    a<d>⏎b
"a\\tb"
    nothing
"c:\\new"
    nothing
"c:/new"
    nothing
"a
    nothing
'a'
    nothing
1
    nothing"
`)
})

const json = {
  object: { a: 1 },
  list: [1],
  nothing: null,
  text: 'a',
  empty: '',
  number: 0,
  flag: true,
}
const names = [...Object.keys(json), 'absent', 'constructor', '__proto__.a']
test.each(names)('a member is read if it is of the type that is asked for: %s', (name) => {
  expect(objectIn(json, name)).toBe(name === 'object' ? json.object : undefined)
  expect(textIn(json, name)).toBe(name === 'text' ? 'a' : undefined)
  expect(numberIn(json, name)).toBe(name === 'number' ? 0 : undefined)
  expect(listIn(json, name)).toEqual(name === 'list' ? json.list : [])
  expect(listIn(undefined, name)).toEqual([])
  expect([objectIn, textIn, numberIn].map((read) => read(undefined, name))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
