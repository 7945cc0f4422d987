// npm run check:release names what a release still lacks in the repository, beside what
// `npm test` checks in every commit. Needs no network and no packages, because the job that drafts
// a release may write to the repository.
import { readFileSync } from 'node:fs'
import { beforeRelease, namedIn } from './repository-name.ts'

const root = new URL('../', import.meta.url)
/** In the first answer of a live run in which the action posted a file. */
export const posted = /\bstatus (?:posted|accepted), exit code 0,/

/** Path → content. */
export type ReleaseFiles = Readonly<Record<string, string>>

/** One line per lack, with its remedy. Empty if a tag can be pushed. */
export function lackingForRelease(files: ReleaseFiles): readonly string[] {
  const { version = '' }: { version?: string } = JSON.parse(files['package.json'] ?? '{}')
  const withText = (text: RegExp) =>
    Object.keys(files).filter((path) => text.test(files[path] ?? ''))
  const withPlaceholder = withText(/\bOWNER[/:]/)
  const early = withText(new RegExp(beforeRelease))
  const section = files['CHANGELOG.md']
    ?.split(/^## /m)
    .find((part) => part.split(/\s/)[0] === version)
  const checks: readonly (readonly [isLacking: boolean, what: string])[] = [
    [
      !/^[1-9]\d*\.\d+\.\d+$/.test(version),
      `package.json has the version ${version}: write the one to release, such as 1.0.0`,
    ],
    [
      !section?.replace(/^.*/, '').trim(),
      `CHANGELOG.md has no section "## ${version}", or an empty one: the notes of the release come from it`,
    ],
    [
      !isAnswered(files['docs/evidence.md'] ?? ''),
      'docs/evidence.md does not say that the action posted on Slack, or lacks an answer: start the workflow Live, and commit the page that it stores',
    ],
    [
      withPlaceholder.length > 0,
      `${withPlaceholder.join(', ')}: OWNER is in place of the owner of the repository: npm run docs -- owner/name`,
    ],
    [
      early.length > 0,
      `${early.join(', ')}: a part holds only before the first release: npm run docs -- owner/name`,
    ],
  ]
  return checks.filter(([isLacking]) => isLacking).map(([, what]) => what)
}

/**
 * docs/evidence.md has an answer of a live run to each question, and the action posted a file: with
 * a wrong token, each question is answered too.
 */
function isAnswered(page: string): boolean {
  const isLive = /^Asked (?!127\.)\S+ on \d{4}-\d\d-\d\d,/m.test(page)
  return isLive && posted.test(page) && !page.includes('not asked yet')
}

export function releaseFiles(): ReleaseFiles {
  return Object.fromEntries(
    namedIn.map((path) => [path, readFileSync(new URL(path, root), 'utf8')]),
  )
}

if (import.meta.main) {
  const lacking = lackingForRelease(releaseFiles())
  console.log(
    lacking.length === 0
      ? 'Nothing is missing for a release.'
      : `Missing for a release:\n- ${lacking.join('\n- ')}`,
  )
  if (lacking.length > 0) process.exitCode = 1
}
