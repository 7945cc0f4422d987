import { expect, test } from '@jest/globals'
import { isAlmost } from '../../../src/text/is-almost.ts'

test.each([
  [
    'numbers count little',
    false,
    'Unit_Test/unit-test 2-unit/unit rrepporrt/report report-7/report report/report-7 covarage/coverage covreage/coverage abd/abc',
    'junit/unit report-7/report-8 covurege/coverage ab/abc abc/ab ab/ab1 /',
  ],
  ['numbers count', true, 'unit-7/uint-7', 'report-7/report report/report-7 report-7/report-8'],
])('a name is almost another where %s', (_, numbersCount, almost, others) => {
  const areAlmost = (pairs: string) =>
    pairs.split(' ').map((pair) => {
      const [typed = '', name = ''] = pair.split('/')
      return isAlmost(typed, name, numbersCount) ? pair : ''
    })
  expect(areAlmost(almost).join(' ')).toBe(almost)
  expect(areAlmost(others).join('')).toBe('')
})
