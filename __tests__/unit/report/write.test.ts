import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { RunResult } from '../../../src/report/report.ts'
import { writeReport } from '../../../src/report/write.ts'
import { text } from '../../../src/text/text.ts'
import { withEnvironment } from '../../support/environment.ts'
import { goodRun, runReport } from '../../support/report-runs.ts'
import { stdoutOf } from '../../support/stdout.ts'
import { tree } from '../../support/tree.ts'

/** What a run writes to its three places, with an output file of this name. */
async function report(run: RunResult, { output = 'output' } = {}) {
  await using folder = await tree({ output: '', summary: '' })
  const at = (file: string) => join(folder.root, file)
  let succeeded: boolean | undefined
  const variables = { GITHUB_OUTPUT: at(output), GITHUB_STEP_SUMMARY: at('summary') }
  const log = stdoutOf(() => {
    succeeded = withEnvironment(variables, () => writeReport(run))
  })
  const [outputs, html] = ['output', 'summary'].map((file) => readFileSync(at(file), 'utf8'))
  return { succeeded, log, outputs, html }
}

test('a run that posted everything succeeds, with outputs, a summary and a log', async () => {
  const { html, log, outputs, succeeded } = await report(goodRun())
  expect(succeeded).toBe(true)
  expect(log).toMatch(/^Posted 5 files in 3 channels\n {2}5 files: posted in /)
  expect(html).toMatch(/^<h3>✅ Posted 5 files in 3 channels/)
  expect(outputs).toMatch(/^status<<.*\r?\nposted\r?\n/)
})

test('an error fails the step, a warning does not', async () => {
  const problem = { title: 'x', text: text`y` }
  const succeeded = async (level: object) =>
    (await report(runReport({ status: 'failed', problems: [{ ...problem, ...level }] }))).succeeded
  expect([await succeeded({}), await succeeded({ level: 'warning' })]).toEqual([false, true])
})

test('outputs that cannot be written fail the step, and are one problem with that of the check', async () => {
  const { html, log, succeeded } = await report(goodRun(), { output: 'missing' })
  expect(succeeded).toBe(false)
  expect(log.match(/::error title=The outputs cannot be written::/g)).toHaveLength(1)
  expect(html?.match(/<strong>The outputs cannot be written</g)).toHaveLength(1)
})
