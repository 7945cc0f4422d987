/** `npm run check:release`: what a first release still lacks; and the scripts of release.yml. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { lackingForRelease, releaseFiles } from '../../scripts/check-release.ts'
import { placeholder, withName } from '../../scripts/repository-name.ts'
import { runProcess } from '../support/processes.ts'
import { onPosix } from '../support/systems.ts'

const published = Object.entries(releaseFiles()).map(([path, text]) => [
  path,
  withName(text, placeholder, 'octo-org/upload'),
])
const complete = {
  ...Object.fromEntries(published),
  'package.json': '{"version":"1.0.0"}',
  'CHANGELOG.md': '## 1.0.0\n\nThe first.',
  'docs/verified.md': '| Is an empty file refused? | refused: missing_argument |',
}

test('nothing is missing once version, change log, answers and owner are written', () => {
  expect(lackingForRelease(complete)).toEqual([])
})

test.each([
  ['package.json', '{"version":"0.1.0"}', 'package.json has the version 0.1.0'],
  ['CHANGELOG.md', '## Unreleased\n\nThe first.', 'CHANGELOG.md has no section "## 1.0.0"'],
  ['CHANGELOG.md', '## 1.0.0\n\n## 0.9.0\n\nOlder.', 'CHANGELOG.md has no section'],
  ['docs/verified.md', 'not asked yet', 'docs/verified.md has questions'],
  ['docs/allow.md', '--repo OWNER/channel-file-upload', 'docs/allow.md: OWNER'],
  ['examples/workflows/thread.yml', 'uses: OWNER/channel-file-upload@v1', 'examples/workflows/thread.yml: OWNER'],
  ['README.md', 'There is no release yet.', 'README.md: there will be a release'],
  ['action.yml', 'name: Upload', 'action.yml needs'],
  ['LICENSE', '', 'there is no LICENSE'],
  ['SECURITY.md', 'Write to us.', 'SECURITY.md has no link'],
])('%s is named if it lacks something', (path, content, named) => {
  expect(lackingForRelease({ ...complete, [path]: content }).join('\n')).toContain(named)
})

/** Runs a step of release.yml as bash does there, with `gh` and `git` that say what they were asked. */
async function runStepOf(job: string, name: RegExp, tag: string, programs: string, files: Record<string, string> = {}) {
  const workflow = await readFile(new URL('../../.github/workflows/release.yml', import.meta.url), 'utf8')
  const steps: readonly { name?: string; run: string }[] = parse(workflow).jobs[job].steps
  const { run = '' } = steps.find((step) => name.test(step.name ?? '')) ?? {}
  const folder = await mkdtemp(join(tmpdir(), 'release-'))
  try {
    for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text)
    const env = { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: 'octo-org/upload', GITHUB_SHA: 'abc' }
    return await runProcess('bash', ['-eo', 'pipefail', '-c', `${programs}\n${run}`], { cwd: folder, env })
  } finally {
    await rm(folder, { recursive: true })
  }
}

onPosix('the notes of a release are its section of the change log, which must not be empty', async () => {
  const notes = (changelog: string) =>
    runStepOf('draft', /^Draft/, 'v1.2.0', 'gh() { cat notes.md; }', { 'CHANGELOG.md': changelog })
  const changelog =
    '# Changes\n\n## 1.20.0\n\nNot this.\n\n## 1.2.0 (2026)\n\n- This.\n\n### And\n\nthis.\n\n## 1.1.0\n\nOlder.\n'
  expect(await notes(changelog)).toMatchObject({ code: 0, stdout: '\n- This.\n\n### And\n\nthis.\n\n' })
  expect((await notes('## 1.2.0\n\n## 1.1.0\n\nOlder.\n')).code).toBe(1)
})

onPosix('a release is the latest, and moves the major tag, only if nothing newer has been released', async () => {
  const tags = ['v1.2.3', 'v1.10.0', 'v2.0.0', 'v2.0.1']
  // git tag --list takes a pattern.
  const git = `git() { for tag in ${tags.join(' ')}; do [[ $tag == $3 ]] && echo $tag; done; true; }`
  const programs = `gh() { echo "$*" | grep -oE -e '--latest=.*|refs/tags/v[0-9]+' || true; }\n${git}`
  for (const [tag, expected] of [
    ['v2.0.1', ['--latest=true', 'refs/tags/v2']],
    ['v1.10.0', ['--latest=false', 'refs/tags/v1']],
    ['v1.2.3', ['--latest=false']],
    ['v2.0.0', ['--latest=false']],
  ] as const) {
    const { code, stdout } = await runStepOf('publish', /^Publish/, tag, programs)
    expect([tag, code, stdout.trim().split('\n')]).toEqual([tag, 0, expected])
  }
})
