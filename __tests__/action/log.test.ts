import { describe, expect, test } from '@jest/globals'
import { type Done, runStep } from '../support/step.ts'
import { withoutVolatile } from '../support/whole-run.ts'

const linesOf = ({ stdout }: Done) => stdout.split(/\r?\n/).filter((line) => line !== '')
const masked = (done: Done) =>
  linesOf(done).flatMap((line) => (line.startsWith('::add-mask::') ? [line.slice('::add-mask::'.length)] : []))

describe('with step debug logging', () => {
  test.each(['external', 'files.upload'])('each call is a line by %s', async (method) => {
    const done = await runStep({
      files: { 'a.csv': 'secret content' },
      env: { RUNNER_DEBUG: '1' },
      inputs: { method },
    })
    const debug = linesOf(done).filter((line) => line.startsWith('::debug::'))
    expect(debug.map(withoutVolatile)).toEqual(
      method === 'external'
        ? [
            '::debug::files.getUploadURLExternal: 200, ok, # ms, request ID R1',
            '::debug::upload: 200, ok, # ms',
            '::debug::files.completeUploadExternal: 200, ok, # ms, request ID R1',
            '::debug::files.info: 200, ok, # ms, request ID R1',
            '::debug::chat.getPermalink: 200, ok, # ms, request ID R1',
          ]
        : ['::debug::files.upload: 200, ok, # ms, request ID R1'],
    )
  })

  test('no line holds content, or a URL that carries rights, but those that ask to mask it', async () => {
    const done = await runStep({
      files: { 'a.csv': 'secret content' },
      env: { RUNNER_DEBUG: '1' },
      inputs: { method: 'external' },
    })
    const [token, uploadUrl, ...others] = masked(done)
    expect([token, others]).toEqual([done.token, []])
    expect(uploadUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/./)
    const shown = [...linesOf(done).filter((line) => !line.startsWith('::add-mask::')), done.summary].join('\n')
    for (const secret of [new URL(uploadUrl ?? '').pathname, 'secret content']) expect(shown).not.toContain(secret)
  })

  test('calls that fail have their code', async () => {
    const done = await runStep({
      files: { 'a.csv': 'x' },
      env: { RUNNER_DEBUG: '1' },
      inputs: ({ tokens }) => ({ method: 'external', token: tokens.revoked }),
    })
    expect(done.stdout).toMatch(/^::debug::files\.getUploadURLExternal: 200, token_revoked, \d+ ms, request ID R\w+$/m)
  })
})

test('without step debug logging there is no debug line', async () => {
  const done = await runStep({ files: { 'a.csv': 'x' } })
  expect(done.stdout).not.toContain('::debug::')
})

test('a large upload reports its progress, and when all bytes are sent', async () => {
  const done = await runStep({
    files: { 'large.bin': Buffer.alloc(24_000_000) },
    inputs: { method: 'external' },
    prepare: ({ faults }) =>
      faults.add({ on: 'upload-bytes', fault: { kind: 'slow-reader', bytesPerSecond: 8_000_000 } }),
  })
  const sent = linesOf(done).filter((line) => line.startsWith('Sent '))
  expect(sent.length).toBeGreaterThanOrEqual(2)
  expect(sent.length).toBeLessThanOrEqual(10)
  expect(sent.slice(0, -1)).toEqual(
    sent.slice(0, -1).map(() => expect.stringMatching(/^Sent [\d.]+ MB of 24 MB \(\d\d? %\), [\d.]+ MB\/s$/)),
  )
  expect(sent.at(-1)).toMatch(/^Sent 24 MB of 24 MB \(100 %\), [\d.]+ MB\/s$/)
})
