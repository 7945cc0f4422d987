// Skipped files are reported, without showing the token.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { addManyFiles } from '../support/folder.ts'
import { leaked } from '../support/shown-log.ts'
import { errorsIn, type Job, runStep, startJob } from '../support/step.ts'
import { onPosix } from '../support/systems.ts'

test('a file with the token in its name is skipped, and its name is shown without the token', async () => {
  const done = await runStep({
    inputs: { files: '*.csv\nreports/*.csv' },
    prepare: ({ tokens }, folder) => writeFile(join(folder, `b-${tokens.all}.csv`), '2'),
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
  expect(done.stdout).toContain('b-***.csv')
  expect(leaked(done, done.token)).toEqual([])
  expect(JSON.stringify(done.requests.map(({ fields }) => fields))).not.toContain(`b-${done.token}`)
})

test('what the runner keeps of the run and of earlier steps in runner.temp is not sent', async () => {
  const kept = '_runner_file_commands/set_env_1 0f8fad5b-d9cb-469f-a165-70867728950e.sh report.csv'
  const paths = kept.split(' ').map((name) => `_temp/${name}`)
  const files = Object.fromEntries(paths.map((path) => [path, 'x']))
  const done = await runStep({ files, inputs: { files: '_temp/**\n_temp' } })
  expect(done).toMatchObject({ code: 0, messages: [{ files: [{ name: 'report.csv' }] }] })
  expect(done.outputs).toMatchObject({ status: 'posted', count: '1' })
})

test('a line that excludes nothing and an alternative without a file are in the log', async () => {
  const done = await runStep({
    files: { 'reports/unit.csv': '1', 'reports/api.csv': '2' },
    inputs: { files: '{reports,out}/*.csv\n!reports/tmp/**' },
  })
  expect(done).toMatchObject({ code: 0, outputs: { count: '2' } })
  expect(done.stdout).toContain(
    '`!reports/tmp/**` excluded nothing\nNo file to send for out/*.csv\n',
  )
})

test('a line that excludes nothing, but almost a file, stops the step before it posts', async () => {
  const done = await runStep({
    files: { 'reports/private/salaries.csv': '1', 'reports/api.csv': '2' },
    inputs: { files: 'reports/**\n!reports/privat/**', 'if-no-files-found': 'ignore' },
  })
  expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' }, messages: [] })
  expect(done.stdout).toMatch(
    /^::error title=An exclusion excludes nothing::`!reports\/privat\/\*\*` excludes nothing\. Similar: `reports\/private\/salaries\.csv`\./m,
  )
})

test.each([
  ['error', 1, 'failed', /^::error title=No files found::.*Similar: `reports\/unit\/a\.csv`/m],
  [
    'ignore',
    0,
    'skipped',
    /(?<!^::(error|warning).*)^Skipped: nothing was posted$(?!.*^::(error|warning))/ms,
  ],
] as const)(
  'a pattern that matches nothing, with if-no-files-found: %s',
  async (policy, code, status, log) => {
    const done = await runStep({
      files: { 'reports/unit/a.csv': 'x' },
      inputs: { files: 'reports/*.csv', 'if-no-files-found': policy },
    })
    expect(done).toMatchObject({ code, requests: [], outputs: { status, count: '0' } })
    expect(done.stdout).toMatch(log)
  },
)

test('what lines may mean takes little memory, however many files and folders there are', async () => {
  const folder = Array.from({ length: 13 }, (_, depth) => `folder-${depth}`).join('/')
  const lines = ['**/**/*.trx', '**/*.xlm', '**/folder-7/**/*/**/*.trx']
  const done = await runStep({
    inputs: { files: lines.join('\n'), 'if-no-files-found': 'ignore' },
    prepare: (_, root) =>
      addManyFiles(root, 5_000, (index) => `${folder}/${index % 250}/${index}.xml`),
    nodeOptions: ['--max-old-space-size=64'],
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'skipped' } })
  expect(done.stdout).toMatch(/No file to send for \*\*\/\*\.xlm\n.*\n +Similar: /)
})

test('a run past its deadline while it searches fails, even if nothing has to be found', async () => {
  const files = Array.from({ length: 150 }, (_, at) => `${at}-{1..1000}`).join('\n')
  const done = await runStep({
    inputs: { files, 'if-no-files-found': 'ignore', 'timeout-minutes': '0.01' },
  })
  expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' }, messages: [] })
})

/** Sends files of a job to a channel. */
const send = (job: Job, files = '', to: keyof Sandbox['channels'] = 'general') =>
  job.attempt({
    inputs: ({ channels }) => ({ method: 'external', channels: channels[to], files }),
  })

onPosix('what was not sent can be passed on to files, whatever the names', async () => {
  const names = [
    ' spaces .csv ',
    'back\\*slash.csv',
    'line\nbreak.csv',
    '[a]*.csv',
    '!not.csv',
    '# note',
  ]
  await using job = await startJob({
    files: Object.fromEntries(names.map((name) => [`reports/${name}`, name])),
  })
  const paths = (list = '[]') =>
    JSON.parse(list).map((file: { readonly path: string }) => file.path)
  const sorted = names.map((name) => `reports/${name}`).sort()
  const refused = await send(job, 'reports/*', 'notJoined')
  expect(refused).toMatchObject({ code: 1, messages: [] })
  expect(paths(refused.outputs['not-sent']).sort()).toEqual(sorted)
  const sent = await send(job, refused.outputs['not-sent'])
  expect(sent).toMatchObject({ code: 0, outputs: { status: 'posted', count: '6' } })
  expect(paths(sent.outputs['files']).sort()).toEqual(sorted)
  const none = await send(job, sent.outputs['not-sent'])
  expect(errorsIn(none)).toMatchObject([{ title: 'No files found' }])
})

test('what is passed on to files keeps its name, and what was not sent its title', async () => {
  await using job = await startJob({
    files: { 'out/cov.csv': '1', 'unit/a.csv': '2', 'api/a.csv': '3', 'api/[id]/b.csv': '4' },
  })
  const named = [
    { path: 'out/cov.csv', name: 'coverage.csv', title: 'Coverage' },
    { path: 'unit/a.csv', name: 'a (unit).csv' },
    { path: 'api/a.csv', name: 'a (api).csv' },
  ]
  const list = [named[0], 'unit/*.csv', 'api/**/*.csv', '!**/[id]/**']
  const refused = await send(job, JSON.stringify(list), 'notJoined')
  expect(JSON.parse(refused.outputs['not-sent'] ?? '')).toEqual(named)
  const sent = await send(job, refused.outputs['not-sent'])
  const shown = (done: typeof sent) =>
    done.messages.flatMap(({ files }) => files.map(({ name, title }) => [name, title]))
  expect(shown(sent)).toEqual([
    ['coverage.csv', 'Coverage'],
    ['a (unit).csv', 'a (unit).csv'],
    ['a (api).csv', 'a (api).csv'],
  ])
  const names = named.map(({ name }) => [name, name])
  expect(shown(await send(job, sent.outputs['files']))).toEqual([...shown(sent), ...names])
})
