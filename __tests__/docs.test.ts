/** Pages that say what is in the repository now. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { withErrors, withRelease, withTables } from '../scripts/docs.ts'
import { remedies } from '../src/service/errors.ts'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
test('README has the inputs and outputs of action.yml: npm run docs', () => {
  expect(withTables(read('README.md'), read('action.yml'))).toBe(read('README.md'))
})

test('the page on troubleshooting has every error that the action explains: npm run docs', () => {
  const page = read('docs/troubleshooting.md')
  expect(withErrors(page, remedies)).toBe(page)
  for (const { codes, title } of remedies) {
    expect(page).toContain(`| ${title} |`)
    for (const code of codes) expect(page).toContain(`\`${code}\``)
  }
  // Nothing is left to be filled in.
  expect(page).not.toMatch(/\{(host|method|needed)\}/)
})

test('one command writes which release the steps to copy use', () => {
  const step = (uses: string) => `- uses: ${uses}\n- uses: actions/checkout@${'1'.repeat(40)} # v7.0.1\n`
  const before = step(`channel-file-upload/channel-file-upload@${'0'.repeat(40)} # v1.0.0`)
  const uses = `octo-org/channel-file-upload@${'a'.repeat(40)}`
  expect(withRelease(before, uses, 'v1.2.3')).toBe(step(`${uses} # v1.2.3`))
})
