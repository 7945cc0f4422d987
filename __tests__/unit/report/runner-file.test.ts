import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { appendToRunnerFile } from '../../../src/report/runner-file.ts'
import { withEnvironment } from '../../support/environment.ts'
import { tree } from '../../support/tree.ts'

test('a text is added to what is in the file', async () => {
  await using folder = await tree({ 'summary.md': 'before\n' })
  const path = join(folder.root, 'summary.md')
  const append = () => appendToRunnerFile('GITHUB_STEP_SUMMARY', '### x\n')
  expect(withEnvironment({ GITHUB_STEP_SUMMARY: path }, append)).toBeUndefined()
  expect(readFileSync(path, 'utf8')).toBe('before\n### x\n')
  expect(withEnvironment({ GITHUB_STEP_SUMMARY: '' }, append)).toBeUndefined()
})
