// A word in braces that is almost a placeholder, in the comment and in the title.
import { expect, test } from '@jest/globals'
import { annotations } from '../support/shown-log.ts'
import { runStep } from '../support/step.ts'

test('gets a warning, and is sent as typed', async () => {
  const inputs = { method: 'external', comment: '{files} from {sourc}', title: 'Report {nam}' }
  const done = await runStep({ files: { 'a.csv': 'a' }, inputs })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
  expect(annotations(done)).toBe(
    `Warning: Unknown placeholder in comment
  \`{sourc}\` is posted as typed. Did you mean \`{source}\`?
Warning: Unknown placeholder in title
  \`{nam}\` is posted as typed. Did you mean \`{name}\`?`,
  )
  expect(JSON.stringify(done.messages)).toContain('from {sourc}')
  expect(done.messages[0]?.files[0]?.title).toBe('Report {nam}')
})
