import { expect, test } from '@jest/globals'
import type { FoundFile } from '../../../src/files/files.ts'
import { maxWhole, reportSent, sendChunks } from '../../../src/service/body.ts'

test.each([
  [maxWhole, ['chunk', 'chunk', `${maxWhole} sent`]],
  [maxWhole + 1, ['chunk', `${maxWhole} sent`, 'chunk', '1 sent']],
])('Of %d bytes, each is reported once', async (size, expected) => {
  const found: string[] = []
  const reporting = {
    content: {
      async *chunks() {
        yield* [Buffer.alloc(maxWhole), Buffer.alloc(size - maxWhole)]
      },
    },
    onEvent: (event: object) => found.push('bytes' in event ? `${event.bytes} sent` : 'another'),
  }
  const file = { size } as FoundFile
  for await (const _ of sendChunks(reporting, file)) found.push('chunk')
  reportSent(reporting, file)
  expect(found).toEqual(expected)
})
