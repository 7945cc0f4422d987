import { readFileSync } from 'node:fs'
import { EOL, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { ProblemError } from '../../../src/problem.ts'
import * as rendering from '../../../src/report/outputs.ts'
import { requireOutputFile, setOutputs } from '../../../src/report/outputs.ts'
import { describeRun, type RunResult } from '../../../src/report/report.ts'
import type { Posting } from '../../../src/service/service.ts'
import { quoted } from '../../../src/text/text.ts'
import { withEnvironment } from '../../support/environment.ts'
import {
  attacks,
  delivered,
  foundFile,
  foundFiles,
  message,
  runOf,
  runReport,
  uploaded,
} from '../../support/report-runs.ts'
import { tree } from '../../support/tree.ts'

const renderOutputs = (run: RunResult) => rendering.renderOutputs(describeRun(run))

describe('the outputs', () => {
  test('of a partial run name what is posted, and every message with its state', () => {
    const { values } = renderOutputs(
      runOf('partial: posted not-sent / unknown unknown / not-sent not-sent'),
    )
    expect([values.count, values['file-ids']]).toEqual(['1', 'F1'])
    expect(JSON.parse(values.files)).toEqual([expect.objectContaining({ name: 'unit-1.csv' })])
    expect(JSON.parse(values.messages)).toMatchObject([
      { channel: 'C1', state: 'posted' },
      { channel: 'C2', state: 'not-sent' },
      { channel: 'C1', state: 'unknown' },
      { channel: 'C2', state: 'unknown' },
      { channel: 'C1', state: 'not-sent', paths: ['reports/unit-3.csv'] },
      { channel: 'C2', state: 'not-sent', paths: ['reports/unit-3.csv'] },
    ])
  })

  test('list what may be sent again to all channels: only files that are certainly in none of them', () => {
    const notSentOf = (run: RunResult) => JSON.parse(renderOutputs(run).values['not-sent'])
    const run = runOf(
      'unknown: posted accepted / posted not-sent / not-sent unknown / not-sent not-sent',
    )
    expect(notSentOf(run)).toEqual([{ path: 'reports/unit-4.csv', name: 'unit-4.csv' }])
    const found = { files: foundFiles(1), skipped: [], unmatched: [], problems: [] }
    expect(notSentOf(runReport({ status: 'failed', found }))).toEqual([
      { path: 'reports/unit-1.csv', name: 'unit-1.csv' },
    ])
    expect(notSentOf({ ...runOf('posted: posted'), found })).toEqual([])
  })

  test('give channel, ts and permalink of one message, the first that has a ts', () => {
    const [file] = uploaded(foundFiles(1))
    const outputsOf = (postings: readonly Omit<Posting, 'channel'>[]) => {
      const messages = postings.map((posting, index) => ({
        files: file ? [file] : [],
        postings: [{ channel: { id: `C${index + 1}`, requested: '#name' }, ...posting }],
      }))
      return renderOutputs(delivered('posted', messages)).values
    }
    const { channel, permalink, ts } = outputsOf([
      { state: 'accepted' },
      { state: 'posted', ts: '2.000000' },
      { state: 'posted', ts: '3.000000', permalink: 'https://team.example/b' },
    ])
    expect([channel, ts, permalink]).toEqual(['C2', '2.000000', ''])
    expect(outputsOf([{ state: 'accepted' }])).toMatchObject({ channel: '', ts: '', permalink: '' })
  })

  test('of a server that names no IDs count its files all the same', () => {
    const sent = foundFiles(2).map((file) => ({ file }))
    const { values } = renderOutputs(
      delivered('accepted', [message(sent, { general: 'accepted' })]),
    )
    expect([values.count, values['file-ids']]).toEqual(['2', ''])
    expect(JSON.parse(values.files)[1]).toEqual({
      path: 'reports/unit-2.csv',
      name: 'unit-2.csv',
      size: 200_000,
    })
    expect(JSON.parse(values.messages)).toEqual([
      {
        channel: 'general',
        requested: 'general',
        state: 'accepted',
        files: [],
        paths: ['reports/unit-1.csv', 'reports/unit-2.csv'],
      },
    ])
  })

  test('stay below what an environment variable holds, as JSON, and a warning says so', () => {
    const sent = uploaded(
      Array.from({ length: 2000 }, (_, index) => foundFile(`größe/${index}.csv`)),
    )
    const { values, problems } = renderOutputs(
      delivered('partial', [
        message(sent.slice(0, 1), { C1: 'posted' }),
        { files: sent.slice(1), postings: [] },
      ]),
    )
    expect([values.count, problems]).toEqual(['1', []])

    const all = renderOutputs(delivered('posted', [message(sent, { C1: 'posted' })]))
    expect(Buffer.byteLength(all.values.files)).toBeLessThanOrEqual(120_000)
    expect(Buffer.byteLength(all.values.files)).toBeGreaterThan(119_900)
    const files = uploaded([foundFile('x'.repeat(120_000)), foundFile('a.csv')])
    expect(
      renderOutputs(delivered('posted', [message(files, { C1: 'posted' })])).values.files,
    ).toBe('[]')
    expect(all.problems.map(({ text, title }) => [title, quoted(text)])).toEqual([
      [
        'JSON outputs are cut short',
        'Not all entries fit into an environment variable, so these outputs hold only the first ones: `files`.',
      ],
    ])
    expect(all.values.count).toBe('2000')
  })

  test('arrive in the runner’s file as they are, whatever is in names', async () => {
    await using folder = await tree({ output: '' })
    const path = join(folder.root, 'output')
    const { files, postings } = message(uploaded(attacks.map((attack) => foundFile(attack))), {
      C1: 'posted',
    })
    const hostile = {
      files,
      postings: postings.map((one) => ({ ...one, ts: 'x\nstatus=failed\n::error::x' })),
    }
    const run = delivered('posted', [hostile])
    const { values } = renderOutputs(run)
    expect(
      withEnvironment({ GITHUB_OUTPUT: path }, () => setOutputs(describeRun(run))).problems,
    ).toEqual([])
    const written = readFileSync(path, 'utf8')
    const [, delimiter = ''] = /^ts<<(ghadelimiter_[\w-]{36})$/m.exec(written) ?? []
    for (const [name, value] of Object.entries(values)) {
      expect(written).toContain([`${name}<<${delimiter}`, value, delimiter].join(EOL))
    }
    expect(JSON.parse(values.files).map((file: { path: string }) => file.path)).toEqual(attacks)
  })

  test.each([
    ['failed', ''],
    ['posted', ' Everything was posted: another run would post it again.'],
    ['accepted', ' Everything was posted: another run would post it again.'],
  ] as const)('that cannot be written are a problem of a run that %s', (status, posted) => {
    const variables = { GITHUB_OUTPUT: tmpdir() }
    expect(() => withEnvironment(variables, requireOutputFile)).toThrow(ProblemError)
    const { problems } = withEnvironment(variables, () =>
      setOutputs(describeRun(delivered(status, []))),
    )
    expect(problems.map(({ level, text, title }) => [level, title, quoted(text)])).toEqual([
      [
        'error',
        'The outputs cannot be written',
        `\`GITHUB_OUTPUT\` is \`${tmpdir()}\`, which is not a regular file. Later steps see no outputs.${posted}\nThe runner creates this file for the step. Did a step change it or its variable, or is the disk full?`,
      ],
    ])
  })
})
