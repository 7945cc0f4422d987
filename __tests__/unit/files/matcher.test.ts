import { sep } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { Minimatch } from 'minimatch'
import { initialState, stateAt } from '../../../src/files/matcher.ts'
import { grammar } from '../../../src/files/patterns.ts'
import fc from '../../support/fast-check.ts'
import { tree } from '../../support/tree.ts'

const root = `${sep}srv`
const startOf = (glob: string, dot = false) =>
  initialState({ root, segments: glob.split('/') }, { dot, ignoreCase: false })

/** Milliseconds of the processor, not of the clock: other programs run too. */
function stopwatch(): () => number {
  const start = process.cpuUsage()
  return () => {
    const { system, user } = process.cpuUsage(start)
    return (system + user) / 1_000
  }
}

describe('a pattern', () => {
  test('matches what it matches in minimatch, whatever the number of wildcards', () => {
    const character = fc.constantFrom(...'ab.-')
    const name = fc.string({ unit: character, minLength: 1, maxLength: 10 }).filter((text) => !/^\.\.?$/.test(text))
    const segment = fc
      .string({ unit: fc.constantFrom(...'aab-.***??', '[ab]', '[!a]', '[*]', '\\*'), minLength: 1, maxLength: 10 })
      .filter((text) => !/^\.\.?$/.test(text))
    const any = fc.oneof({ weight: 4, arbitrary: segment }, fc.constant('**'))
    const segments = fc.array(any, { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(segments, fc.array(name, { minLength: 1, maxLength: 5 }), fc.boolean(), (glob, names, dot) => {
        const at = (path: readonly string[]) => stateAt(startOf(glob.join('/'), dot), [root, ...path].join(sep))
        const { matches, mayHold } = at(names)
        if (!glob.includes('**') && names.length >= glob.length) expect(mayHold).toBe(false)
        expect(matches).toBe(new Minimatch(glob.join('/'), { ...grammar, dot }).match(names.join('/')))
        if (!matches) return
        expect(names.map((_, index) => at(names.slice(0, index)).mayHold)).toEqual(names.map(() => true))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('the search ends with the reason of its signal', () => {
  test.each<[when: string, files: number, lines: string]>([
    ['while it walks', 600, '**/*.csv'],
    ['while it reads the lines', 1, '{1..1000}/*.csv\n'.repeat(5)],
    ['while it explains', 600, 'nothing/*.xml'],
  ])('%s', async (_when, files, lines) => {
    await using workspace = await tree({})
    await workspace.add(Object.fromEntries(Array.from({ length: files }, (_, at) => [`${at % 300}/${at}.csv`, '1'])))
    const controller = new AbortController()
    const searching = workspace.find(lines, { maxFiles: files, signal: controller.signal })
    setImmediate(() => controller.abort(new Error('time is up')))
    await expect(searching).rejects.toThrow('time is up')
  })

  test('also if nothing in it took long', async () => {
    await using workspace = await tree({ 'a.csv': '1' })
    const signal = AbortSignal.abort(new Error('time is up'))
    await expect(workspace.find('b.csv', { signal })).rejects.toThrow('time is up')
  })
})

describe('a pattern that could cost much', () => {
  test.each([
    ['report-*-*-*-*-*.csv', '-'.repeat(250)],
    [`${'*a'.repeat(30)}b`, 'a'.repeat(250)],
    [`${'*?[ab]'.repeat(20)}*c`, 'ab'.repeat(125)],
    [`${'?*'.repeat(100)}b`, 'a'.repeat(250)],
    ['*'.repeat(2000), 'a'.repeat(250)],
  ])('matches 5,000 long names in less than two seconds: %.40s', (glob, name) => {
    const state = stateAt(startOf(glob), root)
    const passed = stopwatch()
    for (let count = 0; count < 5000; count++) state.next(name)
    expect(passed()).toBeLessThan(2000)
  })

  test('with many ** matches a deep path at once', () => {
    const start = startOf(`${'**/a/'.repeat(400)}b`)
    const passed = stopwatch()
    expect(stateAt(start, `${root}${sep}${`a${sep}`.repeat(1000)}c`).matches).toBe(false)
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
