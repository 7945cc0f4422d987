// Random patterns over random trees.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { create } from '@actions/glob'
import { expect, jest, test } from '@jest/globals'
import { ProblemError } from '../../../src/problem.ts'
import fc from '../../support/fast-check.ts'
import { tree } from '../../support/tree.ts'

// On other systems, `@actions/glob` returns the pattern's case, our search that of the disk.
const otherCase = process.platform === 'linux' ? ['A'] : []
const name = fc.constantFrom('a', 'b', 'ab', 'c.csv', 'a.csv', '.h', ...otherCase, 'x[1]', 'b c')
const names = fc.array(name, { minLength: 1, maxLength: 4 })
const segment = fc.oneof(
  { weight: 3, arbitrary: name },
  fc.constantFrom('*', '**', '?', '*.csv', '[ab]', '[!a]*', 'a*', '.*', '?.csv', '**a', '*[*'),
)
const segments = fc.array(segment, { minLength: 1, maxLength: 4 })

// A path cannot be both file and folder, so the first wins.
const build = async (paths: readonly (readonly [names: readonly string[], content: string])[]) => {
  const workspace = await tree({})
  for (const [names, content] of paths) {
    await workspace.add({ [names.join('/')]: content }).catch(() => undefined)
  }
  return workspace
}

test('for any tree, patterns mean what they mean in @actions/glob, which workflows know', async () => {
  using _silence = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  await fc.assert(
    fc.asyncProperty(
      fc.array(names, { minLength: 1, maxLength: 12 }),
      fc.array(segments, { minLength: 1, maxLength: 3 }),
      async (paths, patterns) => {
        await using workspace = await build(paths.map((names) => [names, names.join('/')]))
        // For `@actions/glob`, `file/**` matches the file, so no pattern ends in `**`.
        const lines = patterns
          .map((pattern) => (pattern.at(-1) === '**' ? [...pattern, '*'] : pattern))
          .filter((pattern) => pattern.some((one) => /[*?]/.test(one)) && !pattern.includes('x[1]'))
          .map((pattern) => `${workspace.root}/${pattern.join('/')}`)
        fc.pre(lines.length > 0)
        const globber = await create(lines.join('\n'), {
          matchDirectories: false,
          implicitDescendants: false,
        })
        // `@actions/glob` fails with ENOTDIR if a pattern leads through a file.
        const theirs = await globber.glob().catch(() => undefined)
        fc.pre(theirs !== undefined)
        const { files } = await workspace.find(lines.join('\n'), { includeHiddenFiles: true })
        const ours = files.map((file) => file.real)
        expect(ours.sort()).toEqual(theirs?.sort())
      },
    ),
    { numRuns: 40 },
  )
})

test('for any patterns and any tree, nothing but files below the workspace comes out, each once, no line throws anything but its own error', async () => {
  await using outside = await tree({ 'a.csv': 'outside', a: 'outside' })
  const anything = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    segments.map((parts) => parts.join('/')),
    segments.map((parts) => `!${parts.join('/')}`),
    fc.string({ unit: fc.constantFrom(...'a{},*/[]!\\.?~#-^ '), maxLength: 20 }),
  )
  const targets = ['.', '..', '../..', 'a', '../a', 'b', 'nothing', outside.root, 'c.csv']
  const target = fc.constantFrom(...targets.map((path) => `-> ${path}`))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(names, fc.oneof(fc.constant('text'), target)), { maxLength: 12 }),
      fc.array(anything, { maxLength: 3 }),
      fc.boolean(),
      async (entries, lines, includeHiddenFiles) => {
        await using workspace = await build(entries)
        // Absolute patterns and `..` may find files elsewhere.
        const parts = lines.join('\n').split(/[\n,{]/)
        fc.pre(!parts.some((part) => /^[\s!]*([/~]|.*\.\.)/.test(part)))
        const found = await workspace
          .find(lines.join('\n'), { includeHiddenFiles })
          .catch((error: unknown) => {
            if (!(error instanceof ProblemError)) throw error
          })
        const files = found?.files ?? []
        expect(
          files.filter((file) => !file.real.startsWith(`${workspace.root}${path.sep}`)),
        ).toEqual([])
        expect(new Set(files.map((file) => file.real)).size).toBe(files.length)
        expect(new Set(files.map((file) => file.name)).size).toBe(files.length)
        expect(await Promise.all(files.map((file) => readFile(file.real, 'utf8')))).toEqual(
          files.map(() => 'text'),
        )
      },
    ),
    { numRuns: 100 },
  )
})
