import { sep } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { Minimatch } from 'minimatch'
import { Matcher } from '../../../src/files/matcher.ts'
import { grammar } from '../../../src/files/patterns.ts'
import fc from '../../support/fast-check.ts'
import { tree } from '../../support/tree.ts'

const root = `${sep}srv`
const matcherFor = (glob: string, dot = false) =>
  new Matcher({ root, segments: glob.split('/') }, { dot, ignoreCase: false })

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
        const matcher = matcherFor(glob.join('/'), dot)
        const expected = new Minimatch(glob.join('/'), { ...grammar, dot })
        const { matches, mayHold } = matcher.at([root, ...names].join(sep))
        if (!glob.includes('**') && names.length >= glob.length) expect(mayHold).toBeUndefined()
        expect(matches === 'visible').toBe(expected.match(names.join('/')))
        const withDots = new Minimatch(glob.join('/'), { ...grammar, dot: true })
        expect(matches !== undefined).toBe(withDots.match(names.join('/')))
        if (!expected.match(names.join('/'))) return
        const above = names.map((_, index) => matcher.at([root, ...names.slice(0, index)].join(sep)))
        expect(above.filter(({ mayHold }) => mayHold !== 'visible')).toEqual([])
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
