import path, { sep } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { Minimatch } from 'minimatch'
import { initialState, stateAt } from '../../../src/files/matcher.ts'
import { grammar } from '../../../src/files/patterns.ts'
import fc from '../../support/fast-check.ts'
import { finds } from '../../support/finds.ts'
import { takesLinearTime } from '../../support/linear-time.ts'
import { asOn } from '../../support/systems.ts'
import { tree } from '../../support/tree.ts'

const root = `${sep}srv`
const startOf = (glob: string, dot = false) =>
  initialState({ root, segments: glob.split('/') }, { dot })

test('a pattern matches what it matches in minimatch, whatever the number of wildcards', () => {
  const character = fc.constantFrom(...'ab.-')
  const name = fc
    .string({ unit: character, minLength: 1, maxLength: 10 })
    .filter((text) => !/^\.\.?$/.test(text))
  const segment = fc
    .string({
      unit: fc.constantFrom(...'aab-.***??', '[ab]', '[!a]', '[*]', '\\*'),
      minLength: 1,
      maxLength: 10,
    })
    .filter((text) => !/^\.\.?$/.test(text))
  const any = fc.oneof({ weight: 4, arbitrary: segment }, fc.constant('**'))
  const segments = fc.array(any, { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(
      segments,
      fc.array(name, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      (glob, names, dot) => {
        const at = (path: readonly string[]) =>
          stateAt(startOf(glob.join('/'), dot), [root, ...path].join(sep))
        const { isHidden, matches, mayHold } = at(names)
        if (!glob.includes('**') && names.length >= glob.length) expect(mayHold).toBe(false)
        const [shown, all] = [dot, true].map((withHidden) =>
          new Minimatch(glob.join('/'), { ...grammar, dot: withHidden }).match(names.join('/')),
        )
        expect(matches).toBe(all)
        if (!matches) return
        expect(isHidden(false)).toBe(!shown)
        const above = names.map((_, index) => at(names.slice(0, index)))
        expect(above.every((folder) => folder.mayHold)).toBe(true)
        if (shown) expect(above.some((folder) => folder.isHidden(true))).toBe(false)
      },
    ),
    { numRuns: 1000 },
  )
})

describe('the search ends with the reason of its signal', () => {
  test.each<[when: string, files: number, lines: string]>([
    ['while it walks', 600, '**/*.csv'],
    ['while it reads the lines', 1, '{1..1000}/*.csv\n'.repeat(5)],
    ['while it explains', 600, 'nothing/*.xml'],
  ])('%s', async (_when, files, lines) => {
    await using workspace = await tree({})
    await workspace.add(
      Object.fromEntries(Array.from({ length: files }, (_, at) => [`${at % 300}/${at}.csv`, '1'])),
    )
    const controller = new AbortController()
    const searching = workspace.find(lines, { maxFiles: files, signal: controller.signal })
    setImmediate(() => controller.abort(new Error('time is up')))
    await expect(searching).rejects.toThrow('time is up')
  })

  test('also if nothing in it took long', async () => {
    await using workspace = await tree('a.csv')
    const signal = AbortSignal.abort(new Error('time is up'))
    await expect(workspace.find('b.csv', { signal })).rejects.toThrow('time is up')
  })
})

describe('a pattern that could cost much', () => {
  test.each([
    ['report-*-*-*.csv', '-'],
    ['*a*a*ab', 'a'],
    ['*?[ab]*?[ab]*c', 'ab'],
    ['?*?*?*b', 'a'],
  ])('takes time that is linear in the length of a name: %s', async (glob, piece) => {
    const state = stateAt(startOf(glob), root)
    const look = (length: number) => {
      for (let count = 0; count < 5; count += 1) state.next(`report-${piece.repeat(length)}`)
    }
    expect(await takesLinearTime(look, 10)).toBe(true)
  })

  test('takes time that is linear in the depth of a path, also with many **', async () => {
    const start = startOf(`${'**/a/'.repeat(2)}b`)
    const look = (depth: number) => stateAt(start, [root, ...'a'.repeat(depth)].join(sep))
    expect(await takesLinearTime(look, 10)).toBe(true)
  })

  const braces = ['{', '{}', '{a,', '{a,b}', '${', '}{', '{1..', '\\{']
  test.each(braces)('takes linear time for many %s', async (part) => {
    await using workspace = await tree('a.csv')
    const find = (line: string) => workspace.find(line).catch(() => undefined)
    for (const [begin, piece] of [
      ['', part],
      ['a/ ', `${part} `],
    ] as const) {
      const read = (length: number) => find(begin + piece.repeat(length / piece.length))
      expect(await takesLinearTime(read, 240)).toBe(true)
    }
  })
})

test.each([
  ['win32', true],
  ['linux', false],
] as const)('on %s, upper and lower case are the same: %j', (platform, ignoreCase) => {
  const root = `${path.sep}Srv`
  const glob = { root, segments: ['Reports', '*.CSV'] }
  const start = asOn(platform, () => initialState(glob, { dot: false }))
  expect(stateAt(start, path.join(root, 'Reports', 'a.CSV')).matches).toBe(true)
  for (const other of ['srv/reports/a.csv', 'Srv/Reports/a.csv', 'Srv/REPORTS/a.CSV']) {
    expect(stateAt(start, path.sep + path.normalize(other)).matches).toBe(ignoreCase)
  }
})

test('an exclusion with a slash at its end is for folders only', async () => {
  const lines = `
coverage.csv reports/unit.csv reports/unit.xml reports/linux/api.csv
**/unit.*⏎reports/**/a*⏎!reports/*/
coverage.csv⏎!cov*/⏎!coverage.csv/
reports⏎reports/unit.csv⏎!rep*/
`
  expect(await finds(lines)).toMatchInlineSnapshot(`
"coverage.csv reports/unit.csv reports/unit.xml reports/linux/api.csv
**/unit.*⏎reports/**/a*⏎!reports/*/
    reports/unit.csv | reports/unit.xml
coverage.csv⏎!cov*/⏎!coverage.csv/
    coverage.csv | log: \`!cov*/\` excluded nothing | log: \`!coverage.csv/\` excluded nothing
reports⏎reports/unit.csv⏎!rep*/
    nothing"
`)
})

test('a folder of many names has few states', () => {
  const start = startOf('**/old-*.csv')
  const states = Array.from({ length: 2_000 }, (_, at) =>
    stateAt(start, root).next(`${at % 2 ? 'old' : 'new'}-${at}.csv`),
  )
  expect(new Set(states).size).toBe(2)
})
