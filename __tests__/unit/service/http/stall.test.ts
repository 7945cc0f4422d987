import { expect, test } from '@jest/globals'
import { maxStandstill } from '../../../../src/service/http/stall.ts'
import { grid } from '../../../support/grid.ts'

const requests = `
If it is short | 1 B
After a slow line would have carried six of its size | 900000 B, not sent whole
Itself too, if it was sent whole: within three minutes, also among many | 900000 B
Each of at most 1 MB | 10000000 B, not sent whole
All of its own bytes, since a proxy can have taken them at once | 10000000 B
While half of the time is left for a repeat | 10000000 B, 240 s left
Not before this machine would have sent it | 10000000 B, 150 s left
In the last minute all the same | 1 B, 40 s left
Three minutes after it was sent | 1 B, must not be repeated
Before that all the same | 1 B, must not be repeated, not sent whole
Later still for a large file, whatever is left | 10000000 B, must not be repeated, 240 s left
`

test('a request is given up after these seconds without a byte', async () => {
  const shown = await grid(requests, (line) => {
    const [, request = ''] = line.split(' | ')
    const [, secondsLeft = '3600'] = /(\d+) s left/.exec(request) ?? []
    const milliseconds = maxStandstill({
      body: { length: Number.parseInt(request, 10) },
      fullySent: !request.includes('not sent whole'),
      timeLeft: Number(secondsLeft) * 1_000,
      ...(request.includes('must not be repeated') && { minResponseTime: 180_000 }),
    })
    return `${milliseconds / 1_000} s`
  })
  expect(shown).toMatchInlineSnapshot(`
"If it is short | 1 B
    30.00014 s
After a slow line would have carried six of its size | 900000 B, not sent whole
    138 s
Itself too, if it was sent whole: within three minutes, also among many | 900000 B
    156 s
Each of at most 1 MB | 10000000 B, not sent whole
    150 s
All of its own bytes, since a proxy can have taken them at once | 10000000 B
    350 s
While half of the time is left for a repeat | 10000000 B, 240 s left
    120 s
Not before this machine would have sent it | 10000000 B, 150 s left
    110 s
In the last minute all the same | 1 B, 40 s left
    30.00002 s
Three minutes after it was sent | 1 B, must not be repeated
    180 s
Before that all the same | 1 B, must not be repeated, not sent whole
    30.00012 s
Later still for a large file, whatever is left | 10000000 B, must not be repeated, 240 s left
    350 s"
`)
})
