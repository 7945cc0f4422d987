// Files that a pattern matches and that are not sent: each is reported, and no report shows the token.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { withChange } from '../support/change-file.ts'
import { type Done, errorsIn, runStep } from '../support/step.ts'

function shown({ outputs, stderr, stdout, summary }: Done): string {
  const log = stdout.split('\n').filter((line) => !line.startsWith('::add-mask::'))
  return [...log, stderr, summary, ...Object.values(outputs)].join('\n')
}

test('a file with the token in its name is skipped, and its name is shown without the token', async () => {
  const done = await runStep({
    files: { 'a.csv': '1' },
    inputs: { files: '*.csv\nreports/*.csv' },
    prepare: ({ tokens }, folder) => writeFile(join(folder, `b-${tokens.all}.csv`), '2'),
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
  expect(done.stdout).toContain('b-***.csv')
  expect(shown(done)).not.toContain(done.token)
  expect(JSON.stringify(done.requests.map(({ fields }) => fields))).not.toContain(`b-${done.token}`)
})

describe('a file that cannot be read', () => {
  const unreadable = withChange({ file: 'b.csv', when: 'opened', time: 0, to: 'unreadable' })
  const files = { 'a.csv': '1', 'b.csv': '2' }

  test('is skipped if only a wildcard matches it', async () => {
    const done = await runStep({ files, inputs: { files: '*.csv' }, ...unreadable })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
    expect(done.stdout).toContain('`b.csv` (cannot be read (`EACCES')
  })

  test('fails the step if a pattern names it', async () => {
    const done = await runStep({ files, inputs: { files: '*.csv\nb.csv' }, ...unreadable })
    expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' }, messages: [] })
    expect(errorsIn(done)).toMatchObject([
      { title: 'A file cannot be read', text: expect.stringContaining('`b.csv` cannot be read (`EACCES') },
    ])
  })
})

test('private keys and credential files are skipped', async () => {
  const key = `-----BEGIN ${'PGP PRIVATE KEY BLOCK-----'}`
  const files = { 'a.csv': '1', 'b.gpg': key, 'c.env': 'X=1', 'kubeconfig.yaml': 'x' }
  const done = await runStep({ files, inputs: { files: '*' } })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
})

describe('a pattern that matches nothing', () => {
  test.each([
    ['error', 1, 'failed', /^::error title=No files found::.*Further down there is `reports\/unit\/a\.csv`/m],
    ['warn', 0, 'skipped', /^::warning title=No files found::.*Further down there is `reports\/unit\/a\.csv`/m],
    ['ignore', 0, 'skipped', /^Skipped: nothing was posted$/m],
  ] as const)('with if-no-files-found: %s', async (policy, code, status, line) => {
    const done = await runStep({
      files: { 'reports/unit/a.csv': 'x' },
      inputs: { files: 'reports/*.csv', 'if-no-files-found': policy },
    })
    expect(done).toMatchObject({ code, requests: [], outputs: { status, count: '0' } })
    expect(done.stdout).toMatch(line)
    if (policy === 'ignore') expect(done.stdout).not.toMatch(/^::(error|warning)/m)
  })

  test('is worth a warning beside files that are found, with if-no-files-found: warn', async () => {
    const done = await runStep({
      files: { 'coverage.csv': 'x' },
      inputs: { files: 'coverage.csv\nout/unit.csv', 'if-no-files-found': 'warn' },
    })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
    expect(done.stdout).toMatch(/^::warning title=.*`out\/unit\.csv`/m)
  })
})

test('~ without a home folder is an error in the pattern', async () => {
  const variable = process.platform === 'win32' ? 'USERPROFILE' : 'HOME'
  const done = await runStep({ files: { 'a.csv': '1' }, inputs: { files: '~/a.csv' }, env: { [variable]: 'nowhere' } })
  const text = `the home folder is unknown: \`${variable}\` is not set to an absolute path.\nSet \`${variable}\``
  expect(errorsIn(done)).toEqual([{ title: 'A pattern cannot be used', text: expect.stringContaining(text) }])
})

test('a long name does not delay a pattern with several *', async () => {
  const name = `report${'-'.repeat(240)}.csv`
  const done = await runStep({ files: { [name]: '1', 'a.csv': '2' }, inputs: { files: 'report-*-*-*-*-*.csx\na.csv' } })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
})

test('a run past its deadline while it searches fails, even if nothing has to be found', async () => {
  const files = Array.from({ length: 150 }, (_, at) => `${at}-{1..1000}`).join('\n')
  const done = await runStep({
    files: { 'a.csv': '1' },
    inputs: { files, 'if-no-files-found': 'ignore', 'timeout-minutes': '0.01' },
  })
  expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' }, messages: [] })
})
