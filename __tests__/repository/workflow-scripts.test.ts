/**
 * The scripts of release.yml and canary.yml, run by bash as on the runner, with stand-ins that
 * print how they were called.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { makeFolder } from '../support/folder.ts'
import { grid } from '../support/grid.ts'
import { hasProgram, runBash } from '../support/processes.ts'
import { onPosix } from '../support/systems.ts'

interface Situation {
  readonly env?: Readonly<Record<string, string>>
  /** Bash functions. */
  readonly programs?: string
  readonly files?: Readonly<Record<string, string>>
}

/** Runs the scripts of all steps with matching names, as one. */
async function runStepOf(
  file: string,
  name: RegExp,
  { env = {}, files = {}, programs = '' }: Situation,
) {
  const workflow = await readFile(
    new URL(`../../.github/workflows/${file}`, import.meta.url),
    'utf8',
  )
  const jobs: readonly { steps: readonly { name?: string; run: string }[] }[] = Object.values(
    parse(workflow).jobs,
  )
  const scripts = jobs.flatMap(({ steps }) => steps).filter((step) => name.test(step.name ?? ''))
  using folder = makeFolder(files)
  const all = {
    GITHUB_OUTPUT: join(folder.root, 'output'),
    GITHUB_REPOSITORY: 'octo-org/upload',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_SHA: 'abc',
    ...env,
  }
  const script = `${programs}\n${scripts.map(({ run }) => run).join('\n')}\ncat output 2> /dev/null || true`
  return await runBash(script, { cwd: folder.root, env: all })
}

onPosix(
  'the notes of a release are its section of the change log, which must not be empty',
  async () => {
    const notes = (changelog: string) => {
      const files = { 'CHANGELOG.md': changelog }
      return runStepOf('release.yml', /^Draft/, {
        env: { GITHUB_REF_NAME: 'v1.2.0' },
        programs: 'gh() { cat notes.md; }',
        files,
      })
    }
    const section = '\n- This.\n\n### And\n\nthis.\n\n'
    const changelog = `# Changes\n\n## 1.20.0\n\nNot this.\n\n## 1.2.0 (2026)\n${section}## 1.1.0\n\nOlder.\n`
    expect(await notes(changelog)).toMatchObject({ code: 0, stdout: section })
    expect((await notes('## 1.2.0\n\n## 1.1.0\n\nOlder.\n')).code).toBe(1)
  },
)

onPosix('a tag on main is drafted only if nothing is missing for a release', async () => {
  const draft = (lacking: number) => {
    const programs = `git() { :; }; jq() { echo 1.2.0; }; npm() { return ${lacking}; }; gh() { echo "$1 $2"; }`
    const files = { 'CHANGELOG.md': '## 1.2.0\n\n- This.\n' }
    return runStepOf('release.yml', /^(The tag|Nothing is missing|Draft)/, {
      env: { GITHUB_REF_NAME: 'v1.2.0' },
      programs,
      files,
    })
  }
  expect(await draft(0)).toMatchObject({ code: 0, stdout: 'release create\n' })
  expect(await draft(1)).toMatchObject({ code: 1, stdout: '' })
})

onPosix(
  'a release is the latest, and moves the major tag, only if nothing newer has been released',
  async () => {
    // As `git tag --list` takes it.
    const git =
      'git() { for tag in v1.2.3 v1.10.0 v2.0.0 v2.0.1; do [[ $tag == $3 ]] && echo $tag; done; true; }'
    const programs = `gh() { echo "$*" | grep -oE -e '--latest=.*|refs/tags/v[0-9]+' || true; }\n${git}`
    const published = async (tag: string) => {
      const env = { GITHUB_REF_NAME: tag }
      const { code, stdout } = await runStepOf('release.yml', /^Publish/, { env, programs })
      return `${code} ${stdout}`.trim()
    }
    expect(await grid('v2.0.1\nv1.10.0\nv1.2.3\nv2.0.0', published)).toMatchInlineSnapshot(`
"v2.0.1
    0 --latest=true⏎refs/tags/v2
v1.10.0
    0 --latest=false⏎refs/tags/v1
v1.2.3
    0 --latest=false
v2.0.0
    0 --latest=false"
`)
  },
)

onPosix('what is published are the files of the tag, which the attestation is about', async () => {
  // The assets of the draft are the files in assets/.
  const gh = `gh() {
    case "$2" in
      upload) for asset in "\${@:4}"; do [ "$asset" = --clobber ] || cp "$asset" assets; done ;;
      edit) head assets/* ;;
    esac
  }`
  const { code, stdout } = await runStepOf('release.yml', /^(Keep|Publish)/, {
    env: { BUNDLE: 'bundle.json', GITHUB_REF_NAME: 'v1.2.3' },
    programs: `${gh}\ngit() { echo v1.2.3; }`,
    files: {
      'action.yml': 'of the tag',
      'dist/index.js': 'of the tag',
      'bundle.json': 'signed',
      'assets/index.js': 'changed in the draft',
    },
  })
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout:
      '==> assets/action.yml <==\nof the tag\n==> assets/channel-file-upload.intoto.jsonl <==\nsigned\n==> assets/index.js <==\nof the tag',
  })
})

const withJq = (await hasProgram('jq')) ? onPosix : test.skip

withJq('the canary fails if the file is not what was posted, or stays', async () => {
  const size = (await readFile(new URL('../../examples/reports/coverage.csv', import.meta.url)))
    .length
  const responses = `
{"ok":true,"file":{"name":"coverage.csv","size":${size}}} {"ok":true}
{"ok":true,"file":{"name":"coverage.csv","size":${size + 1}}} {"ok":true}
{"ok":false,"error":"file_not_found"} {"ok":true}
{"ok":true,"file":{"name":"coverage.csv","size":${size}}} {"ok":false,"error":"missing_scope"}
`
  const codeOf = async (line: string) => {
    const [file, deleted] = line.split(' ')
    const curl = `curl() { case "$*" in *files.info) echo '${file}';; *) echo '${deleted}';; esac; }`
    const { code } = await runStepOf('canary.yml', /^Read it back/, {
      env: { TOKEN: 'a', FILE: 'F1' },
      programs: `${curl}\nstat() { echo ${size}; }`,
    })
    return code
  }
  expect((await grid(responses, codeOf)).match(/(?<=^ {4}).*$/gm)).toEqual(['0', '1', '1', '1'])
})
