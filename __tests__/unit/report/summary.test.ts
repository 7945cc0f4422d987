import { tmpdir } from 'node:os'
import { describe, expect, test } from '@jest/globals'
import { errorProblem, notice, type Problem, warning } from '../../../src/problem.ts'
import { describeRun, type RunResult } from '../../../src/report/report.ts'
import * as summaries from '../../../src/report/summary.ts'
import { text } from '../../../src/text/text.ts'
import { withEnvironment } from '../../support/environment.ts'
import fc, { anyString } from '../../support/fast-check.ts'
import { expectOnlyOwnMarkup } from '../../support/only-own-markup.ts'
import {
  attacks,
  delivered,
  everywhere,
  foundFile,
  foundFiles,
  message,
  runOf,
  runReport,
  uploaded,
} from '../../support/report-runs.ts'
import { stdoutOf } from '../../support/stdout.ts'

const renderSummary = (run: RunResult) => summaries.renderSummary(describeRun(run))

describe('the job summary', () => {
  test('takes 1,000 files in 100 channels and stays far below 1 MiB', () => {
    const sent = uploaded(
      Array.from({ length: 1000 }, (_, index) => foundFile(`${'long/'.repeat(100)}${index}.csv`)),
    )
    const channels = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`C${index}`, 'posted' as const]),
    )
    const messages = sent.map((file) => message([file], channels))
    const summary = renderSummary(delivered('posted', messages))
    expect(Buffer.byteLength(summary)).toBeLessThan(200 * 1024)
    const rows = summary.match(/<tr><td><a/g)?.length ?? 0
    expect(rows).toBeGreaterThan(10)
    expect(summary.match(/<td colspan.*?<\/td>/g)).toEqual([
      `<td colspan="4">and ${1000 - rows} more files</td>`,
    ])
  })

  test('links to the page of the documentation that helps, at the commit in use', () => {
    const variables = {
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_ACTION_REPOSITORY: 'octo-org/upload',
      GITHUB_ACTION_REF: 'v1',
    }
    withEnvironment(variables, () => {
      const problems = [
        errorProblem('a', text`b`, 'errors'),
        notice('c', text`d`, 'partial'),
        notice('e', text`f`),
      ]
      const links = renderSummary(runReport({ status: 'failed', problems })).match(
        /(?<=href=")[^"]+/g,
      )
      const pages = 'https://github.com/octo-org/upload/blob/v1/docs/'
      expect(links).toEqual([`${pages}errors.md`, `${pages}outputs.md#send-the-rest-after-partial`])
      withEnvironment({ GITHUB_SERVER_URL: 'https://github.corp.example' }, () => {
        expect(renderSummary(runReport({ status: 'failed', problems }))).toContain(
          '<br>docs/outputs.md#send-the-rest-after-partial in octo-org/upload</p>',
        )
      })
    })
  })

  test('of a run that was skipped is its headline', () => {
    expect(renderSummary(runOf('skipped'))).toBe('<h3>⏭️ Skipped: nothing was posted</h3>\n')
  })

  test('that cannot be written is a line of the log', () => {
    const write = () => stdoutOf(() => summaries.writeSummary(describeRun(runOf('skipped'))))
    expect(withEnvironment({ GITHUB_STEP_SUMMARY: tmpdir() }, write)).toContain(
      'The job summary could not be written: `GITHUB_STEP_SUMMARY` is',
    )
  })
})

const found = { files: foundFiles(1), skipped: [], unmatched: [], problems: [] }
const renamed = { ...foundFile('a/b.csv'), name: 'c.csv' }
const failed = (problem: Problem) => runReport({ status: 'failed', problems: [problem] })

describe('the summary', () => {
  test.each<[string, RunResult, ...string[]]>([
    [
      'of a run that failed before any delivery lists the files as not sent',
      { ...failed(errorProblem('The token is unknown', text`Copy it.`)), found },
      '<h3>❌ Nothing was posted</h3>\n\n<p>❌ <strong>The token is unknown</strong><br>Copy it.</p>\n\n<table>',
      '<tr><td><code>reports/unit-1.csv</code></td><td align="right">100&nbsp;KB</td><td></td><td>not sent</td></tr>',
    ],
    [
      'of an accepted delivery says that the service accepted it',
      runOf('accepted: accepted'),
      '<h3>☑️ The service accepted 1 file for 1 channel',
      '<td>accepted</td>',
    ],
    [
      'of a partial delivery says which channel has what',
      delivered('partial', [message(uploaded(foundFiles(2)), { C1: 'posted', C2: 'not-sent' })]),
      '<h3>⚠️ Posted, but not everything arrived (<code>C1</code>, <code>C2</code>)</h3>',
      '<td rowspan="2" valign="top">posted<br>not sent: <code>C2</code></td></tr>\n<tr><td><a',
    ],
    ['of an unknown outcome', runOf('unknown'), '<h3>❓ It is unknown'],
    [
      'names three channels in the heading, and counts the others',
      runOf('posted: posted posted posted posted / posted posted posted posted'),
      '(<code>C1</code>, <code>C2</code>, <code>C3</code> and 1 more)</h3>',
      '<code>C4</code></a></td>',
    ],
    [
      'says how a file is named in the channel',
      { ...failed(errorProblem('x', text`y`)), found: { ...found, files: [renamed] } },
      '<code>a/b.csv</code><br>as <code>c.csv</code></td>',
    ],
    [
      'tells errors first, then warnings, then notices',
      runReport({
        status: 'failed',
        problems: [notice('c', text`3`), warning('b', text`2`), errorProblem('a', text`1`)],
      }),
      '❌ <strong>a</strong><br>1</p>\n\n<p>⚠️ <strong>b</strong><br>2</p>\n\n<p>ℹ️ <strong>c</strong><br>3</p>',
    ],
    [
      'shows words as text, and values and names as code',
      failed(
        errorProblem(
          'x',
          text`No (by ${'r-1'}). Ask ${'U1 (D1)'}, or ${'files.info()'}: "${'a-1'}".`,
        ),
      ),
      '<br>No (by <code>r-1</code>). Ask <code>U1 (D1)</code>, or <code>files.info()</code>: &#34;<code>a-1</code>&#34;.</p>',
    ],
  ])('%s', (_what, run, ...parts) => {
    for (const part of parts) expect(renderSummary(run)).toContain(part)
  })
})

describe('text from outside', () => {
  test('is only text in the summary, whatever it is', () => {
    for (const attack of attacks) expectOnlyText(attack)
    const pieces = fc.constantFrom(...'<>&"\n`*_@#:/ .a1()|\\', "'")
    fc.assert(
      fc.property(
        fc.oneof(anyString(), fc.string({ unit: pieces, maxLength: 30 })),
        expectOnlyText,
      ),
    )
  })

  test('shows what looks like escaped HTML as it is typed', () => {
    expect(renderSummary(goodRunOf('a&lt;b.csv'))).toContain('<code>a&#38;lt;b.csv</code>')
  })

  test('shows beginning and end of a long name', () => {
    const name = `reports/${'long/'.repeat(40)}unit.csv`
    expect(renderSummary(goodRunOf(name))).toMatch(
      /<code>reports\/long[^<]{20,60}…[^<]*\/unit\.csv<\/code>/,
    )
    expect(renderSummary(goodRunOf('x'.repeat(80)))).toContain(`<code>${'x'.repeat(80)}</code>`)
  })

  test('shows characters that cannot be seen', () => {
    expect(renderSummary(everywhere('a\n\u202eb\u001bc'))).toContain(
      '<code>a\\n\\u{202e}b\\u{1b}c</code>',
    )
  })
})

function goodRunOf(name: string): RunResult {
  return runReport({
    status: 'failed',
    found: { files: [foundFile(name)], skipped: [], unmatched: [], problems: [] },
  })
}

function expectOnlyText(value: string): void {
  expectOnlyOwnMarkup(renderSummary(everywhere(value)))
}
