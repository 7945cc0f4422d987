/** `npm run check:release`: what a first release still lacks. */
import { expect, test } from '@jest/globals'
import { lackingForRelease, releaseFiles } from '../../scripts/check-release.ts'

const published = Object.entries(releaseFiles()).map(([path, text]) => [path, text.replaceAll('OWNER/', 'octo-org/')])
const complete = {
  ...Object.fromEntries(published),
  'package.json': '{"version":"1.0.0"}',
  'CHANGELOG.md': '## 1.0.0',
  'docs/verified.md': '| Is an empty file refused? | refused: missing_argument |',
}

test('nothing is missing once version, change log, answers and owner are written', () => {
  expect(lackingForRelease(complete)).toEqual([])
})

test.each([
  ['package.json', '{"version":"0.1.0"}', 'package.json has the version 0.1.0'],
  ['CHANGELOG.md', '## Unreleased', 'CHANGELOG.md has no heading "## 1.0.0"'],
  ['docs/verified.md', 'not asked yet', 'docs/verified.md has questions'],
  ['docs/allow.md', '--repo OWNER/channel-file-upload', 'docs/allow.md: OWNER'],
  ['action.yml', 'name: Upload', 'action.yml needs'],
  ['LICENSE', '', 'there is no LICENSE'],
  ['SECURITY.md', 'Write to us.', 'SECURITY.md has no URL'],
])('%s is named if it lacks something', (path, content, named) => {
  expect(lackingForRelease({ ...complete, [path]: content }).join('\n')).toContain(named)
})
