import { readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { appendToRunnerFile, runnerPaths } from '../../../src/report/runner-file.ts'
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

test('the command files of the runner are those that its variables name', () => {
  const names = 'ARTIFACTS ARTIFACTS_LIST ENV EVENT_PATH OUTPUT PATH STATE STEP_SUMMARY'.split(' ')
  const environment = Object.fromEntries(names.map((name) => [`GITHUB_${name}`, join(tmpdir(), name)]))
  const { commandFiles } = runnerPaths({ ...environment, GITHUB_ACTOR: 'octocat' })
  expect(commandFiles.toSorted()).toEqual(names.map((name) => join(tmpdir(), name)))
  expect(runnerPaths({ GITHUB_ENV: '' }).commandFiles).toEqual([])
})

test('files outside of the workspace are usual in RUNNER_TEMP, the home folder and the temporary folder', () => {
  const temp = join(tmpdir(), 'runner')
  expect(runnerPaths({ RUNNER_TEMP: temp }).knownFolders).toEqual([temp, homedir(), tmpdir()])
  expect(runnerPaths({}).knownFolders).toEqual([homedir(), tmpdir()])
  expect(runnerPaths({ RUNNER_TEMP: 'relative' }).knownFolders).toEqual([homedir(), tmpdir()])
})
