/** `npm run check:release`. */
import { expect, test } from '@jest/globals'
import { lackingForRelease, releaseFiles } from '../../scripts/check-release.ts'
import { renderPage } from '../../scripts/live/page.ts'
import { questions } from '../../scripts/live/questions.ts'
import { placeholder, withName } from '../../scripts/repository-name.ts'

const published = Object.entries(releaseFiles()).map(([path, text]) => [
  path,
  withName(text, placeholder, 'octo-org/upload'),
])
const [first = '', ...others] = questions.filter(({ ask }) => ask).map(({ question }) => question)
/** The answers of a live run in which the action ends with this status. */
const answersOf = (status: string, code = 0) => ({
  ...Object.fromEntries(others.map((question) => [question, 'ok'])),
  [first]: `status ${status}, exit code ${code}, ts not known`,
})
const live = { date: '2026-12-01', host: 'slack.com', answers: answersOf('posted') }
const complete = {
  ...Object.fromEntries(published),
  'package.json': '{"version":"1.0.0"}',
  'docs/evidence.md': renderPage(live),
}

test.each(['posted', 'accepted'])(
  'nothing is missing once version, change log, answers and owner are written, and the action %s a file',
  (status) => {
    const page = renderPage({ ...live, answers: answersOf(status) })
    expect(lackingForRelease({ ...complete, 'docs/evidence.md': page })).toEqual([])
  },
)

test.each([
  ['package.json', '{"version":"0.1.0"}', 'package.json has the version 0.1.0'],
  ['CHANGELOG.md', '## Unreleased\n\nThe first.', 'CHANGELOG.md has no section "## 1.0.0"'],
  ['CHANGELOG.md', '## 1.0.0\n\n## 0.9.0\n\nOlder.', 'CHANGELOG.md has no section'],
  ['docs/evidence.md', renderPage(), 'docs/evidence.md does not say'],
  [
    'docs/evidence.md',
    renderPage({ ...live, answers: { [first]: live.answers[first] ?? '' } }),
    'docs/evidence.md does not say',
  ],
  [
    'docs/evidence.md',
    renderPage({ ...live, answers: answersOf('failed', 1) }),
    'docs/evidence.md does not say',
  ],
  [
    'docs/evidence.md',
    renderPage({ ...live, answers: { ...live.answers, [first]: 'could not be asked: fetch' } }),
    'docs/evidence.md does not say',
  ],
  [
    'docs/evidence.md',
    renderPage({ ...live, host: '127.0.0.1:8080' }),
    'docs/evidence.md does not say',
  ],
  ['docs/allow.md', '--repo OWNER/channel-file-upload', 'docs/allow.md: OWNER'],
  [
    'examples/workflows/thread.yml',
    'uses: OWNER/channel-file-upload@v1',
    'examples/workflows/thread.yml: OWNER',
  ],
  [
    'CHANGELOG.md',
    '## 1.0.0\n\n<!-- before the first release -->\nNot tested: Slack.\n<!-- end -->',
    'CHANGELOG.md: a part holds only before',
  ],
])('%s is named if it lacks something', (path, content, named) => {
  expect(lackingForRelease({ ...complete, [path]: content }).join('\n')).toContain(named)
})
