import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { appendToRunnerFile, runnerPaths } from '../../../src/report/runner-file.ts'
import { quoted } from '../../../src/text/text.ts'

test('a text is added to what other steps wrote, or the reason says why not', () => {
  const name = 'GITHUB_STEP_SUMMARY'
  const before = process.env[name]
  const folder = mkdtempSync(join(tmpdir(), 'runner-file-'))
  const path = join(folder, 'summary.md')
  const missing = join(folder, 'missing')
  const append = (variable: string) => {
    process.env[name] = variable
    return quoted(appendToRunnerFile(name, '### x\n') ?? [])
  }
  try {
    writeFileSync(path, 'before\n')
    expect(append(path)).toBe('')
    expect(readFileSync(path, 'utf8')).toBe('before\n### x\n')
    expect(append(missing)).toBe(`\`${name}\` is \`${missing}\`, which cannot be written (\`ENOENT\`)`)
    expect(append(folder)).toBe(`\`${name}\` is \`${folder}\`, which is not a regular file`)
    expect(append('')).toBe(`\`${name}\` is not set`)
  } finally {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
    rmSync(folder, { recursive: true })
  }
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
  expect(runnerPaths({ RUNNER_TEMP: 'relative' }).knownFolders).toEqual([homedir(), tmpdir()])
})
