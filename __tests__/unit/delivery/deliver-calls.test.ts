import { describe, expect, test } from '@jest/globals'
import { Deadline } from '../../../src/deadline.ts'
import { deliver, type Plan } from '../../../src/delivery/deliver.ts'
import type { FoundFile } from '../../../src/files/files.ts'
import { errorProblem, type Problem, ProblemError } from '../../../src/problem.ts'
import type {
  Channel,
  Message,
  MessagingService,
  PostResult,
  ServiceEvent,
} from '../../../src/service/service.ts'
import { quoted, text } from '../../../src/text/text.ts'
import { grid } from '../../support/grid.ts'
import { foundFile } from '../../support/scripted-service.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'

const problem = (title: string) => errorProblem(title, text`${title}`)
const notice = (title: string): Problem => ({ ...problem(title), level: 'notice' })
const channelsOf = (ids: readonly string[]): readonly Channel[] =>
  ids.map((id) => ({ id, requested: id }))
const posted = ({ channels, files }: Message): PostResult => ({
  postings: channels.map((channel) => ({ channel, state: 'posted' })),
  files,
  problems: [],
})
type State = PostResult['postings'][number]['state']
/** States by channel; the first is the default. */
const inStates =
  (states: readonly [State, ...State[]], more: Partial<PostResult> = {}) =>
  async (message: Message): Promise<PostResult> => ({
    ...posted(message),
    postings: message.channels.map((channel, index) => ({
      channel,
      state: states[index] ?? states[0],
    })),
    ...more,
  })

interface Options {
  readonly plan?: Partial<Plan>
  readonly service?: Partial<MessagingService>
  readonly limits?: Partial<MessagingService['limits']>
  /** Cancels the run just before this message is posted. */
  readonly cancelBefore?: number
}

/** Two messages of one file, to a service that does as asked. */
async function run({ plan, service, limits, cancelBefore }: Options = {}) {
  const clock = new VirtualClock()
  const deadline = new Deadline(clock)
  deadline.start(60_000)
  const messages: Message[] = []
  const staged: string[] = []
  const told: string[] = []
  const whole: Plan = {
    files: [foundFile('a.csv'), foundFile('b.csv')],
    channels: ['C1', 'C2'],
    commentFor: (files) => ({ text: files.map(({ name }) => name).join() }),
    dryRun: false,
    ...plan,
  }
  const fake: MessagingService = {
    limits: { filesAtOnce: 6, filesPerMessage: 1, commentGoesWith: 'first message', ...limits },
    resolve: async (requested) => channelsOf(requested),
    preflight: async (_, posts) => {
      told.push(posts)
      return []
    },
    stage: async (file) => {
      staged.push(file.name)
      return { file }
    },
    post: async (message) => posted(message),
    ...service,
  }
  const spied: MessagingService = {
    ...fake,
    post: (message) => {
      messages.push(message)
      if (messages.length !== cancelBefore) return fake.post(message)
      deadline.cancel()
      return clock.standStill(fake.post(message))
    },
  }
  const events: ServiceEvent[] = []
  const report = await clock.play(
    deliver(whole, spied, { deadline, onEvent: (event) => events.push(event) }),
  )
  deadline[Symbol.dispose]()
  const states = report.messages.map(({ postings }) => postings.map(({ state }) => state).join())
  return {
    clock,
    report,
    events,
    messages,
    staged,
    states,
    told,
    titles: report.problems.map(({ title }) => title),
  }
}

/** Later, without time on the clock. */
async function soon(): Promise<void> {
  for (let turn = 0; turn < 1_000; turn += 1) await undefined
}

const canceled = 'canceled in the first message'
/** Of the first file; the second is not sent, for a reason. */
const onlyFirst = (state: State) => async (message: Message) =>
  message.files[0]?.file.name === 'a.csv'
    ? inStates([state])(message)
    : inStates(['not-sent'], { problems: [problem('Given up')] })(message)
const givenUp = (states: readonly [State, State]) => async (message: Message) => {
  await soon()
  return inStates(states, { problems: [notice('N'), problem('Given up')] })(message)
}
const fails = (error: Error) => async () => {
  throw error
}
const hangs = () => new Promise<never>(() => {})
const inOneMessage = { limits: { filesPerMessage: 2 }, cancelBefore: 1 }

const runs: Readonly<Record<string, Options>> = {
  'two messages of one file': {},
  'two messages, each with a comment': { limits: { commentGoesWith: 'each message' } },
  'a comment without files': {
    plan: { files: [], channels: ['C1'], commentFor: () => ({ text: 'Reports' }) },
  },
  'a dry run': {
    plan: { dryRun: true, commentFor: () => ({ text: 'Reports' }) },
    limits: { commentGoesWith: 'each message' },
  },
  'no channel is found': { service: { resolve: fails(new ProblemError(problem('No'))) } },
  'accepted, then a failure': { service: { post: onlyFirst('accepted') } },
  [canceled]: { cancelBefore: 1 },
  'canceled in the second message, which is given up': {
    service: { post: onlyFirst('posted') },
    cancelBefore: 2,
  },
  [`${canceled}, which is given up`]: {
    service: { post: givenUp(['not-sent', 'not-sent']) },
    ...inOneMessage,
  },
  [`${canceled}, which may be posted`]: {
    service: { post: givenUp(['unknown', 'not-sent']) },
    ...inOneMessage,
  },
  'a bug while a message is posted': {
    service: { post: fails(new TypeError('x is not a function')) },
  },
  'resolve hangs': { service: { resolve: hangs } },
  'stage hangs': { service: { stage: hangs } },
  'preflight hangs': { service: { preflight: hangs } },
  'post hangs': { service: { post: hangs } },
}

test('The report says what became of each message, and why', async () => {
  const outcome = async (name: string) => {
    const { clock, messages, report, staged, states, told } = await run(runs[name])
    const comments = messages.map(({ comment }) => comment?.text ?? 'none').join(' ')
    return [
      `${report.status}: ${states.join(' / ')}, ${clock.now() / 1_000} s`,
      `checked for ${told} (${report.checks.length}), staged ${staged}, comments: ${comments} (${report.comments})`,
      ...report.problems.map(({ level, text, title }) => `${level}: ${title}: ${quoted(text)}`),
    ].join('⏎')
  }
  expect(await grid(Object.keys(runs).join('\n'), outcome)).toMatchInlineSnapshot(`
"two messages of one file
    posted: posted,posted / posted,posted, 0 s⏎checked for files (0), staged a.csv,b.csv, comments: a.csv,b.csv none (a.csv,b.csv)
two messages, each with a comment
    posted: posted,posted / posted,posted, 0 s⏎checked for files (0), staged a.csv,b.csv, comments: a.csv b.csv (a.csv,b.csv)
a comment without files
    posted: posted, 0 s⏎checked for comment (0), staged , comments: Reports (Reports)
a dry run
    dry-run: not-sent,not-sent / not-sent,not-sent, 0 s⏎checked for files (0), staged a.csv,b.csv, comments:  (Reports)
no channel is found
    failed:  / , 0 s⏎checked for  (0), staged , comments:  (a.csv,b.csv)⏎error: No: \`No\`
accepted, then a failure
    partial: accepted,accepted / not-sent,not-sent, 0 s⏎checked for files (0), staged a.csv,b.csv, comments: a.csv,b.csv none (a.csv,b.csv)⏎error: Given up: \`Given up\`
canceled in the first message
    partial: posted,posted / not-sent,not-sent, 0 s⏎checked for files (0), staged a.csv,b.csv, comments: a.csv,b.csv (a.csv,b.csv)⏎error: The runner stopped the step: The run was cancelled, or the step reached its own \`timeout-minutes\` in the workflow (not the input). Nothing was sent after that.⏎If nobody cancelled it, raise \`timeout-minutes\` beside \`uses:\`.
canceled in the second message, which is given up
    partial: posted,posted / not-sent,not-sent, 0 s⏎checked for files (0), staged a.csv,b.csv, comments: a.csv,b.csv none (a.csv,b.csv)⏎error: The runner stopped the step: The run was cancelled, or the step reached its own \`timeout-minutes\` in the workflow (not the input). Nothing was sent after that.⏎If nobody cancelled it, raise \`timeout-minutes\` beside \`uses:\`.
canceled in the first message, which is given up
    failed: not-sent,not-sent, 0 s⏎checked for files (0), staged a.csv,b.csv, comments: a.csv,b.csv (a.csv,b.csv)⏎notice: N: \`N\`⏎error: The runner stopped the step: The run was cancelled, or the step reached its own \`timeout-minutes\` in the workflow (not the input). Nothing was sent after that.⏎If nobody cancelled it, raise \`timeout-minutes\` beside \`uses:\`.
canceled in the first message, which may be posted
    unknown: unknown,not-sent, 0 s⏎checked for files (0), staged a.csv,b.csv, comments: a.csv,b.csv (a.csv,b.csv)⏎notice: N: \`N\`⏎error: Given up: \`Given up\`⏎error: The runner stopped the step: The run was cancelled, or the step reached its own \`timeout-minutes\` in the workflow (not the input). Nothing was sent after that.⏎If nobody cancelled it, raise \`timeout-minutes\` beside \`uses:\`.
a bug while a message is posted
    unknown: unknown,unknown / not-sent,not-sent, 0 s⏎checked for files (0), staged a.csv,b.csv, comments: a.csv,b.csv (a.csv,b.csv)⏎error: The action failed: \`x is not a function\`⏎This is a bug in the action. Please report it with the log of the step. Before you run the step again, check the channels: something may have been posted.
resolve hangs
    failed:  / , 61 s⏎checked for  (0), staged , comments:  (a.csv,b.csv)⏎error: Timed out after timeout-minutes: Not everything could be done within \`timeout-minutes\`. Nothing was sent after that.⏎Raise \`timeout-minutes\`, or see in the log what the step waited for.
stage hangs
    failed: not-sent,not-sent / not-sent,not-sent, 61 s⏎checked for files (0), staged , comments:  (a.csv,b.csv)⏎error: Timed out after timeout-minutes: Not everything could be done within \`timeout-minutes\`. Nothing was sent after that.⏎Raise \`timeout-minutes\`, or see in the log what the step waited for.
preflight hangs
    failed: not-sent,not-sent / not-sent,not-sent, 61 s⏎checked for  (0), staged , comments:  (a.csv,b.csv)⏎error: Timed out after timeout-minutes: Not everything could be done within \`timeout-minutes\`. Nothing was sent after that.⏎Raise \`timeout-minutes\`, or see in the log what the step waited for.
post hangs
    unknown: unknown,unknown / not-sent,not-sent, 61 s⏎checked for files (0), staged a.csv,b.csv, comments: a.csv,b.csv (a.csv,b.csv)⏎error: Timed out after timeout-minutes: Not everything could be done within \`timeout-minutes\`. Nothing was sent after that.⏎Raise \`timeout-minutes\`, or see in the log what the step waited for."
`)
})

describe('Staging', () => {
  test('begins with the size of all files together', async () => {
    const files = [foundFile('a.csv', 5), foundFile('b.csv', 7)]
    expect((await run({ plan: { files } })).events).toEqual([{ kind: 'sending', bytes: 12 }])
  })

  test.each([
    { sizes: [2_000_000], expected: { 2000000: 6 } },
    { sizes: [2_100_000], expected: { 2100000: 5 } },
    { sizes: [6_000_001], expected: { 6000001: 1 } },
    { sizes: [20_000_000], expected: { 20000000: 1 } },
    { sizes: [20_000_000, 5_000_000], expected: { 20000000: 1, 5000000: 1 } },
    // One large file of 70.
    { sizes: [20_000_000, ...Array(69).fill(1)], expected: { 1: 6, 20000000: 1 } },
  ])('takes so many files of each size at once: $expected', async ({ sizes, expected }) => {
    const active: FoundFile[] = []
    const most: Record<number, number> = {}
    const stage: MessagingService['stage'] = async (file) => {
      active.push(file)
      most[file.size] = Math.max(
        most[file.size] ?? 0,
        active.filter(({ size }) => size === file.size).length,
      )
      await soon()
      active.splice(active.indexOf(file), 1)
      return { file, id: file.name }
    }
    const files = Array.from({ length: 70 }, (_, index) =>
      foundFile(`${index}.csv`, sizes[index % sizes.length]),
    )
    const { messages } = await run({
      plan: { files },
      service: { stage },
      limits: { filesPerMessage: 70 },
    })
    expect(most).toEqual(expected)
    expect(messages[0]?.files).toEqual(files.map((file) => ({ file, id: file.name })))
  })

  test('begins with what takes long, and does not let small files wait for it', async () => {
    const begun: number[] = []
    const stage: MessagingService['stage'] = async (file) => {
      begun.push(file.size)
      await soon()
      return { file }
    }
    const files = [1, 2, 30e6, 20e6, 5e6].map((size) => foundFile(`${size}.bin`, size))
    await run({ plan: { files }, service: { stage } })
    expect(begun).toEqual([30e6, 5e6, 20e6, 2, 1])
  })

  test('gives the other files up as soon as one fails', async () => {
    const aborted: string[] = []
    const stage: MessagingService['stage'] = async (file, signal) => {
      signal.addEventListener('abort', () =>
        aborted.push(`${file.name}: ${signal.reason.problems?.[0].title}`),
      )
      await soon()
      if (file.name === 'a.csv') throw new ProblemError(problem('No'))
      return new Promise<never>(() => {})
    }
    expect((await run({ service: { stage } })).titles).toEqual(['No'])
    expect(aborted).toEqual(['a.csv: No', 'b.csv: No'])
  })
})
