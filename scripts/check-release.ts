// npm run check:release: what the first release still lacks, as far as the repository itself shows it. Nothing is asked of a network.
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

const root = new URL('../', import.meta.url)

/** The files that a release depends on, by their path. */
export type ReleaseFiles = Readonly<Record<string, string>>

/** One line for each thing that is missing, with what to do. Empty if a tag can be pushed. */
export function lackingForRelease(files: ReleaseFiles): readonly string[] {
  const { version = '' }: { version?: string } = JSON.parse(files['package.json'] ?? '{}')
  const {
    author,
    branding,
    description = '',
    name,
  }: Readonly<Record<string, string | undefined>> = parse(files['action.yml'] ?? '{}')
  const pages = Object.keys(files).filter((path) => path.endsWith('.md'))
  const withPlaceholder = pages.filter((path) => /\bOWNER\/channel-file-upload/.test(files[path] ?? ''))
  const checks: readonly (readonly [isLacking: boolean, what: string])[] = [
    [
      !/^[1-9]\d*\.\d+\.\d+$/.test(version),
      `package.json has the version ${version}: write the one to release, such as 1.0.0`,
    ],
    [
      !new RegExp(`^## ${version.replaceAll('.', '\\.')}\\b`, 'm').test(files['CHANGELOG.md'] ?? ''),
      `CHANGELOG.md has no heading "## ${version}": rename "Unreleased"`,
    ],
    [
      files['docs/verified.md']?.includes('not asked yet') !== false,
      'docs/verified.md has questions that nobody asked: start the workflow Live, and commit the page that it stores',
    ],
    [
      withPlaceholder.length > 0,
      `${withPlaceholder.join(', ')}: OWNER stands for the owner of the repository: write its name`,
    ],
    [
      !name || !author || !branding || description.length > 125,
      'action.yml needs name, author, branding and a description of at most 125 characters for the GitHub Marketplace',
    ],
    [!files['LICENSE'], 'there is no LICENSE'],
    [
      !/https:\/\/\S+\/security\/advisories\/new/.test(files['SECURITY.md'] ?? ''),
      'SECURITY.md has no URL to report a vulnerability',
    ],
  ]
  return checks.filter(([isLacking]) => isLacking).map(([, what]) => what)
}

/** Every file at the top of the repository and below docs/ that the checks read. */
export function releaseFiles(): ReleaseFiles {
  const paths = ['', 'docs/'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(md|json|yml)$|^LICENSE$/.test(entry.name))
      .map(({ name }) => folder + name),
  )
  return Object.fromEntries(paths.map((path) => [path, readFileSync(new URL(path, root), 'utf8')]))
}

if (import.meta.main) {
  const lacking = lackingForRelease(releaseFiles())
  console.log(
    lacking.length === 0 ? 'Nothing is missing for a release.' : `Missing for a release:\n- ${lacking.join('\n- ')}`,
  )
  if (lacking.length > 0) process.exitCode = 1
}
