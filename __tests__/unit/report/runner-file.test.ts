import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { appendToRunnerFile } from '../../../src/report/runner-file.ts'
import { quoted } from '../../../src/text/text.ts'
import { withEnvironment } from '../../support/environment.ts'
import { tree } from '../../support/tree.ts'

test('a text is added to what other steps wrote, or the reason says why not', async () => {
  const name = 'GITHUB_STEP_SUMMARY'
  await using folder = await tree({ 'summary.md': 'before\n' })
  const [path, missing] = ['summary.md', 'missing'].map((file) => join(folder.root, file))
  const append = (to: string | undefined) =>
    withEnvironment({ [name]: to }, () => quoted(appendToRunnerFile(name, '### x\n') ?? []))
  expect([append(path), readFileSync(`${path}`, 'utf8')]).toEqual(['', 'before\n### x\n'])
  expect(append(missing)).toBe(`\`${name}\` is \`${missing}\`, which cannot be written (\`ENOENT\`)`)
  expect(append(folder.root)).toBe(`\`${name}\` is \`${folder.root}\`, which is not a regular file`)
  expect(append('')).toBe(`\`${name}\` is not set`)
})
