// What the runner gives to a step: the files for its outputs, its summary and its event, and a log.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { sharedFolder } from '../support/folder.ts'
import { withPreload } from '../support/preload.ts'
import { makePipe } from '../support/processes.ts'
import { errorsIn, runStep } from '../support/step.ts'
import { onPosix } from '../support/systems.ts'

const folder = sharedFolder()
const pipe = join(folder, 'pipe')
beforeAll(async () => {
  if (process.platform !== 'win32') await makePipe(pipe)
})

describe('outputs that cannot be written are an error before any request:', () => {
  const failing = async (path: string, reason: string) => {
    const done = await runStep({
      env: { GITHUB_OUTPUT: path },
      signal: AbortSignal.timeout(50_000),
    })
    expect(done).toMatchObject({ code: 1, requests: [], stderr: '' })
    expect(done.summary).toContain('Nothing was posted')
    expect(errorsIn(done)).toEqual([
      {
        title: 'The outputs cannot be written',
        text: `\`GITHUB_OUTPUT\` is \`${path}\`, which ${reason}. Later steps see no outputs.\nThe runner creates this file for the step. Did a step change it or its variable, or is the disk full?`,
      },
    ])
  }

  test('a missing file', () => failing('/nowhere/output', 'cannot be written (`ENOENT`)'))
  test('a folder', () => failing(folder, 'is not a regular file'))
  onPosix('a pipe that nobody reads', () => failing(pipe, 'is not a regular file'))
})

test('on a full disk, outputs are an error before any request', async () => {
  const full = withPreload(`
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const append = fs.appendFileSync
    fs.appendFileSync = (path, text) => {
      if (text !== '') throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      append(path, text)
    }
    syncBuiltinESMExports()
  `)
  const done = await runStep(full)
  expect(done).toMatchObject({ code: 1, requests: [] })
  expect(errorsIn(done)).toMatchObject([
    {
      title: 'The outputs cannot be written',
      text: expect.stringContaining('cannot be written (`ENOSPC`)'),
    },
  ])
})

test('outputs that cannot be written once everything is posted are an error, which says what another run does', async () => {
  const output = join(folder, 'output')
  writeFileSync(output, '')
  const done = await runStep({
    env: { GITHUB_OUTPUT: output },
    prepare: ({ events }) => {
      events.once('message', () => {
        rmSync(output)
        mkdirSync(output)
      })
    },
  })
  const error = {
    title: 'The outputs cannot be written',
    text: expect.stringContaining(' Everything was posted: another run would post it again.'),
  }
  expect(done).toMatchObject({ code: 1, messages: [{}] })
  expect(errorsIn(done)).toEqual([error])
  expect(done.summary).toContain(error.title)
})

onPosix.each([
  ['is missing', () => '/nowhere/summary', 'cannot be written (`ENOENT`)'],
  ['is a pipe that nobody reads', () => pipe, 'is not a regular file'],
])('a summary whose file %s is a line in the log', async (_, path, why) => {
  const done = await runStep({
    env: { GITHUB_STEP_SUMMARY: path() },
    signal: AbortSignal.timeout(50_000),
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' }, stderr: '' })
  const line = `The job summary could not be written: \`GITHUB_STEP_SUMMARY\` is \`${path()}\`, which ${why}`
  expect(done.stdout).toContain(line)
  expect(done.stdout).not.toMatch(/^::(error|warning)/m)
})

test('a log that cannot be written keeps nothing from being posted and reported', async () => {
  const noLog = withPreload(`
    process.stdout._write = (chunk, encoding, callback) => callback(Object.assign(new Error('no'), { code: 'EPIPE' }))
    process.stdout._writev = undefined
  `)
  const done = await runStep(noLog)
  expect(done).toMatchObject({ code: 0, stdout: '', stderr: '', outputs: { status: 'posted' } })
  expect(done.messages).toHaveLength(1)
  expect(done.summary).toContain('Posted 1 file')
  expect(done.summary).not.toContain('fault')
})
