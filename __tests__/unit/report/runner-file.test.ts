import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { runnerPaths } from '../../../src/report/runner-file.ts'

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
