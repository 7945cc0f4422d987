// Patterns that cost much, and how long they may take.
import { sep } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { Matcher } from '../../../src/files/matcher.ts'
import { tree } from '../../support/tree.ts'

/** Milliseconds of the processor, not of the clock: other programs run too. */
function stopwatch(): () => number {
  const start = process.cpuUsage()
  return () => {
    const { system, user } = process.cpuUsage(start)
    return (system + user) / 1_000
  }
}

const root = `${sep}srv`
const matcherFor = (glob: string) => new Matcher({ root, segments: glob.split('/') }, { dot: false, ignoreCase: false })

describe('a pattern', () => {
  test.each([
    ['report-*-*-*-*-*.csv', '-'.repeat(250)],
    [`${'*a'.repeat(30)}b`, 'a'.repeat(250)],
    [`${'*?[ab]'.repeat(20)}*c`, 'ab'.repeat(125)],
    [`${'?*'.repeat(100)}b`, 'a'.repeat(250)],
    ['*'.repeat(2000), 'a'.repeat(250)],
  ])('matches 5,000 long names in less than two seconds: %.40s', (glob, name) => {
    const matcher = matcherFor(glob)
    const start = matcher.at(root)
    const passed = stopwatch()
    for (let count = 0; count < 5000; count++) start.next(name).matches
    expect(passed()).toBeLessThan(2000)
  })

  test('with many ** matches a deep path at once', () => {
    const matcher = matcherFor(`${'**/a/'.repeat(400)}b`)
    const passed = stopwatch()
    expect(matcher.at(`${root}${sep}${`a${sep}`.repeat(1000)}c`).matches).toBeUndefined()
    expect(passed()).toBeLessThan(2000)
  })

  test.each(['[', '[a', '[*', '[[:', '[!'])('of 4,000 characters %s is refused at once', async (part) => {
    await using workspace = await tree({ 'a.csv': '1' })
    const passed = stopwatch()
    expect(await workspace.refusal(part.repeat(4000 / part.length))).toContain('has more than 100 `[`')
    expect(passed()).toBeLessThan(1000)
  })

  const braces = ['{', '{}', '{a,', '{a,b}', '${', '}{', '{1..', '\\{']
  test.each(braces)('of 4,000 characters %s ends at once', async (part) => {
    await using workspace = await tree({ 'a.csv': '1' })
    const passed = stopwatch()
    await workspace.find(part.repeat(4000 / part.length)).catch(() => undefined)
    await workspace.find(`a/ ${`${part} `.repeat(3990 / (part.length + 1))}`).catch(() => undefined)
    expect(passed()).toBeLessThan(2000)
  })
})

test('300 exclusions and 2,000 files take less than two seconds', async () => {
  await using workspace = await tree({})
  await workspace.add(Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`reports/${at}.csv`, '1'])))
  const exclusions = Array.from(
    { length: 300 },
    (_, at) => [`!**/old-${at}-*.csv`, `!reports/${at}.tmp`, `!**/*.t${at}`][at % 3],
  )
  const passed = stopwatch()
  expect(await workspace.paths(['reports/*.csv', ...exclusions].join('\n'), { maxFiles: 2000 })).toHaveLength(2000)
  expect(passed()).toBeLessThan(2000)
})
