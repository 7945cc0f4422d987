/** `npm run check:release`. */
import { expect, test } from '@jest/globals'
import { lackingForRelease, releaseFiles } from '../../scripts/check-release.ts'
import { renderPage } from '../../scripts/live/page.ts'
import { questions } from '../../scripts/live/questions.ts'
import { placeholder, withName } from '../../scripts/repository-name.ts'
import { grid } from '../support/grid.ts'

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

test('what a file lacks is named, with its remedy', async () => {
  const changes = `
package.json {"version":"0.1.0"}
CHANGELOG.md ## Unreleased⏎⏎The first.
CHANGELOG.md ## 1.0.0⏎⏎## 0.9.0⏎⏎Older.
CHANGELOG.md ## 1.0.0⏎⏎<!-- before the first release -->⏎Not tested: Slack.⏎<!-- end -->
docs/allow.md --repo OWNER/channel-file-upload
examples/workflows/thread.yml uses: OWNER/channel-file-upload@v1
`
  const lacking = (line: string) => {
    const [path = ''] = line.split(' ')
    const changed = { ...complete, [path]: line.slice(path.length + 1) }
    return lackingForRelease(changed).join('\n')
  }
  expect(await grid(changes, lacking)).toMatchInlineSnapshot(`
"package.json {"version":"0.1.0"}
    package.json has the version 0.1.0: write the one to release, such as 1.0.0⏎CHANGELOG.md has no section "## 0.1.0", or an empty one: the notes of the release come from it
CHANGELOG.md ## Unreleased⏎⏎The first.
    CHANGELOG.md has no section "## 1.0.0", or an empty one: the notes of the release come from it
CHANGELOG.md ## 1.0.0⏎⏎## 0.9.0⏎⏎Older.
    CHANGELOG.md has no section "## 1.0.0", or an empty one: the notes of the release come from it
CHANGELOG.md ## 1.0.0⏎⏎<!-- before the first release -->⏎Not tested: Slack.⏎<!-- end -->
    CHANGELOG.md: a part holds only before the first release: npm run docs -- owner/name
docs/allow.md --repo OWNER/channel-file-upload
    docs/allow.md: OWNER is in place of the owner of the repository: npm run docs -- owner/name
examples/workflows/thread.yml uses: OWNER/channel-file-upload@v1
    examples/workflows/thread.yml: OWNER is in place of the owner of the repository: npm run docs -- owner/name"
`)
})

test.each([
  ['no run', undefined],
  ['one answer', { ...live, answers: { [first]: live.answers[first] ?? '' } }],
  ['a run that failed', { ...live, answers: answersOf('failed', 1) }],
  ['no first answer', { ...live, answers: { ...live.answers, [first]: 'could not be asked' } }],
  ['a run against this machine', { ...live, host: '127.0.0.1:8080' }],
])('docs/evidence.md lacks a live run that posted: it has %s', (_, run) => {
  expect(lackingForRelease({ ...complete, 'docs/evidence.md': renderPage(run) })).toEqual([
    expect.stringMatching(/^docs\/evidence\.md does not say/),
  ])
})
