// Files that the runner gives a step, for outputs, summary and event, and the log.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { sharedFolder } from '../support/folder.ts'
import { withPreload } from '../support/preload.ts'
import { makePipe } from '../support/processes.ts'
import { errorsIn, runStep } from '../support/step.ts'
import { onPosix } from '../support/systems.ts'

const folder = sharedFolder()

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

onPosix('a summary whose file is a pipe that nobody reads is a line in the log', async () => {
  const pipe = join(folder, 'pipe')
  await makePipe(pipe)
  const done = await runStep({
    env: { GITHUB_STEP_SUMMARY: pipe },
    signal: AbortSignal.timeout(50_000),
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' }, stderr: '' })
  const line = `The job summary could not be written: \`GITHUB_STEP_SUMMARY\` is \`${pipe}\`, which is not a regular file`
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
