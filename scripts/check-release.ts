// npm run check:release names what the first release still lacks in the repository. Needs no
// network and no packages, because the job that drafts a release may write to the repository.
import { existsSync, readFileSync } from 'node:fs'
import { beforeRelease, namedIn } from './repository-name.ts'

const root = new URL('../', import.meta.url)
const userAgentFile = 'src/service/http/http.ts'
const sbomFile = 'dist/sbom.cdx.json'
/** In the first answer of a live run in which the action posted a file. */
export const posted = /\bstatus (?:posted|accepted), exit code 0,/

/** Path → content. */
export type ReleaseFiles = Readonly<Record<string, string>>

/** One line per lack, with its remedy. Empty if a tag can be pushed. */
export function lackingForRelease(files: ReleaseFiles): readonly string[] {
  const { version = '' }: { version?: string } = JSON.parse(files['package.json'] ?? '{}')
  const metadata = files['action.yml'] ?? ''
  const [, description = ''] = /^description: *(\w.*)$/m.exec(metadata) ?? []
  const hasMetadata = ['name', 'author', 'branding'].every((key) =>
    new RegExp(`^${key}:`, 'm').test(metadata),
  )
  const withText = (text: RegExp) =>
    Object.keys(files).filter((path) => text.test(files[path] ?? ''))
  const withPlaceholder = withText(/\bOWNER[/:]/)
  const early = withText(new RegExp(beforeRelease))
  const section = files['CHANGELOG.md']
    ?.split(/^## /m)
    .find((part) => part.split(/\s/)[0] === version)
  const noTest = untested(files['SECURITY.md'] ?? '')
  const noHash = lackingInSbom(files[sbomFile] ?? '{}')
  const checks: readonly (readonly [isLacking: boolean, what: string])[] = [
    [
      !/^[1-9]\d*\.\d+\.\d+$/.test(version),
      `package.json has the version ${version}: write the one to release, such as 1.0.0`,
    ],
    [
      !files[userAgentFile]?.includes(`'channel-file-upload/${version}'`),
      `${userAgentFile} names another version than ${version}: npm run docs && npm run build`,
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
      `${someOf(withPlaceholder)}: OWNER is in place of the owner of the repository: npm run docs -- owner/name`,
    ],
    [
      early.length > 0,
      `${someOf(early)}: a part holds only before the first release: npm run docs -- owner/name`,
    ],
    [
      !hasMetadata || description === '' || description.length > 125,
      'action.yml needs name, author, branding and a description of at most 125 characters in one line for the GitHub Marketplace',
    ],
    [!files['LICENSE'], 'there is no LICENSE'],
    [noTest.length > 0, `SECURITY.md: no test for ${noTest.join(', ')}`],
    [noHash.length > 0, `${sbomFile} lacks ${noHash.join(', ')}, or the hash of it: npm run build`],
    [
      !/\]\(\.\.\/\.\.\/security\/advisories\/new\)/.test(files['SECURITY.md'] ?? ''),
      'SECURITY.md has no link to report a vulnerability: ../../security/advisories/new',
    ],
  ]
  return checks.filter(([isLacking]) => isLacking).map(([, what]) => what)
}

const maxShown = 3
const someOf = (paths: readonly string[]): string =>
  [
    ...paths.slice(0, maxShown),
    ...(paths.length > maxShown ? [`${paths.length - maxShown} more`] : []),
  ].join(', ')

/**
 * docs/evidence.md has an answer of a live run to each question, and the action posted a file: with
 * a wrong token, each question is answered too.
 */
function isAnswered(page: string): boolean {
  const isLive = /^Asked (?!127\.)\S+ on \d{4}-\d\d-\d\d,/m.test(page)
  return isLive && posted.test(page) && !page.includes('not asked yet')
}

/** Rows of the threat model that name neither a test nor a promise, and tests that do not exist. */
export function untested(securityPage: string): readonly string[] {
  return (securityPage.match(/^\| \*\*.*$/gm) ?? []).flatMap((row) => {
    const shown = row.split(' | ').at(-1) ?? ''
    const tests = Array.from(
      shown.matchAll(/`([^`]+)`/g),
      ([, name]) => `__tests__/${name}.test.ts`,
    )
    if (tests.length === 0 && !/^(GitHub|Slack|npm) \|$/.test(shown))
      return [row.split(' | ')[0] ?? '']
    return tests.filter((path) => !existsSync(new URL(path, root)))
  })
}

/** Packages in the bundle without a hash in the SBOM, and llhttp if missing. */
function lackingInSbom(sbom: string): readonly string[] {
  const {
    components = [],
  }: { components?: readonly Readonly<{ name: string; hashes?: object }>[] } = JSON.parse(sbom)
  const withoutHash = components
    .filter(({ hashes }) => hashes === undefined)
    .map(({ name }) => name)
  return [...withoutHash, ...(sbom.includes('"llhttp"') ? [] : ['llhttp'])]
}

export function releaseFiles(): ReleaseFiles {
  const paths = [...namedIn, 'action.yml', 'LICENSE', userAgentFile, sbomFile].filter((path) =>
    existsSync(new URL(path, root)),
  )
  return Object.fromEntries(paths.map((path) => [path, readFileSync(new URL(path, root), 'utf8')]))
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
