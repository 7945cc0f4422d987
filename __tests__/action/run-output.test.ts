import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { wholeRun, withoutVolatile } from '../support/shown-log.ts'
import { runStep } from '../support/step.ts'
import { withLinks } from '../support/systems.ts'

const release = JSON.parse(
  readFileSync(new URL('../../examples/events/release.json', import.meta.url), 'utf8'),
)

const rows = (count: number) => `name,value\n${'row,1\n'.repeat(count)}`
const privateKey = ['-----BEGIN', 'PRIVATE KEY-----'].join(' ')

// A whole run, as people see it. Other tests explain the parts.
withLinks(
  'what people see of a release with two files of one name to three channels, several skipped files, and a pattern that matches nothing',
  async () => {
    const done = await runStep({
      eventName: 'release',
      event: release,
      files: {
        'reports/api/coverage.csv': rows(3),
        'reports/web/coverage.csv': rows(5003),
        'reports/empty.csv': '',
        'reports/.cache/draft.csv': 'x',
        'reports/key.pem': privateKey,
        'reports/.env': 'A=1',
        'reports/host.csv': `-> ${process.execPath}`,
        'reports/latest.csv': '-> nowhere',
      },
      inputs: ({ channels }) => ({
        method: 'external',
        files: 'reports/**\ncovrage/**/*.csv',
        channels: `${channels.general}, ${channels.releases}, ${channels.direct}`,
      }),
    })
    expect(wholeRun(done)).toMatchSnapshot()
    expect(done.stderr).toBe('')
  },
)

test('a run that posts reports the warnings of each of its steps', async () => {
  const done = await runStep({
    inputs: {
      method: 'external',
      channels: 'C0GENERAL00,',
      files: 'a.csv\nout/unit.csv',
      'if-no-files-found': 'warn',
      title: 'Report {nam}',
    },
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
  expect(done.stdout.match(/(?<=^::warning title=).*?(?=::)/gm)).toEqual([
    'A channel is missing',
    'Check the braces in title',
    'Files that a pattern names were not found',
  ])
})

test.each([
  [
    'external',
    [
      '::debug::files.getUploadURLExternal: 200, ok, # ms, request ID R1',
      '::debug::upload: 200, ok, # ms',
      '::debug::files.completeUploadExternal: 200, ok, # ms, request ID R1',
      '::debug::files.info: 200, ok, # ms, request ID R1',
      '::debug::chat.getPermalink: 200, ok, # ms, request ID R1',
    ],
  ],
  ['files.upload', ['::debug::files.upload: 200, ok, # ms, request ID R1']],
])(
  'with step debug logging, each call is a line, and none holds content or a URL that carries rights: %s',
  async (method, debug) => {
    const done = await runStep({
      files: { 'a.csv': 'secret content' },
      inputs: { method },
      env: { RUNNER_DEBUG: '1' },
    })
    expect(done.stdout.match(/^::debug::.*$/gm)?.map(withoutVolatile)).toEqual(debug)

    const [token, uploadUrl, ...others] = done.stdout.match(/(?<=^::add-mask::).*$/gm) ?? []
    expect([token, others]).toEqual([done.token, []])
    const form = /^http:\/\/127\.0\.0\.1:\d+\/upload\/v1\/[\w-]{8,}$/
    expect(uploadUrl).toEqual(method === 'external' ? expect.stringMatching(form) : undefined)
    const shown = done.stdout.replace(/^::add-mask::.*$/gm, '') + done.summary
    for (const secret of [new URL(uploadUrl ?? 'http://x/no-url').pathname, 'secret content'])
      expect(shown).not.toContain(secret)
  },
)
