/** Runs every step that examples/workflows, README and docs show, against the sandbox. */
import { chmodSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { isJsonObject, type Json } from '../../sandbox/json.ts'
import { runAction } from '../../sandbox/runner.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { atOnce } from '../../sandbox/settings.ts'
import { repositoryName } from '../../scripts/repository-name.ts'
import { evaluate } from '../support/expressions.ts'
import { makeFolder, sharedFolder } from '../support/folder.ts'
import { runBash } from '../support/processes.ts'
import { filesIn, read, stepsOfPages } from '../support/repository.ts'
import { onPosix } from '../support/systems.ts'

type Values = Readonly<Record<string, unknown>>

interface Step extends Readonly<Partial<Record<'id' | 'if' | 'uses' | 'run', string>>> {
  readonly with?: Values
  readonly env?: Values
}

interface Job {
  readonly if?: string
  /** The job that it waits for; in the examples, at most one. */
  readonly needs?: string
  readonly steps?: readonly Step[]
  readonly env?: Values
}

interface Example {
  readonly name: string
  readonly event: string
  /** `name` of the workflow, which a comment can show. */
  readonly workflow?: string | undefined
  readonly jobs: Readonly<Record<string, Job>>
}

const isOurs = ({ uses = '' }: Step) => uses.startsWith(`${repositoryName()}@`)
const callsGh = ({ run = '' }: Step) => /\bgh /.test(run)

/** The jobs of a workflow, or of a list of steps that a page shows. */
function example(name: string, text: string): Example {
  const yaml = parse(text)
  if (Array.isArray(yaml)) return { name, event: 'push', jobs: { job: { steps: yaml } } }
  const [event = 'push'] = Object.keys(yaml.on ?? {})
  return { name, event, workflow: yaml.name, jobs: yaml.jobs }
}

const examples: readonly Example[] = [
  ...filesIn('examples/workflows/')
    .map((path) => example(path, read(path)))
    .filter(({ jobs }) => Object.values(jobs).some(({ steps = [] }) => steps.some(isOurs))),
  ...stepsOfPages.map(({ path, text }) => example(path, text)),
]

/** What other steps of the examples leave. Each file holds its own path. */
const files = `
app/build/outputs/apk/release/app-release.apk
coverage/coverage.csv
logs/nightly.log
packages/api/reports/coverage.csv
playwright-report.zip
recordings/walkthrough.mp4
reports/coverage.csv
reports/details/api.csv
reports/details/page.csv
reports/junit.xml
reports/overview.csv
reports/report-ubuntu-latest/results.csv
reports/report-windows-latest/results.csv
reports/test-results.csv
test-results/login-works/test-failed-1.png
test-results/logout-works/test-failed-1.png
`

/** Stands in for `gh`: records each call, and prints what `gh` would. */
const gh = `#!/bin/sh
echo "gh $*" >> "$GH_CALLS"
case "$1 $2" in
  'release create') echo "https://github.com/octo-org/octo-repo/releases/tag/$3" ;;
  'release view') echo 'Vouchers can be applied at checkout.' ;;
  'release download' | 'release edit' | 'pr view' | 'pr comment') ;;
  'run list') echo 1658821490 ;;
  'api repos/'*) printf 'test (macos-latest)\\ntest (windows-latest)\\n' ;;
  *) exit 1 ;;
esac
`

const workspace = sharedFolder(
  Object.fromEntries(
    files
      .trim()
      .split('\n')
      .map((path) => [path, path]),
  ),
)
const tools = sharedFolder({ gh })
beforeAll(() => chmodSync(join(tools, 'gh'), 0o755))

const events: Readonly<Record<string, object>> = {
  release: JSON.parse(read('examples/events/release.json')),
  pull_request: {
    pull_request: { number: 7, head: { repo: { full_name: 'octo-org/octo-repo' } } },
  },
  workflow_run: {
    workflow_run: {
      event: 'pull_request',
      id: 7,
      html_url: 'https://github.com/o/r/actions/runs/7',
    },
  },
}

/**
 * Would GitHub run this? `failed` is the result of earlier steps; by default, what the condition
 * asks for.
 */
function isMet(condition = 'success()', contexts: Values = {}, failed?: boolean): boolean {
  const asksForStatus = /\b(success|failure|always|cancelled)\(\)/g
  const expression = /^\$\{\{(.*)\}\}$/s.exec(condition)?.[1] ?? condition
  const status: Values = {
    success: !failed,
    failure: failed ?? true,
    always: true,
    cancelled: false,
  }
  const whole = asksForStatus.test(expression) ? expression : `success() && (${expression})`
  const answered = whole
    .replaceAll(asksForStatus, (_, name) => String(status[name]))
    .replaceAll(/hashFiles\(.*?\)/g, failed ? "''" : "'hash'")
  return evaluate(`\${{ (${answered}) && 'met' }}`, contexts) === 'met'
}

/** Runs a script as the runner does, and returns its outputs. */
async function runScript(
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const file = join(tools, 'output')
  await writeFile(file, '')
  const result = await runBash(script, {
    cwd: workspace,
    env: {
      PATH: `${tools}:${process.env['PATH']}`,
      GH_CALLS: join(tools, 'calls'),
      GITHUB_OUTPUT: file,
      GITHUB_REF_NAME: 'v1.2.0',
      GITHUB_SHA: 'ffac537e6cbbf934b08745a378932722df287a53',
      ...env,
    },
  })
  expect(result).toMatchObject({ code: 0, stderr: '' })
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

/** Outputs of other actions. */
function outputsOfOthers({ uses = '' }: Step, user: string): object {
  if (uses.startsWith('slackapi/slack-github-action@')) {
    return { ts: '1760688662.900279', response: JSON.stringify({ ok: true, user: { id: user } }) }
  }
  if (uses.startsWith('mikepenz/action-junit-report@')) return { passed: '41', failed: '1' }
  const url = 'https://github.com/octo-org/octo-repo/actions/runs/1658821493/artifacts/1'
  return uses.startsWith('actions/upload-artifact@') ? { 'artifact-url': url } : {}
}

interface Situation extends Pick<Example, 'event' | 'workflow'> {
  readonly sandbox: Sandbox
  readonly folder?: string
  /** Did an earlier step fail? */
  readonly failed?: boolean
}

/** Runs a job's steps that use this action or `gh`, in order, with the outputs of earlier ones. */
async function runJob(
  job: Job,
  { event, failed, folder = workspace, sandbox, workflow }: Situation,
) {
  const { channels, tokens, users } = sandbox
  const payload = events[event] ?? {}
  // docs/outputs.md sends the rest of this `partial` step.
  const before = {
    status: 'partial',
    'not-sent': '[{"path":"reports/overview.csv","name":"overview.csv"}]',
  }
  const steps: Record<string, object> = { overview: { outputs: before } }
  const results = []
  const common = {
    job: { status: failed ? 'failure' : 'success' },
    secrets: { SLACK_BOT_TOKEN: tokens.all, CHAT_TOKEN: tokens.all, token: tokens.all },
    vars: {
      SLACK_CHANNEL: channels.general,
      SLACK_CHANNELS: JSON.stringify({ 'v1.2.0': channels.general }),
      SLACK_MEMBERS: JSON.stringify({ octocat: users.person }),
    },
    needs: { test: { result: 'success' } },
    github: {
      event: payload,
      event_name: event,
      ref_name: 'v1.2.0',
      repository: 'octo-org/octo-repo',
      run_id: '1658821493',
      run_number: '12',
      run_attempt: '1',
      token: 'made-up',
      triggering_actor: 'octocat',
    },
    inputs: {
      files: 'reports/**/*.csv',
      comment: '{files} from {source}',
      email: 'reviewer@example.com',
    },
    matrix: { os: 'ubuntu-latest', package: 'api' },
    runner: { temp: workspace },
  }
  const filled = (values: Values = {}, contexts: Values = common) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, evaluate(String(value), contexts)]),
    )
  const env = filled(job.env)
  for (const step of job.steps ?? []) {
    const contexts = { ...common, env, steps }
    if (!isMet(step.if, contexts, failed)) continue
    const keep = (outputs: object) => {
      if (step.id !== undefined) steps[step.id] = { outputs, outcome: 'success' }
    }
    const stepEnv = { ...env, ...filled(step.env, contexts) }
    if (callsGh(step)) keep(await runScript(step.run ?? '', stepEnv))
    else keep(outputsOfOthers(step, users.reviewer))
    if (!isOurs(step)) continue
    const inputs = filled(step.with, contexts)
    // The person in the examples is one of the sandbox.
    inputs['channels'] = (inputs['channels'] ?? '').replaceAll('U0123456789', users.reviewer)
    for (const id of inputs['channels'].split(/[\s,]+/)) makeKnown(sandbox, id)
    const result = await runAction({
      workspace: folder,
      eventName: event,
      event: payload,
      env: { ...(workflow && { GITHUB_WORKFLOW: workflow }), ...stepEnv },
      // On Slack, test the external upload.
      inputs: {
        ...(inputs['base-url'] ? {} : { method: 'external' }),
        ...inputs,
        'base-url': sandbox.baseUrl,
      },
    })
    keep(result.outputs)
    results.push(result)
  }
  return results
}

function makeKnown({ workspace, users }: Sandbox, id: string): void {
  if (!/^[CGD]\d/.test(id) || workspace.conversations.some((known) => known.id === id)) return
  workspace.addConversation({
    id,
    name: id,
    kind: id.startsWith('D') ? 'direct' : 'public',
    members: [users.app],
  })
}

/** The text of a comment's only block. */
function textOf(blocks: readonly Json[] | undefined): string {
  const [block] = blocks ?? []
  return isJsonObject(block) && isJsonObject(block['text'])
    ? String(block['text']['text'])
    : 'no text'
}

for (const { name, event, jobs: byName, workflow } of examples) {
  const jobs = Object.values(byName)
  // Scripts that call `gh` are for Ubuntu, like its stand-in.
  const testHere = jobs.some(({ steps }) => steps?.some(callsGh)) ? onPosix : test
  testHere(`${name} posts this`, async () => {
    const own = jobs.some(({ steps = [] }) =>
      steps.some((step) => step.with?.['base-url'] !== undefined),
    )
    await using sandbox = await startSandbox({ ...atOnce, strictIds: !own })
    await writeFile(join(tools, 'calls'), '')
    const results = []
    for (const job of jobs) {
      expect(
        isMet(job.if, {
          needs: {},
          github: { event: events[event] ?? {}, repository: 'octo-org/octo-repo' },
        }),
      ).toBe(true)
      results.push(...(await runJob(job, { event, sandbox, workflow })))
    }
    expect(results.length).toBeGreaterThan(0)
    for (const { code, outputs, stdout } of results) {
      expect(stdout).not.toMatch(/^::(error|warning)/m)
      expect({ code, outputs }).toMatchObject({
        code: 0,
        outputs: { status: expect.stringMatching(/^(posted|dry-run)$/) },
      })
    }
    if (!name.startsWith('examples/')) return
    const names = new Map(sandbox.workspace.conversations.map(({ id, name }) => [id, name]))
    const seen = sandbox.workspace.messages.map(({ channel, text, blocks, files, threadTs }) => {
      const where = `${names.get(channel)}${threadTs === undefined ? '' : ', in a thread'}`
      return `${where}: ${text ?? textOf(blocks)} [${files.map(({ title }) => title).join(', ')}]`
    })
    const calls = readFileSync(join(tools, 'calls'), 'utf8')
    const shown = `${seen.join('\n')}\n${calls}`
      .trim()
      .replace(/http:\S+\/archives\/[^\s)]+/g, 'the permalink')
      .replace(/(?<=<!-- ts )[\d.]+/, 'TS')
      .replaceAll('https://github.com/octo-org/octo-repo/', '')
      .replaceAll('actions/runs/1658821493/attempts/1', 'RUN')
    expect(shown).toMatchSnapshot()
  })
}

test.each(['assets', 'artifacts'])('release-%s.yml skips a prerelease', (kind) => {
  const { jobs } = example('', read(`examples/workflows/release-${kind}.yml`))
  const run = (prerelease: boolean) =>
    isMet(jobs['post']?.if, { github: { event: { release: { prerelease } } } })
  expect([run(false), run(true)]).toEqual([true, false])
})

const screenshots = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`test-results/${at}/test-failed-1.png`, 'a']),
  )
test.each([
  ['on-failure', 'leaves no file', {}, /^Failed.*no files/],
  ['screenshots', 'leaves no file', {}, /^Failed.*no files/],
  ['screenshots', 'leaves too many', screenshots(51), /^Failed in the browser/],
])('%s.yml posts the comment alone if the build fails and %s', async (name, _, left, comment) => {
  const { jobs, ...situation } = example('', read(`examples/workflows/${name}.yml`))
  await using sandbox = await startSandbox(atOnce)
  using folder = makeFolder(left)
  for (const job of Object.values(jobs))
    await runJob(job, { ...situation, sandbox, folder: folder.root, failed: true })
  const said = sandbox.workspace.messages.map(({ blocks, files, text }) => [
    textOf(blocks) + text,
    files,
  ])
  expect(said).not.toEqual([])
  expect(said).toEqual(said.map(() => [expect.stringMatching(comment), []]))
})

test('no condition on outputs implies that the job succeeded', () => {
  const conditions = examples.flatMap(({ jobs, name }) =>
    Object.values(jobs).flatMap(({ steps = [] }) => steps.map((step) => `${name}: ${step.if}`)),
  )
  const onOutputs = conditions.filter((condition) => condition.includes('.outputs.'))
  expect(onOutputs).not.toEqual([])
  expect(
    onOutputs.filter((condition) => !/\b(success|failure|always|cancelled)\(\)/.test(condition)),
  ).toEqual([])
})

test.each(examples.map((workflow) => [workflow.name, workflow] as const))(
  '%s adds no red step to a build that fails and leaves no files',
  (_, { event, jobs }) => {
    const github = { event: events[event] ?? {}, repository: 'octo-org/octo-repo' }
    const needed = { test: { result: 'failure' } }
    const contexts = { env: {}, github, job: { status: 'failure' }, needs: needed, steps: {} }
    for (const { if: condition, needs, steps = [] } of Object.values(jobs)) {
      if (needs !== undefined && !isMet(condition, contexts, true)) continue
      // In a job that waits for the build, no step failed before.
      const run = steps.filter((step) => isMet(step.if, contexts, needs === undefined))
      for (const { with: inputs = {} } of run.filter(isOurs))
        expect(evaluate(String(inputs['if-no-files-found']), contexts)).not.toMatch(
          /undefined|error/,
        )
      // Downloading a missing artifact fails by name, but not by pattern.
      const named = run.filter(({ uses }) => uses?.startsWith('actions/download-artifact@'))
      expect(named.filter(({ with: inputs }) => inputs?.['name'] !== undefined)).toEqual([])
    }
  },
)
