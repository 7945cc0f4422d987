// What the action does when the service fails: the bundle as the runner starts it, against the sandbox, on a clock that runs
// faster. Prints Markdown. Usage: npm run bench:faults

import { withClock } from '../__tests__/support/scaled-clock.ts'
import { type Done, runStep } from '../__tests__/support/step.ts'
import type { Fault, FaultRule, Target } from '../sandbox/faults.ts'
import type { Sandbox, SandboxOptions } from '../sandbox/sandbox.ts'

const speed = 20

interface Trial {
  readonly rules?: readonly FaultRule[]
  readonly service?: SandboxOptions
  /** Default 3 of a few bytes. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
}

interface Observed extends Done {
  readonly sandbox: Sandbox
  /** Of the action's clock, above an undisturbed run, give or take some: its clock runs faster than its processor. */
  readonly seconds: number
}

interface Row {
  readonly fault: string
  readonly trials: readonly Trial[]
  /** What else to print about a trial. */
  readonly also?: (observed: Observed) => string
}

const complete = 'files.completeUploadExternal'
const steps: readonly Target[] = ['files.getUploadURLExternal', 'upload-bytes', complete]
const page = { html: '<!doctype html><title>Oops</title>' }
const onFirstCall = (on: Target, fault: Fault): Trial => ({ rules: [{ on, call: 1, fault }] })
const always = (on: Target, fault: Fault): Trial => ({ rules: [{ on, fault }] })
const several = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`report-${index + 1}.csv`, `${index}\n`]))

const rows: readonly Row[] = [
  {
    fault: '429 with `Retry-After` on any step; a 500; a reset in the middle of the bytes',
    trials: [
      ...steps.map((step) => onFirstCall(step, { kind: 'response', status: 429, headers: { 'retry-after': '2' } })),
      ...steps.slice(0, 2).map((step) => onFirstCall(step, { kind: 'response', status: 500, body: page })),
      {
        ...onFirstCall('upload-bytes', { kind: 'reset', when: 'middle' }),
        files: { 'report.csv': Buffer.alloc(8_000_000, 'a') },
      },
    ],
  },
  {
    fault: '429 without `Retry-After`',
    trials: steps.map((step) => onFirstCall(step, { kind: 'response', status: 429 })),
  },
  {
    fault: 'the response is lost after the files were posted; a repeat posts again',
    trials: [
      {
        ...onFirstCall(complete, { kind: 'reset', when: 'after', effect: true }),
        service: { secondCompletion: 'shares again' },
      },
    ],
  },
  {
    fault: 'the response is lost after the files were posted; a repeat is refused',
    trials: [onFirstCall(complete, { kind: 'reset', when: 'after', effect: true })],
  },
  {
    fault: '500 after the files were posted; a repeat posts again',
    trials: [
      {
        ...onFirstCall(complete, { kind: 'response', status: 500, body: page, effect: true }),
        service: { secondCompletion: 'shares again' },
      },
    ],
  },
  { fault: '20 files, the service takes 14 in a message', trials: [{ files: several(20) }] },
  { fault: 'the upload of a small file gets no response', trials: [always('upload-bytes', { kind: 'silence' })] },
  {
    fault: 'every response is a 500',
    trials: steps.map((step) => always(step, { kind: 'response', status: 500, body: page })),
  },
  { fault: 'the upload URL is on another origin', trials: [{}], also: tokenAt },
  {
    fault: 'the upload URL redirects to another origin',
    trials: ([302, 307] as const).map((status) => always('upload-bytes', { kind: 'redirect', status })),
    also: (observed) =>
      observed.requests.some(({ path }) => path === '/elsewhere') ? '**redirect followed**' : 'redirect not followed',
  },
  {
    fault: 'the error text of the service contains a workflow command',
    trials: [
      always(complete, {
        kind: 'error',
        code: 'broken\n::set-output name=status::posted',
        more: { response_metadata: { messages: ['\n::error::injected', '##[error]injected'] } },
      }),
    ],
    also: ({ stdout }) =>
      /^::(set-output|error::)|^##\[/m.test(stdout) ? '**the command takes effect**' : 'the command has no effect',
  },
  { fault: 'the token and the upload URL in the log', trials: [{}], also: secretsIn },
]

function tokenAt({ requests }: Observed): string {
  const sent = requests.some(({ origin, token }) => origin === 'upload' && token !== 'none')
  return sent ? '**the URL gets the token**' : 'the URL gets no token'
}

function secretsIn({ stdout, stderr, summary, outputs, token, sandbox }: Observed): string {
  const printed = [stdout.replaceAll(/^::add-mask::.*$/gm, ''), stderr, summary, ...Object.values(outputs)].join('\n')
  const masked = stdout.includes(`::add-mask::${token}`) && stdout.includes(`::add-mask::${sandbox.uploadOrigin}`)
  const shown = printed.includes(token) || printed.includes(sandbox.uploadOrigin)
  return `${masked ? 'masked' : '**not masked**'}, ${shown ? '**printed**' : 'never printed'}`
}

async function observe({ files = several(3), rules = [], service = {} }: Trial): Promise<Observed> {
  let sandbox: Sandbox | undefined
  const done = await runStep({
    files,
    service,
    ...withClock(speed),
    env: { RUNNER_DEBUG: '1' },
    inputs: { method: 'external' },
    prepare: (started) => {
      sandbox = started
      started.faults.add(...rules)
    },
  })
  if (sandbox === undefined) throw new Error('The sandbox was not started')
  return { ...done, sandbox, seconds: Math.max(0, (done.milliseconds - undisturbed) / 1000) * speed }
}

/** Such as `succeeds, posted once`. */
function outcome({ code, outputs, sandbox }: Observed): string {
  const times = new Set(sandbox.workspace.postings().map((posting) => posting.times))
  const result = times.size === 0 ? 'nothing posted' : Math.max(...times) === 1 ? 'posted once' : '**posted twice**'
  return `${code === 0 ? 'succeeds' : 'fails'} (\`${outputs['status']}\`), ${result}`
}

let undisturbed = 0
undisturbed = (await observe({})).milliseconds
console.log('| fault | this action |\n| --- | --- |')
for (const { also, fault, trials } of rows) {
  const observed: Observed[] = []
  for (const trial of trials) observed.push(await observe(trial))
  const seen = new Set(observed.map((one) => [outcome(one), ...(also ? [also(one)] : [])].join(', ')))
  const givenUp = Math.max(0, ...observed.filter(({ code }) => code !== 0).map(({ seconds }) => seconds))
  const after = givenUp > 30 ? `, after about ${Math.round(givenUp / 10) * 10} s` : ''
  console.log(`| ${fault} | ${[...seen].join('; ')}${after} |`)
}
