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
    preflight: async () => [],
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
    titles: report.problems.map(({ title }) => title),
  }
}

/** Later, without time on the clock. */
async function soon(): Promise<void> {
  for (let turn = 0; turn < 1_000; turn += 1) await undefined
}

const commentsOf = (messages: readonly Message[]) => messages.map(({ comment }) => comment?.text)

test.each<[string, Options, (string | undefined)[]]>([
  ['for all files if it is the first, and the others have none', {}, ['a.csv,b.csv', undefined]],
  [
    'for its own files where each has one',
    { limits: { commentGoesWith: 'each message' } },
    ['a.csv', 'b.csv'],
  ],
])('A message has a comment %s', async (_, options, comments) => {
  expect(commentsOf((await run(options)).messages)).toEqual(comments)
})

test('A comment without files is one message', async () => {
  const { messages } = await run({
    plan: { files: [], channels: ['C1'], commentFor: () => ({ text: 'Reports' }) },
  })
  expect(messages).toMatchObject([{ comment: { text: 'Reports' }, files: [] }])
})

test.each([
  ['comment', []],
  ['files', [foundFile('a.csv')]],
] as const)('The checks are told that a run posts: %s', async (what, files) => {
  const told: string[] = []
  const preflight: MessagingService['preflight'] = async (_, posts) => {
    told.push(posts)
    return []
  }
  await run({ plan: { files }, service: { preflight } })
  expect(told).toEqual([what])
})

test('A dry run stages, which only reads the files then, and posts nothing', async () => {
  const { messages, report, staged, states } = await run({
    plan: { dryRun: true, commentFor: () => ({ text: 'Reports' }) },
    limits: { commentGoesWith: 'each message' },
  })
  expect([report.status, messages, staged]).toEqual(['dry-run', [], ['a.csv', 'b.csv']])
  expect(report.comments).toEqual(['Reports'])
  expect(states).toEqual(['not-sent,not-sent', 'not-sent,not-sent'])
})

test('A run that cannot find the channels leaves each file without a channel', async () => {
  const resolve = async () => {
    throw new ProblemError(problem('No'))
  }
  const { report, states } = await run({ service: { resolve } })
  expect([report.checks, states]).toEqual([[], ['', '']])
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

test('A run that fails after a message was accepted is partial', async () => {
  const post = async (message: Message) =>
    message.files[0]?.file.name === 'a.csv'
      ? inStates(['accepted'])(message)
      : inStates(['not-sent'], { problems: [problem('No')] })(message)
  expect((await run({ service: { post } })).report.status).toBe('partial')
})

describe('When the run is canceled', () => {
  const canceled = 'The runner stopped the step'

  test('no further message is posted', async () => {
    const { messages, report, states, titles } = await run({ cancelBefore: 1 })
    expect([messages.length, states]).toEqual([1, ['posted,posted', 'not-sent,not-sent']])
    expect([report.status, titles]).toEqual(['partial', [canceled]])
  })

  test.each<[string, [State, State], string[]]>([
    [
      'was given up before it was sent has no other reason',
      ['not-sent', 'not-sent'],
      ['N', canceled],
    ],
    [
      'may have been posted has its own reason too',
      ['unknown', 'not-sent'],
      ['N', 'Given up', canceled],
    ],
  ])('a message that %s', async (_, states, expected) => {
    const post = async (message: Message) => {
      await soon()
      return inStates(states, { problems: [notice('N'), problem('Given up')] })(message)
    }
    const { titles } = await run({
      service: { post },
      limits: { filesPerMessage: 2 },
      cancelBefore: 1,
    })
    expect(titles).toEqual(expected)
  })

  test('only the last message says if one may have been sent', async () => {
    const post = async (message: Message) =>
      message.files[0]?.file.name === 'a.csv'
        ? posted(message)
        : inStates(['not-sent'], { problems: [problem('Given up')] })(message)
    expect((await run({ service: { post }, cancelBefore: 2 })).titles).toEqual([canceled])
  })
})

describe('A bug in the action', () => {
  const hang = () => new Promise<never>(() => {})

  test('while a message is posted loses nothing of what is known', async () => {
    const post = async () => {
      throw new TypeError('undefined is not a function')
    }
    const { report, states } = await run({ service: { post } })
    expect([report.status, states]).toEqual(['unknown', ['unknown,unknown', 'not-sent,not-sent']])
    expect(report.problems.map((one) => quoted(one.text)).join()).toContain(
      'undefined is not a function',
    )
  })

  test.each([
    ['resolve', 'failed'],
    ['stage', 'failed'],
    ['preflight', 'failed'],
    ['post', 'unknown'],
  ] as const)('that hangs in %s does not outlast the deadline', async (part, status) => {
    const { clock, report, titles } = await run({ service: { [part]: hang } })
    expect([report.status, clock.now()]).toEqual([status, 61_000])
    expect(titles).toContain('Timed out after timeout-minutes')
  })
})
