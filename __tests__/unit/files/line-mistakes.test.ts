import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { mistakeInText } from '../../../src/files/line-mistakes.ts'
import { quoted } from '../../../src/text/text.ts'

describe('the mistake in the text of a pattern', () => {
  test.each<[pattern: string, mistake: string]>([
    ['$GITHUB_WORKSPACE/a.csv', 'Write `${{ github.workspace }}`'],
    ['${RUNNER_TEMP}/a.csv', 'Write `${{ runner.temp }}`'],
    ['$HOME/a.csv', 'Write `~`'],
    ['$env:USERPROFILE/a.csv', 'Write `~`'],
    ['%USERPROFILE%/a.csv', 'Write `~`'],
    ['$MY_GITHUB_TOKEN/a.csv', 'Write `${{ env.MY_GITHUB_TOKEN }}`'],
    ['out/$NAME.csv', '`$NAME` is taken literally: no shell reads this text. Write `${{ env.NAME }}`.'],
    ['%OUT%/a.csv', '`%OUT%` is taken literally'],
    [
      'out-$(date +%F).csv',
      '`$(date +%F)` is taken literally: no shell reads this text. Run it in an earlier step, and write its output, such as `${{ steps.ID.outputs.NAME }}`.',
    ],
    ['`pwd`/*.csv', 'is taken literally: no shell reads this text. Run it in an earlier step'],
    [
      'https://example.com/a.csv',
      'This is an address. Files are sent from the disk of the runner: download it in an earlier step, and write its path.',
    ],
    ['${{ inputs.path }}/a.csv', 'An expression is still in the text'],
    ['"reports/*.csv"', 'The quotes are taken as part of the name: remove them.'],
    ["'reports/*.csv'", 'The quotes are taken as part of the name'],
    ['- reports/*.csv', '`files` is text, not a YAML list. Remove the leading `- `: write one pattern per line.'],
    ['reports\\*.csv', '`\\` makes the character after it literal. Write folders with `/`: `reports/*.csv`.'],
    [
      '^reports/.+\\.csv$',
      'This looks like a regular expression, and patterns are globs: `*` alone matches any name. Write `reports/*.csv`.',
    ],
    ['*.csv, b.csv', 'The comma is taken as part of the name: write one pattern per line, below `files: |`.'],
    ['[a,b].csv', 'The comma is taken as part of the name'],
    ['a.csv  b.csv', 'The space is taken as part of the name: write one pattern per line, below `files: |`.'],
    ['"coverage.csv" "tests.csv"', 'The space is taken as part of the name'],
    ['reports/unit reports/api', 'The space is taken as part of the name'],
    ['reports/*.csv; coverage/*.xml', 'The semicolon is taken as part of the name: write one pattern per line'],
    ['coverage.csv;tests.csv', 'The semicolon is taken as part of the name'],
    ['[ "a.csv"', '`files` is text, not a JSON list. Write one pattern per line, without `[`, `]`, quotes and commas.'],
    ['[', '`files` is text, not a JSON list.'],
    ["['reports/*.csv']", '`files` is text, not a JSON list.'],
    ['"reports/*.csv",', '`files` is text, not a JSON list.'],
    [']', '`files` is text, not a JSON list.'],
    ['reports/*/', 'A wildcard with `/` at the end matches folders only. For the files in them write `reports/*/**`.'],
  ])('%s', (pattern, mistake) => {
    expect(quoted(mistakeInText(pattern, path.posix) ?? [])).toContain(mistake)
  })

  const names =
    'reports/*.csv | a{b,c}.csv | it\'s "so".csv | a`b.csv | $(a | a:/b | a-b.csv | my report.csv | reports/Test Results.csv | report v1.2 final.csv | issue #12.csv | cost$5.csv'
  const classes =
    'a (1).csv | a;b.csv | [ab].csv | a[b.c] | a[ | ]b | a{bc,de}.csv | a"b" | "a"b | [0-9] | 100%.csv | reports/'
  test.each([...`${names} | ${classes}`.split(' | '), 'a - b.csv'])('is not seen in %s', (pattern) => {
    expect(mistakeInText(pattern, path.posix)).toBeUndefined()
  })

  test('is no \\ on Windows', () => {
    expect(mistakeInText('reports\\*.csv', path.win32)).toBeUndefined()
  })

  test.each(['reports\\*\\', 'reports/*/'])('is a separator after a wildcard on Windows: %s', (pattern) => {
    expect(quoted(mistakeInText(pattern, path.win32) ?? [])).toContain('For the files in them write `reports/*/**`.')
  })
})
