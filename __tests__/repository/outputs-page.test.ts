// docs/outputs.md does what it says: its expressions, on the outputs of a run that ended partial.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { evaluate } from '../support/expressions.ts'
import { blocksOf } from '../support/repository.ts'
import { type Done, type Job, startJob } from '../support/step.ts'

interface PageStep {
  readonly env?: Readonly<Record<string, string>>
  readonly with?: Readonly<Record<string, string>>
}

const steps: readonly PageStep[] = blocksOf('docs/outputs.md', 'yaml')
  .map((block) => parse(block))
  .filter(Array.isArray)
  .flat()

/**
 * In the order of posting: the last two are not sent at first, and their names look like patterns.
 */
const names = [
  ...Array.from({ length: 10 }, (_, at) => `!${at}.csv`),
  '#1.csv',
  'unit [0]{1,2}*?.csv',
]
let job: Job
let first: Done

beforeAll(async () => {
  const files = Object.fromEntries(names.map((name) => [name, name]))
  job = await startJob({ files, inputs: { method: 'external', files: '*.csv' } })
  const fault = { kind: 'error', code: 'restricted_action' } as const
  job.sandbox.faults.add({ on: 'files.completeUploadExternal', call: 2, fault })
  first = await job.attempt(1)
})
afterAll(() => job.stop())

/** The environment of a step of the page. */
const environmentOf = (step: PageStep | undefined) =>
  Object.fromEntries(
    Object.entries(step?.env ?? {}).map(([name, text]) => [
      name,
      evaluate(text, {
        steps: { overview: first },
        vars: { SLACK_CHANNEL: job.sandbox.channels.general },
        github: { token: 'none', event: { release: { tag_name: 'v1' } } },
      }),
    ]),
  )

test('expressions give names, number and links of what was posted', () => {
  expect(first.outputs['status']).toBe('partial')
  const [message] = first.messages
  const titles = message?.files.map(({ title }) => title) ?? []
  const environment = Object.assign({}, ...steps.map(environmentOf))
  expect(environment).toMatchObject({
    COUNT: '10',
    NAMES: titles.join(', '),
    FIRST: expect.stringMatching(/\/files\/\w+\/F\w+\/!0/),
    PERMALINK: expect.stringContaining(`/p${message?.ts.replace('.', '')}`),
  })
})

test('the step after partial sends the files that are in no channel, so that each is there once', async () => {
  const { files = '' } =
    steps.find(({ with: inputs }) => inputs?.['files']?.includes('not-sent'))?.with ?? {}
  const notSent = evaluate(files, { steps: { overview: first } })
  expect(JSON.parse(notSent)).toEqual(names.slice(10).map((path) => ({ path, name: path })))

  const second = await job.attempt(1, { inputs: { files: notSent } })
  expect(second.outputs).toMatchObject({ status: 'posted', 'not-sent': '[]' })
  const postings = job.sandbox.workspace.postings()
  expect(postings.map(({ times, title }) => [title, times])).toEqual(names.map((name) => [name, 1]))
})
