// In which order files are sent, and what log and summary call them.
import { expect, test } from '@jest/globals'
import { runStep } from '../support/step.ts'

const parts = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`part-${index + 1}.csv`, `${index}\n`]))

test('files are in natural order, which also decides which message a file is in', async () => {
  const done = await runStep({ files: parts, inputs: { method: 'external', files: '*.csv' } })
  expect(done.messages.map(({ files }) => files.map(({ name }) => name))).toEqual([
    Array.from({ length: 10 }, (_, index) => `part-${index + 1}.csv`),
    ['part-11.csv', 'part-12.csv'],
  ])
  expect(done.summary.match(/message \d\/\d/g)).toEqual(['message 1/2', 'message 2/2'])
})

test('a file that is renamed in the channel is shown with both names', async () => {
  const files = { 'reports/coverage.csv': 'a', 'unit/coverage.csv': 'b', 'tests.csv': 'c' }
  const done = await runStep({ files, inputs: { method: 'external' } })
  expect(done.stdout).toContain('reports/coverage.csv as coverage (reports).csv (1 B)')
  expect(done.stdout).toContain('\n  tests.csv (1 B)')
  expect(done.summary).toContain('<code>reports/coverage.csv</code></a><br>as <code>coverage (reports).csv</code></td>')
  expect(done.summary).not.toContain('as <code>tests.csv')
})

test('two steps of a job have different headings in the summary', async () => {
  const headingOf = async (id: string, channel: 'general' | 'releases') => {
    const inputs = ({ channels }: { channels: Record<'general' | 'releases', string> }) => ({
      method: 'external',
      channels: channels[channel],
    })
    const done = await runStep({ files: { 'a.csv': 'a' }, inputs, env: { GITHUB_ACTION: id } })
    return done.summary.split('\n')[0]
  }
  expect(await headingOf('__run', 'general')).toBe('<h3>✅ Posted 1 file in 1 channel (<code>C0GENERAL00</code>)</h3>')
  expect(await headingOf('__run_2', 'releases')).toBe(
    '<h3>✅ Posted 1 file in 1 channel (<code>C0RELEASES0</code>)</h3>',
  )
  expect(await headingOf('details', 'general')).toBe(
    '<h3>✅ <code>details</code>: Posted 1 file in 1 channel (<code>C0GENERAL00</code>)</h3>',
  )
})
