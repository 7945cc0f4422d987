import { expect, test } from '@jest/globals'
import { withoutVolatile } from '../support/shown-log.ts'
import { runStep } from '../support/step.ts'

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
    const step = { files: { 'a.csv': 'secret content' }, inputs: { method } }
    const done = await runStep({ ...step, env: { RUNNER_DEBUG: '1' } })
    expect(done.stdout.match(/^::debug::.*$/gm)?.map(withoutVolatile)).toEqual(debug)

    const [token, uploadUrl, ...others] = done.stdout.match(/(?<=^::add-mask::).*$/gm) ?? []
    expect([token, others]).toEqual([done.token, []])
    const form = /^http:\/\/127\.0\.0\.1:\d+\/upload\/v1\/[\w-]{8,}$/
    expect(uploadUrl).toEqual(method === 'external' ? expect.stringMatching(form) : undefined)
    const shown = done.stdout.replace(/^::add-mask::.*$/gm, '') + done.summary
    for (const secret of [new URL(uploadUrl ?? 'http://x/no-url').pathname, 'secret content'])
      expect(shown).not.toContain(secret)

    expect((await runStep(step)).stdout).not.toContain('::debug::')
  },
)

test('a large upload says when all bytes are sent, and how fast', async () => {
  const done = await runStep({ files: { 'large.bin': Buffer.alloc(24_000_000) }, inputs: { method: 'external' } })
  expect(done.stdout).toMatch(/^Sent 24 MB of 24 MB \(100 %\), [\d.]+ [MG]B\/s$/m)
})
