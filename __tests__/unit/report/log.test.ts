import { describe, expect, test } from '@jest/globals'
import type { FoundFile, FoundFiles } from '../../../src/files/files.ts'
import { errorProblem, notice, warning } from '../../../src/problem.ts'
import {
  documentation,
  logFiles,
  logReport,
  runnerLog,
  withoutCommands,
} from '../../../src/report/log.ts'
import { describeRun, type RunResult } from '../../../src/report/report.ts'
import { text, words } from '../../../src/text/text.ts'
import { withEnvironment } from '../../support/environment.ts'
import fc, { anyString } from '../../support/fast-check.ts'
import { grid } from '../../support/grid.ts'
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
import { commandsIn, stdoutOf } from '../../support/stdout.ts'

describe('a line of the log', () => {
  test('is printed so that nothing in it is a command, or cannot be seen', async () => {
    const lines = `
::error::x
  ::error::x
##[error]x
name ##[group]x
a⏎b\r\tc
\u001b[31mred
\u202egpj.exe
a\u2028b
C:\\x, std::vector, # [x], #1
größe 🏳️‍🌈 می‌خواهم %0A
`
    const printed = (line: string) => stdoutOf(() => runnerLog.info(line)).slice(0, -1)
    expect(await grid(lines, printed)).toMatchInlineSnapshot(`
"::error::x
    : :error::x
  ::error::x
      : :error::x
##[error]x
    # #[error]x
name ##[group]x
    name # #[group]x
a⏎b<d><9>c
    a\\nb\\r\\tc
<1b>[31mred
    \\u{1b}[31mred
<202e>gpj.exe
    \\u{202e}gpj.exe
a<2028>b
    a\\u{2028}b
C:\\x, std::vector, # [x], #1
größe 🏳️<200d>🌈 می<200c>خواهم %0A"
`)
  })

  test('is never a workflow command, whatever it holds', () => {
    const pieces = fc.constantFrom(...':#[] \n\u200b\u200d\u00a0\u0301', '::', '##', 'error', '%0A')
    const anyText = fc.oneof(fc.constantFrom(...attacks), anyString(), fc.string({ unit: pieces }))
    fc.assert(
      fc.property(anyText, (line) => {
        expect(commandsIn(withoutCommands(line))).toEqual([])
      }),
    )
  })

  test('is a debug line only when step debug logging is on', () => {
    // Tests do not inherit RUNNER_DEBUG.
    const written = () => stdoutOf(() => runnerLog.debug('a\n::error::b %'))
    expect(written()).toBe('')
    expect(withEnvironment({ RUNNER_DEBUG: '1' }, written)).toBe('::debug::a\\n::error::b %25\n')
  })
})

describe('a list', () => {
  test('of more than ten lines is folded', () => {
    const lines = Array.from({ length: 11 }, (_, index) => `file ${index}`)
    const ten = lines.slice(1)
    expect(stdoutOf(() => runnerLog.list('Found 10', ten))).toBe(
      `${['Found 10', ...ten].join('\n  ')}\n`,
    )
    const group = ['::group::Found 11', ...lines, '::endgroup::', '']
    expect(stdoutOf(() => runnerLog.list('Found 11', lines))).toBe(group.join('\n'))
    expect(stdoutOf(() => runnerLog.list('of ##[error]x', []))).toBe('of # #[error]x\n')
  })
})

describe('a problem', () => {
  test('names the page that helps, at the commit in use', async () => {
    const github = {
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_ACTION_REPOSITORY: 'octo-org/upload',
      GITHUB_ACTION_REF: 'v1',
    }
    const variables = `
{}
{"GITHUB_SERVER_URL":"https://github.corp.example"}
{"GITHUB_ACTION_REPOSITORY":""}
{"GITHUB_ACTION_REF":""}
`
    const logged = (line: string) =>
      withEnvironment({ ...github, ...JSON.parse(line) }, () =>
        stdoutOf(() => runnerLog.problem(errorProblem('a', [], 'errors'))),
      )
    // On another server, the action's repository could be there or on github.com.
    expect(await grid(variables, logged)).toMatchInlineSnapshot(`
"{}
    ::error title=a::%0ASee https://github.com/octo-org/upload/blob/v1/docs/errors.md⏎
{"GITHUB_SERVER_URL":"https://github.corp.example"}
    ::error title=a::%0ASee docs/errors.md in octo-org/upload⏎
{"GITHUB_ACTION_REPOSITORY":""}
    ::error title=a::⏎
{"GITHUB_ACTION_REF":""}
    ::error title=a::⏎"
`)
    expect(withEnvironment(github, () => documentation(notice('a', [])))).toBe('')
  })

  test.each(['error', 'warning', 'notice'] as const)(
    'is one annotation with a title: %s',
    (level) => {
      const problem = {
        title: 'The app: not in, 100 %',
        text: text`${'C1'}: ${'not_in_channel'}.\nInvite the app.`,
      }
      expect(stdoutOf(() => runnerLog.problem({ ...problem, level }))).toBe(
        `::${level} title=The app%3A not in%2C 100 %25::\`C1\`: \`not_in_channel\`.%0AInvite the app.\n`,
      )
    },
  )

  test.each(attacks)('prints no other command, in title and text: %j', (attack) => {
    // Also outside of a value, because the log must not rely on backticks.
    const hostile = text`first\n${attack}\n${words(attack)}`
    const output = stdoutOf(() => runnerLog.problem(errorProblem(attack, hostile)))
    const [line = '', ...rest] = output.split('\n')
    expect(rest).toEqual([''])
    expect(line).toMatch(/^::error title=/)
    // The log, after the runner has undone the escapes.
    const printed = line
      .slice(line.indexOf('::', 2) + 2)
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%25', '%')
    expect(commandsIn(printed)).toEqual([])
  })
})

function logOf(run: RunResult): string {
  return stdoutOf(() => {
    if (run.found !== undefined) logFiles(run.found)
    logReport(describeRun(run))
  })
}

const goFiles = uploaded([{ ...foundFile('cmd/main.go'), name: 'main-1.go', title: 'Report A' }])

describe('the log', () => {
  test('names what matched nothing, and what was skipped', () => {
    const found: FoundFiles = {
      files: [foundFile('a.csv', 5), { ...foundFile('c.csv', 0), name: 'd' }],
      skipped: [{ path: 'b.csv', reason: 'hidden', why: text`is so` }],
      unmatched: [
        { pattern: 'covrage/**', literal: false, explanation: [text`There is no ${'covrage'}.`] },
      ],
      problems: [],
    }
    expect(logOf(runReport({ status: 'skipped', found }))).toBe(
      'Found 2 files, 5 B\n  a.csv (5 B)\n  c.csv as d (0 B)\nSkipped 1 file\n  b.csv is so\nNo file to send for covrage/**\n  There is no `covrage`.\nSkipped: nothing was posted\n  a.csv not sent\n  c.csv not sent\n',
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
    const unmatched = [{ pattern: 'a', literal: false }]
    const log = stdoutOf(() => logFiles({ files: [], skipped: [], unmatched, problems: [] }))
    expect(log).toBe('No files found\n1 more pattern matched nothing\n')
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
      message(uploaded(foundFiles(1)), { C1: 'accepted', C2: 'unknown' }),
      message([], { C1: 'posted' }),
    ]
    expect(logOf(delivered('partial', messages, { problems }))).toMatchInlineSnapshot(`
"Posted, but not everything arrived
  2 files posted in C1, https://team.example/archives/C1/p1760688662900270; not sent to C2; unknown whether posted in C3: reports/unit-1.csv, reports/unit-2.csv
  reports/unit-1.csv accepted in C1; unknown whether posted in C2
  the comment posted in C1, https://team.example/archives/C1/p1760688662900270
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
})
