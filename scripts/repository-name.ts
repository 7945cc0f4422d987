/**
 * The repository's name, and the release in the steps to copy. `npm run docs -- owner/name` and
 * `… owner/name@SHA v1.2.3` write both.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)

/**
 * `OWNER` in place of an account, until somebody publishes a copy. Somebody else could register a
 * free name, and all steps would run their code.
 */
export const placeholder = 'OWNER/channel-file-upload'

/** Begins a part of a page that holds until the first release. `<!-- end -->` ends it. */
export const beforeRelease = '<!-- before the first release -->'

/** Paths of all texts that name the repository. */
export const namedIn: readonly string[] = globSync(
  [
    '*.md',
    'package.json',
    '{docs,sandbox,bench,examples,.github}/**/*.{md,yml}',
    '.github/CODEOWNERS',
  ],
  { cwd: root },
)

/** From package.json: `owner/name`, or the placeholder. */
export function repositoryName(): string {
  const { repository }: { repository: string } = JSON.parse(
    readFileSync(new URL('package.json', root), 'utf8'),
  )
  return repository.replace('github:', '')
}

/** Without the parts that hold only until the first release. */
export function withName(text: string, before: string, name: string): string {
  const renamed = text.replaceAll(before, () => name)
  if (before !== placeholder) return renamed
  return renamed.replaceAll(new RegExp(`${beforeRelease}\\n[\\s\\S]*?<!-- end -->\\n+`, 'g'), '')
}

/** With the release in each step that uses the repository. */
export function withRelease(text: string, name: string, sha: string, version: string): string {
  const release = /(uses: (\S+)@)(?:v\d+|[0-9a-f]{40} # v[\d.]+)$/gm
  return text.replaceAll(release, (line, uses, used) =>
    used === name ? `${uses}${sha} # ${version}` : line,
  )
}

/** @throws {Error} if the arguments of `npm run docs` are wrong */
export function writeName(uses: string, version: string | undefined): void {
  const [, name = '', sha] = /^([\w.-]+\/[\w.-]+)(?:@([0-9a-f]{40}))?$/.exec(uses) ?? []
  if (name === '' || (sha === undefined ? version : !/^v\d+\.\d+\.\d+$/.test(version ?? ''))) {
    throw new Error(
      'usage: npm run docs -- owner/name, or after the tag: npm run docs -- owner/name@<full commit SHA> v1.2.3',
    )
  }
  const before = repositoryName()
  for (const path of namedIn) {
    const file = new URL(path.replaceAll('\\', '/'), root)
    const text = withName(readFileSync(file, 'utf8'), before, name)
    writeFileSync(file, sha === undefined ? text : withRelease(text, name, sha, version ?? ''))
  }
}
