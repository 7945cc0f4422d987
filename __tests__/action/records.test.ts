// What the records of files hold, as recorded: other sizes, content, and no type until a file is processed.
import { expect, test } from '@jest/globals'
import { startJob } from '../support/step.ts'

test('a photo whose metadata the service removes is posted, and not again by a later attempt', async () => {
  const photo = { 'photo.jpg': Buffer.alloc(29_720, 'photo') }
  const inputs = { method: 'external', 'on-rerun': 'missing' }
  await using job = await startJob({ asRecorded: true, files: photo, inputs })
  expect(await job.attempt(1)).toMatchObject({ code: 0, outputs: { status: 'posted' }, messages: [{}] })
  expect(await job.attempt(2)).toMatchObject({ code: 0, outputs: { status: 'posted' }, messages: [{}] })
})
