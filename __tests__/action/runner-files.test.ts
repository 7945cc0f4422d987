// The files that the runner gives to a step for its outputs and its summary.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from '@jest/globals'
import { makePipe } from '../support/processes.ts'
import { errorsIn, runStep } from '../support/step.ts'
import { onPosix } from '../support/systems.ts'

let folder = ''
let pipe = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runner-files-'))
  pipe = join(folder, 'pipe')
  if (process.platform !== 'win32') await makePipe(pipe)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const files = { 'a.csv': 'a,b\n' }

onPosix('outputs that would go to a pipe that nobody reads fail the step', async () => {
  const done = await runStep({ files, env: { GITHUB_OUTPUT: pipe }, signal: AbortSignal.timeout(8_000) })
  expect(done).toMatchObject({ code: 1, stderr: '' })
  expect(done.stdout).toMatch(/^Posted 1 file in 1 channel$/m)
  expect(errorsIn(done)).toEqual([
    {
      title: 'The outputs could not be written',
      text: expect.stringContaining(`GITHUB_OUTPUT is ${pipe}, which is not a regular file`),
    },
  ])
})

onPosix('a summary that would go to a pipe that nobody reads is a note in the log', async () => {
  const done = await runStep({ files, env: { GITHUB_STEP_SUMMARY: pipe }, signal: AbortSignal.timeout(8_000) })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' }, stderr: '' })
  expect(done.stdout).toContain(
    `The job summary could not be written: GITHUB_STEP_SUMMARY is ${pipe}, which is not a regular file`,
  )
})
