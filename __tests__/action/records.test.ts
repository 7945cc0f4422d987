// What the records of files hold, as recorded: other sizes, and the content of texts.
import { expect, test } from '@jest/globals'
import { type Done, startJob } from '../support/step.ts'

const posted = { code: 0, outputs: { status: 'posted' }, messages: [{}] }

/** Runs the step, and then once more as a later attempt. */
async function runTwice(files: Readonly<Record<string, string | Buffer>>): Promise<readonly Done[]> {
  const inputs = { method: 'external', 'on-rerun': 'missing' }
  await using job = await startJob({ asRecorded: true, files, inputs })
  return [await job.attempt(1), await job.attempt(2)]
}

test('a photo whose metadata the service removes is posted, and not again by a later attempt', async () => {
  const photo = { 'photo.jpg': Buffer.alloc(29_720, 'photo') }
  expect(await runTwice(photo)).toMatchObject([posted, posted])
})

test('a text whose record holds 8 MB of it is posted, seen, and not posted again by a later attempt', async () => {
  const log = { 'build.log': 'compile <module> done\n'.repeat(22_000) }
  const attempts = await runTwice(log)
  expect(attempts).toMatchObject([posted, posted])
  for (const { outputs } of attempts)
    expect(JSON.parse(outputs['messages'] ?? '')).toMatchObject([{ ts: expect.any(String) }])
})
