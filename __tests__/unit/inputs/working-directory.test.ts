import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { findFolder } from '../../../src/inputs/working-directory.ts'

test('a path of 100,000 names that do not exist is what it is', () => {
  const long = 'a/'.repeat(100_000)
  expect(findFolder(tmpdir(), long)).toBe(path.resolve(tmpdir(), long))
})
