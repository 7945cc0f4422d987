import { expect, test } from '@jest/globals'
import { keyIn, withTitles } from '../../../src/files/titles.ts'
import { foundFile } from '../../support/report-runs.ts'

const key = '0123456789'

test.each<[template: string, name: string, key: string | undefined, title: string | undefined]>([
  ['{name}', 'a.csv', undefined, undefined],
  ['{name}', 'a.csv', key, `a.csv · ${key}`],
  ['{name}, again {name}', 'a.csv', undefined, 'a.csv, again a.csv'],
  ['of today', 'a.csv', key, `of today · ${key}`],
  ['Price: {name}', "$&$'.csv", undefined, "Price: $&$'.csv"],
  ['a\n{name}', 'a.csv', undefined, 'a_a.csv'],
  ['x'.repeat(255), 'a.csv', undefined, 'x'.repeat(255)],
])('with the template %j, %s with the key %s has the title %j', (template, name, ofRun, title) => {
  const file = { ...foundFile(name), ...(ofRun === undefined ? {} : { key: ofRun }) }
  expect(withTitles([file], template)).toEqual([title === undefined ? file : { ...file, title }])
})

test('a title has at most 255 characters, and ends in the whole key', () => {
  const title = (more: object) => withTitles([{ ...foundFile('a.csv'), ...more }], 'x'.repeat(300))[0]?.title ?? ''
  // Half of what is left on each side of the `…`.
  expect([title({}).length, title({ key }).length]).toEqual([255, 254])
  expect(title({ key })).toMatch(new RegExp(`^x+…x+ · ${key}$`))
})

test.each([
  [`a.csv · ${key}`, key],
  [` · ${key}`, key],
  [`a.csv · ${key}.csv`, undefined],
  ['a.csv · 012345678', undefined],
  ['a.csv · 01234567890', undefined],
  ['a.csv · 0123456789ABCDEF', undefined],
  ['a.csv', undefined],
])('the key in the title %j is %j', (title, expected) => {
  expect(keyIn(title)).toBe(expected)
})
