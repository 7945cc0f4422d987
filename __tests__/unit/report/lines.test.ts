import { describe, expect, test } from '@jest/globals'
import type { FoundFiles } from '../../../src/files/files.ts'
import { tellEnd, tellFound } from '../../../src/report/lines.ts'
import { runnerLog } from '../../../src/report/log.ts'
import { headline, type RunReport } from '../../../src/report/run-report.ts'
import {
  attacks,
  delivered,
  deliveryReport,
  foundFile,
  foundFiles,
  goodRun,
  inChannels,
  runReport,
} from '../../support/report-runs.ts'
import { commandsIn, stdoutOf } from '../../support/stdout.ts'

function logOf(run: RunReport): string {
  return stdoutOf(() => {
    if (run.found !== undefined) tellFound(runnerLog, run.found)
    tellEnd(runnerLog, run)
  })
}

describe('the log', () => {
  test('of a good run of five files to three channels fits on 15 lines', () => {
    const log = logOf(goodRun())
    expect(log.split('\n').length).toBeLessThanOrEqual(15)
    expect(log).toMatchInlineSnapshot(`
"Found 5 files, 1.5 MB
  reports/unit-1.csv (100 KB)
  reports/unit-2.csv (200 KB)
  reports/unit-3.csv (300 KB)
  reports/unit-4.csv (400 KB)
  reports/unit-5.csv (500 KB)
Posted 5 files in 3 channels
  C1: 5 files posted, https://team.example/archives/C1/p1760688662900270
  C2: 5 files posted, https://team.example/archives/C2/p1760688662900271
  D3: 5 files posted, https://team.example/archives/D3/p1760688662900272
Took 3.4 s
"
`)
  })

  test('names what was left out and what matched nothing, and warns of what may be missed', () => {
    const found: FoundFiles = {
      files: [foundFile('a.csv')],
      leftOut: [
        { displayPath: '.cache/', reason: 'hidden', why: 'hidden' },
        { displayPath: 'key.pem', reason: 'credentials', why: 'holds a private key' },
        { displayPath: '.npmrc', reason: 'credentials', why: 'a known credential file' },
        { displayPath: 'empty.csv', reason: 'empty', why: 'empty' },
      ],
      unmatched: [{ pattern: 'covrage/**', literal: false, explanation: 'There is no folder covrage.\nIs it a typo?' }],
    }
    expect(logOf(runReport({ status: 'skipped', found }))).toMatchInlineSnapshot(`
"Found 1 file, 12 KB
  a.csv (12 KB)
Left out 1, and 3 that warnings name
  .cache/: hidden
No file matches covrage/**
  There is no folder covrage.
  Is it a typo?
Skipped: nothing was posted
::warning title=Files with credentials are left out::Left out: key.pem (holds a private key), .npmrc (a known credential file).%0AIf one of them is meant to be posted, copy it to another name.
::warning title=Empty files are left out::Left out: empty.csv (empty).%0AThe service takes no empty files.
"
`)
  })

  test('of a run that found nothing says so', () => {
    const log = stdoutOf(() => tellFound(runnerLog, { files: [], leftOut: [], unmatched: [] }))
    expect(log).toBe('Found no files\n')
  })

  test('explains 20 lines that match nothing, and counts the others', () => {
    const unmatched = Array.from({ length: 25 }, (_, at) => ({
      pattern: `${at}/*.csv`,
      literal: false,
      explanation: 'No such folder.',
    }))
    const log = stdoutOf(() => tellFound(runnerLog, { files: [], leftOut: [], unmatched }))
    expect(log.match(/No such folder/g)).toHaveLength(20)
    expect(log).toContain('\nNo file matches 5 other lines either\n')
  })

  test('has warnings and notices of the run itself too', () => {
    const warnings = [{ title: 'Old input', text: 'Use channels.' }]
    const notices = [{ title: 'No token', text: 'Forks get no secrets.' }]
    expect(logOf(runReport({ status: 'skipped', warnings, notices }))).toBe(
      'Skipped: nothing was posted\n::notice title=No token::Forks get no secrets.\n::warning title=Old input::Use channels.\n',
    )
  })

  test('of a partial delivery says what is where, and why the rest is not', () => {
    const sent = delivered(foundFiles(2))
    const delivery = deliveryReport(
      'partial',
      sent,
      inChannels(sent, { C1: 'posted', C2: 'not-sent', C3: 'unknown' }),
      {
        problems: [{ title: 'The app is not in the channel', text: 'C2: not_in_channel.\nInvite it: /invite @app' }],
        warnings: [{ title: 'Slow', text: 'It was slow.' }],
        notices: [{ title: 'No scope', text: 'The token may not look.' }],
      },
    )
    expect(logOf(runReport({ status: 'partial', delivery }))).toMatchInlineSnapshot(`
"Partly posted: some channels show it, the others do not
  C1: 2 files posted, https://team.example/archives/C1/p1760688662900270
  C2: not sent: reports/unit-1.csv, reports/unit-2.csv
  C3: not known whether posted: reports/unit-1.csv, reports/unit-2.csv
Took 3.4 s
::notice title=No scope::The token may not look.
::warning title=Slow::It was slow.
::error title=The app is not in the channel::C2: not_in_channel.%0AInvite it: /invite @app
"
`)
  })

  test('of a dry run says what would go where and what was found out', () => {
    const sent = delivered(foundFiles(1))
    const delivery = deliveryReport('dry-run', sent, inChannels(sent, { C1: 'not-sent' }))
    const findings = [
      { about: 'token', verdict: 'fine' as const },
      { about: 'C1', verdict: 'cannot-tell' as const, note: 'the token has no scope channels:read' },
      { about: 'C2', verdict: 'fails' as const, problem: { title: 'Not in it', text: 'Invite the app.' } },
    ]
    expect(logOf(runReport({ status: 'dry-run', dryRun: true, delivery, findings }))).toMatchInlineSnapshot(`
"Dry run: 1 file would go to 1 channel
Checked
  token: fine
  C1: cannot tell (the token has no scope channels:read)
  C2: fails (Not in it)
"
`)
  })

  test('tells which user a direct conversation is with, and a ts where there is no link', () => {
    const sent = delivered(foundFiles(1))
    const messages = [
      { conversation: { id: 'D1', requested: 'U1' }, state: 'posted' as const, files: sent, ts: '1.000001' },
    ]
    const log = logOf(runReport({ status: 'posted', delivery: deliveryReport('posted', sent, messages) }))
    expect(log).toContain('  U1 (D1): unit-1.csv posted, ts 1.000001\n')
  })

  test('has one line for what is in a channel, however many the messages, with the link to the first', () => {
    const sent = delivered(foundFiles(25))
    const messages = [sent.slice(0, 10), sent.slice(10, 20), sent.slice(20)].flatMap((files) =>
      inChannels(files, { C1: 'posted', C2: files.length === 5 ? 'not-sent' : 'posted' }),
    )
    const log = logOf(runReport({ status: 'partial', delivery: deliveryReport('partial', sent, messages) }))
    expect(log.split('\n').slice(1, 4)).toEqual([
      '  C1: 25 files posted in 3 messages, https://team.example/archives/C1/p1760688662900270',
      '  C2: 20 files posted in 2 messages, https://team.example/archives/C2/p1760688662900271',
      '  C2: not sent: reports/unit-21.csv, reports/unit-22.csv, reports/unit-23.csv, reports/unit-24.csv, reports/unit-25.csv',
    ])
  })

  test('names ten of the files that are missing in a channel, and counts the others', () => {
    const sent = delivered(foundFiles(1012))
    const delivery = deliveryReport('unknown', sent, inChannels(sent, { C1: 'unknown' }))
    const log = logOf(runReport({ status: 'unknown', delivery }))
    expect(log).toContain('reports/unit-9.csv, reports/unit-10.csv and 1,002 more\n')
  })

  test('of a warning about many files names ten', () => {
    const leftOut = Array.from({ length: 1012 }, (_, at) => ({
      displayPath: `${at}.csv`,
      reason: 'empty' as const,
      why: 'empty',
    }))
    const log = stdoutOf(() =>
      tellEnd(runnerLog, runReport({ status: 'skipped', found: { files: foundFiles(1), leftOut, unmatched: [] } })),
    )
    expect(log).toContain('8.csv, 9.csv (empty) and 1,002 more.%0A')
    expect(log).not.toContain('10.csv')
  })

  test.each(attacks)('prints no command but its own, whatever is in names and texts: %j', (attack) => {
    const files = Array.from({ length: 3 }, (_, at) => foundFile(`${at}${attack}`))
    const sent = delivered([...files, foundFile(attack)])
    const messages = inChannels(sent, { [attack]: 'posted' }).map((message) => ({
      ...message,
      permalink: attack,
      ts: attack,
    }))
    const problem = { title: attack, text: attack }
    const run = runReport({
      status: 'posted',
      found: {
        files,
        leftOut: [{ displayPath: attack, reason: 'hidden', why: attack }],
        unmatched: [{ pattern: attack, literal: true, explanation: attack }],
      },
      delivery: deliveryReport('posted', sent, messages, { problems: [problem] }),
      findings: [{ about: attack, verdict: 'fails', problem }],
    })
    expect(commandsIn(logOf(run)).filter((line) => !line.startsWith('::error title='))).toEqual([])
  })
})

describe('the headline', () => {
  const sent = delivered(foundFiles(2))
  const [first, second] = sent
  test.each<[string, RunReport]>([
    ['Posted 5 files in 3 channels', goodRun()],
    [
      'Posted 2 files in 1 channel',
      runReport({
        status: 'posted',
        delivery: deliveryReport(
          'posted',
          sent,
          sent.flatMap((one) => inChannels([one], { C1: 'posted' })),
        ),
      }),
    ],
    [
      'Partly posted: 1 of 2 files stand in the channel',
      runReport({
        status: 'partial',
        delivery: deliveryReport('partial', sent, inChannels(first ? [first] : [], { C1: 'posted' })),
      }),
    ],
    [
      'The service took 2 files for 1 channel',
      runReport({
        status: 'accepted',
        delivery: deliveryReport('accepted', sent, inChannels(sent, { C1: 'accepted' })),
      }),
    ],
    ['Skipped: nothing was posted', runReport({ status: 'skipped' })],
    [
      'Dry run: 2 files would go to 2 channels',
      runReport({
        status: 'dry-run',
        dryRun: true,
        delivery: deliveryReport('dry-run', sent, inChannels(sent, { C1: 'not-sent', C2: 'not-sent' })),
      }),
    ],
    [
      'Partly posted: 1 of 2 files stand in every channel',
      runReport({
        status: 'partial',
        delivery: deliveryReport('partial', sent, [
          ...inChannels(first ? [first] : [], { C1: 'posted', C2: 'posted' }),
          ...inChannels(second ? [second] : [], { C1: 'not-sent', C2: 'not-sent' }),
        ]),
      }),
    ],
    [
      'Partly posted: some channels show it, the others do not',
      runReport({
        status: 'partial',
        delivery: deliveryReport('partial', sent, inChannels(sent, { C1: 'posted', C2: 'not-sent' })),
      }),
    ],
    [
      'Posted 2 files in 1 channel, not all of them whole',
      runReport({ status: 'partial', delivery: deliveryReport('partial', sent, inChannels(sent, { C1: 'posted' })) }),
    ],
    ['It is not known whether everything was posted', runReport({ status: 'unknown' })],
    ['Nothing was posted', runReport({ status: 'failed' })],
    ['Dry run: posting would fail', runReport({ status: 'failed', dryRun: true })],
  ])('is "%s"', (text, run) => {
    expect(headline(run)).toBe(text)
  })
})
