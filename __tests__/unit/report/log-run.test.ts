import { describe, expect, test } from '@jest/globals'
import type { FoundFile, FoundFiles, SkipReason } from '../../../src/files/files.ts'
import { errorProblem, notice, warning } from '../../../src/problem.ts'
import { logFiles, logReport } from '../../../src/report/log.ts'
import { describeRun, type RunResult } from '../../../src/report/report.ts'
import { text } from '../../../src/text/text.ts'
import { headline } from '../../fuzz/check.ts'
import { grid } from '../../support/grid.ts'
import {
  delivered,
  foundFile,
  foundFiles,
  message,
  runOf,
  runReport,
  uploaded,
} from '../../support/report-runs.ts'
import { stdoutOf } from '../../support/stdout.ts'

function logOf(run: RunResult): string {
  return stdoutOf(() => {
    if (run.found !== undefined) logFiles(run.found)
    logReport(describeRun(run))
  })
}

const goFiles = uploaded([{ ...foundFile('cmd/main.go'), name: 'main-1.go', title: 'Report A' }])

describe('the log', () => {
  test('names what matched nothing, and what was skipped, with a warning about what may be missed', () => {
    const reasons =
      'hidden not-a-file link-upward credentials link-outside link-broken empty pointer unreadable'.split(
        ' ',
      )
    const found: FoundFiles = {
      files: [foundFile('a.csv')],
      skipped: reasons.map((reason) => ({
        path: `${reason}.csv`,
        reason: reason as SkipReason,
        why: text`is so`,
      })),
      unmatched: [
        { pattern: 'covrage/**', literal: false, explanation: [text`There is no ${'covrage'}.`] },
      ],
      problems: [],
    }
    const log = logOf(runReport({ status: 'skipped', found })).split('\n')
    expect(log.slice(2, 12)).toEqual([
      'Skipped 9 files',
      ...reasons.map((reason) => `  ${reason}.csv is so`),
    ])
    expect(log.slice(12, 14)).toEqual([
      'No file to send for covrage/**',
      '  There is no `covrage`.',
    ])
    const warned = log.filter((line) => line.startsWith('::warning'))
    expect(warned.map((line) => /(?:::|; )`(.*)\.csv` is so\.%0A./.exec(line)?.[1])).toEqual(
      reasons.slice(3),
    )
  })

  test.each([
    'posted: posted',
    'accepted: accepted',
    'unknown: unknown',
    'partial: posted / not-sent',
    'partial: posted / ',
    'dry-run: not-sent',
    'failed',
  ])(
    'has no line with a path, a colon and a blank, which a problem matcher would take for an error of the file: %s',
    (line) => {
      const run = runOf(line)
      const messages = run.delivery?.messages.map((one) => ({ ...one, files: goFiles }))
      const delivery = run.delivery && { ...run.delivery, messages: messages ?? [] }
      const why = text`is empty`
      const found: FoundFiles = {
        files: goFiles.map(({ file }) => file),
        remarks: [text`${'!cmd/idle.go'} excluded nothing`],
        skipped: [{ path: 'cmd/empty.go', reason: 'empty', why }],
        unmatched: [
          { pattern: 'cmd/no.go', literal: true, explanation: [text`${'cmd/x.go'} ${why}`] },
        ],
        problems: [],
      }
      const log = logOf({ ...run, ...(delivery && { delivery }), found })
      expect(log).toContain('cmd/main.go')
      expect(log).toContain('cmd/empty.go')
      expect(log).not.toMatch(/\.go: /)
    },
  )

  test('counts patterns that are not explained', () => {
    const unmatched = ['a', 'b'].map((pattern) => ({ pattern, literal: false }))
    const log = stdoutOf(() => logFiles({ files: [], skipped: [], unmatched, problems: [] }))
    expect(log).toBe('No files found\n2 more patterns matched nothing\n')
  })

  test.each([
    ['partial: posted / not-sent', '1 of 2'],
    ['partial: posted not-sent / posted', '1 of 2'],
    ['unknown: posted / unknown', undefined],
    ['partial: posted / posted', undefined],
  ])('says which files another run would post twice: %s', (run, count) => {
    const notice = logOf(runOf(run))
      .split('\n')
      .find((line) => line.startsWith('::notice'))
    expect(notice).toBe(
      count &&
        `::notice title=Some files are already posted::If you run the step again, it posts ${count} files a second time. To send only the missing files: \`files: \${{ steps.<id>.outputs.not-sent }}\`.`,
    )
  })

  test('of a partial delivery says what is where, and why the rest is not', () => {
    const explanation = text`${'C2'}: ${'not_in_channel'}.\nInvite it: ${'/invite @app'}`
    const problems = [
      errorProblem('The app is not in the channel', explanation),
      warning('Slow', text`It was slow.`),
      notice('No scope', text`The token may not look.`),
    ]
    const messages = [
      message(uploaded(foundFiles(2)), { C1: 'posted', C2: 'not-sent', C3: 'unknown' }),
    ]
    expect(logOf(delivered('partial', messages, { problems }))).toMatchInlineSnapshot(`
"Posted, but not everything arrived
  2 files posted in C1, https://team.example/archives/C1/p1760688662900270; not sent to C2; unknown whether posted in C3: reports/unit-1.csv, reports/unit-2.csv
::notice title=No scope::The token may not look.
::warning title=Slow::It was slow.
::error title=The app is not in the channel::\`C2\`: \`not_in_channel\`.%0AInvite it: \`/invite @app\`
"
`)
  })

  test('says which channels were not checked', () => {
    const checks = [
      { subject: 'C1', result: 'ok', note: text`general` },
      { subject: 'C2', result: 'unknown', note: text`no response in time` },
    ] as const
    const posted = [message(uploaded(foundFiles(1)), { C1: 'posted', C2: 'posted' })]
    expect(logOf(delivered('posted', posted, { checks }))).toContain(
      '\nNot checked\n  C2: unknown (no response in time)\n',
    )
  })

  test('of a dry run shows the comments and the titles, if there are some', () => {
    const logFor = (files: readonly FoundFile[], comments: readonly string[]) =>
      logOf(delivered('dry-run', [message(uploaded(files), { C1: 'not-sent' })], { comments }))
    const titled = { ...foundFile('a.csv'), title: 'Report A' }
    expect(logFor([titled, foundFile('b.csv')], ['*a*\n\n::error::x', 'b'])).toContain(
      '\nComment\n  *a*\n  \n  : :error::x\nComment\n  b\nTitles\n  a.csv as Report A\n',
    )
    expect(logFor(foundFiles(1), [])).not.toMatch(/Comment|Titles/)
  })

  test('shows which user a direct conversation is with, and a ts where there is no link', () => {
    const files = uploaded(foundFiles(1))
    const posting = {
      channel: { id: 'D1', requested: 'U012345678' },
      state: 'posted' as const,
      ts: '1.000001',
    }
    const log = logOf(delivered('posted', [{ files, postings: [posting] }]))
    expect(log).toContain(
      'Posted 1 file in 1 channel\n  reports/unit-1.csv posted in U012345678 (D1), ts 1.000001\n',
    )
  })

  test('has one line for each message, with the link to it in the first channel', () => {
    const files = uploaded(foundFiles(25))
    const messages = [0, 10].map((from) =>
      message(files.slice(from, from + 10), { C1: 'posted', C2: 'posted' }),
    )
    messages.push(message(files.slice(20), { C1: 'posted', C2: 'not-sent' }))
    const log = logOf(delivered('partial', messages))
    expect(log.split('\n').slice(1, 4)).toEqual([
      '  10 files posted in C1, C2, first: https://team.example/archives/C1/p1760688662900270',
      '  10 files posted in C1, C2, first: https://team.example/archives/C1/p1760688662900270',
      '  5 files posted in C1, https://team.example/archives/C1/p1760688662900270; not sent to C2: reports/unit-21.csv, reports/unit-22.csv, reports/unit-23.csv, reports/unit-24.csv, reports/unit-25.csv',
    ])
  })

  test('names ten of the files that are missing in a channel, and counts the others', () => {
    const log = logOf(
      delivered('unknown', [message(uploaded(foundFiles(1012)), { C1: 'unknown' })]),
    )
    expect(log).toContain('reports/unit-9.csv, reports/unit-10.csv and 1,002 more\n')
  })

  test('of a warning about many files names ten', () => {
    const empty = { reason: 'empty', why: text`is empty` } as const
    const skipped = Array.from({ length: 1012 }, (_, index) => ({ path: `${index}.csv`, ...empty }))
    const run = runReport({
      status: 'skipped',
      found: { files: foundFiles(1), skipped, unmatched: [], problems: [] },
    })
    const log = stdoutOf(() => logReport(describeRun(run)))
    expect(log).toContain('`9.csv` is empty and 1,002 more.%0A')
    expect(log).not.toContain('10.csv')
  })
})

test('the headline says what became of the run', async () => {
  const runs = `
posted: posted / posted
posted: posted posted
accepted: accepted
partial
dry-run: not-sent
skipped
unknown
failed
`
  const shown = await grid(runs, (run) => {
    const line = describeRun(runOf(run)).headline
    expect(line).toMatch(headline)
    return line
  })
  expect(shown).toMatchInlineSnapshot(`
"posted: posted / posted
    Posted 2 files in 1 channel
posted: posted posted
    Posted 1 file in 2 channels
accepted: accepted
    The service accepted 1 file for 1 channel
partial
    Posted, but not everything arrived
dry-run: not-sent
    Dry run: 1 file would be posted to 1 channel
skipped
    Skipped: nothing was posted
unknown
    It is unknown whether everything was posted
failed
    Nothing was posted"
`)
  const headlineOf = (run: RunResult) => describeRun(run).headline
  expect(headlineOf(delivered('dry-run', []))).toBe(
    'Dry run: 0 files would be posted to 0 channels',
  )
  expect(headlineOf(runReport({ status: 'failed', dryRun: true }))).toBe(
    'Dry run: posting would fail',
  )
})
