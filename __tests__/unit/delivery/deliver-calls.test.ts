import { describe, expect, test } from '@jest/globals'
import { Deadline } from '../../../src/deadline.ts'
import { deliver, type Plan } from '../../../src/delivery/deliver.ts'
import { type Problem, ProblemError } from '../../../src/problem.ts'
import type { Channel, Message, MessagingService, PostResult, ServiceEvent } from '../../../src/service/service.ts'
import { quoted, text } from '../../../src/text/text.ts'
import { foundFile } from '../../support/scripted-service.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'

const problem = (title: string): Problem => ({ title, text: text`${title}` })
const notice = (title: string): Problem => ({ level: 'notice', ...problem(title) })
const channelsOf = (ids: readonly string[]): readonly Channel[] => ids.map((id) => ({ id, requested: id }))
const posted = ({ channels, files }: Message): PostResult => ({
  postings: channels.map((channel) => ({ channel, state: 'posted' })),
  files,
  problems: [],
})
type State = PostResult['postings'][number]['state']
/** The state in each channel; the first in those without one. */
const inStates =
  (states: readonly [State, ...State[]], more: Partial<PostResult> = {}) =>
  async (message: Message): Promise<PostResult> => ({
    ...posted(message),
    postings: message.channels.map((channel, index) => ({ channel, state: states[index] ?? states[0] })),
    ...more,
  })

interface Options {
  readonly plan?: Partial<Plan>
  readonly service?: Partial<MessagingService>
  readonly limits?: Partial<MessagingService['limits']>
  /** Cancels the run when this message is about to be posted. */
  readonly cancelBefore?: number
}

/** Two files, one in a message, by a service that does what it is asked. */
async function run({ plan, service, limits, cancelBefore }: Options = {}) {
  const clock = new VirtualClock()
  const deadline = new Deadline(clock, 60_000)
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
    limits: { filesPerMessage: 1, commentGoesWith: 'first message', ...limits },
    lookupProblem: undefined,
    findPosted: async () => ({ messages: [] }),
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
  const report = await clock.play(deliver(whole, spied, { deadline, onEvent: (event) => events.push(event) }))
  deadline[Symbol.dispose]()
  const states = report.messages.map(({ postings }) => postings.map(({ state }) => state).join())
  return { clock, report, events, messages, staged, states, titles: report.problems.map(({ title }) => title) }
}

/** Later, but at the same time of the clock. */
async function soon(): Promise<void> {
  for (let turn = 0; turn < 1_000; turn += 1) await undefined
}

const commentsOf = (messages: readonly Message[]) => messages.map(({ comment }) => comment?.text)

describe('A message', () => {
  const continuationFor: Plan['continuationFor'] = ({ count, firstMessage, number }) => ({
    text: `${number} of ${count} ${firstMessage}`,
  })
  const linked = async (message: Message): Promise<PostResult> => ({
    ...posted(message),
    postings: message.channels.map((channel) => ({ channel, state: 'posted', permalink: 'https://first.example' })),
  })

  test.each<[string, Options, (string | undefined)[]]>([
    ['for all files if it is the first', {}, ['a.csv,b.csv', undefined]],
    ['for its own files where each has one', { limits: { commentGoesWith: 'each message' } }, ['a.csv', 'b.csv']],
    [
      'not where there is none, apart from its number',
      { plan: { commentFor: () => undefined, continuationFor } },
      [undefined, '2 of 2 undefined'],
    ],
    [
      'after the first with a link to it',
      { plan: { channels: ['C1'], continuationFor }, service: { post: linked } },
      ['a.csv,b.csv', '2 of 2 https://first.example'],
    ],
    // People of one channel may not see another.
    [
      'after the first without a link if there are several channels',
      { plan: { continuationFor }, service: { post: linked } },
      ['a.csv,b.csv', '2 of 2 undefined'],
    ],
  ])('has a comment %s', async (_, options, comments) => {
    expect(commentsOf((await run(options)).messages)).toEqual(comments)
  })
})

test('A dry run stages, which only reads the files then, and posts nothing', async () => {
  const { messages, report, staged, states } = await run({ plan: { dryRun: true } })
  expect([report.status, messages, staged]).toEqual(['dry-run', [], ['a.csv', 'b.csv']])
  expect(states).toEqual(['not-sent,not-sent', 'not-sent,not-sent'])
})

test('A dry run of a later attempt posts nothing either, whether or not it is known what is there', async () => {
  const findPosted = async () => ({ messages: [], incomplete: text`the list was cut off` })
  const { messages, report, states, titles } = await run({
    plan: { dryRun: true, attempt: 2 },
    service: { findPosted },
  })
  expect([report.status, messages]).toEqual(['dry-run', []])
  expect(states).toEqual(['not-sent,not-sent', 'not-sent,not-sent'])
  expect(titles).toEqual(['What an earlier attempt posted could not be looked up completely'])
})

test('A run that cannot find the channels leaves each file without a channel', async () => {
  const resolve = async () => {
    throw new ProblemError(problem('No'))
  }
  const { report, states } = await run({ service: { resolve } })
  expect([report.checks, states]).toEqual([[], ['', '']])
})

describe('Staging', () => {
  test.each([
    [999_999, 24],
    [1_000_000, 2],
  ])('takes files of %i bytes at once: %i', async (size, expected) => {
    let active = 0
    let most = 0
    const stage: MessagingService['stage'] = async (file) => {
      active += 1
      most = Math.max(most, active)
      await soon()
      active -= 1
      return { file, id: file.name }
    }
    const files = Array.from({ length: 70 }, (_, index) => foundFile(`${index}.csv`, size))
    const { messages } = await run({ plan: { files }, service: { stage }, limits: { filesPerMessage: 70 } })
    expect(most).toBe(expected)
    expect(messages[0]?.files).toEqual(files.map((file) => ({ file, id: file.name })))
  })

  test('gives the other files up as soon as one fails', async () => {
    const aborted: string[] = []
    const stage: MessagingService['stage'] = async (file, signal) => {
      signal.addEventListener('abort', () => aborted.push(`${file.name}: ${signal.reason.problems?.[0].title}`))
      await soon()
      if (file.name === 'a.csv') throw new ProblemError(problem('No'))
      return new Promise<never>(() => {})
    }
    expect((await run({ service: { stage } })).titles).toEqual(['No'])
    expect(aborted).toEqual(['a.csv: No', 'b.csv: No'])
  })
})

describe('When the run is canceled', () => {
  const canceled = 'The run was canceled'

  test('no further message is posted', async () => {
    const { messages, report, states, titles } = await run({ cancelBefore: 1 })
    expect([messages.length, states]).toEqual([1, ['posted,posted', 'not-sent,not-sent']])
    expect([report.status, titles]).toEqual(['partial', [canceled]])
  })

  test.each<[string, [State, State], string[]]>([
    ['was given up before it was sent has no other reason', ['not-sent', 'not-sent'], ['N', canceled]],
    ['may have been posted has its own reason too', ['unknown', 'not-sent'], ['N', 'Given up', canceled]],
  ])('a message that %s', async (_, states, expected) => {
    const post = async (message: Message) => {
      await soon()
      return inStates(states, { problems: [notice('N'), problem('Given up')] })(message)
    }
    const { titles } = await run({ service: { post }, limits: { filesPerMessage: 2 }, cancelBefore: 1 })
    expect(titles).toEqual(expected)
  })
})

describe('A fault of the action itself', () => {
  const hang = () => new Promise<never>(() => {})

  test('while a message is posted loses nothing of what is known', async () => {
    const post = async () => {
      throw new TypeError('undefined is not a function')
    }
    const { report, states } = await run({ service: { post } })
    expect([report.status, states]).toEqual(['unknown', ['unknown,unknown', 'not-sent,not-sent']])
    expect(report.problems.map((one) => quoted(one.text)).join()).toContain('undefined is not a function')
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

describe('In a later attempt', () => {
  const [a, b] = [foundFile('a.csv'), foundFile('b.csv')]
  const [one, two] = channelsOf(['C1', 'C2']) as [Channel, Channel]
  const earlier = (file: typeof a, ...channels: readonly Channel[]) => ({
    files: [{ file }],
    postings: channels.map((channel) => ({ channel, state: 'posted', earlier: true }) as const),
  })
  const rerun = async (
    earlierMessages: readonly ReturnType<typeof earlier>[],
    attempt = 2,
    plan: Partial<Plan> = {},
  ) => {
    const asked: unknown[] = []
    const checked: (readonly Channel[])[] = []
    const findPosted: MessagingService['findPosted'] = async (files, where) => {
      const names = files.map(({ name }) => name)
      asked.push(names, where.channels, where.threadTs)
      return { messages: earlierMessages }
    }
    const preflight: MessagingService['preflight'] = async (channels) => {
      checked.push(channels)
      return []
    }
    const whole = { files: [a, b], attempt, ...plan }
    return { ...(await run({ plan: whole, service: { findPosted, preflight } })), asked, checked }
  }
  const sent = (messages: readonly Message[]) =>
    messages.map(({ channels, files }) =>
      [...files.map(({ file }) => file.name), ...channels.map(({ id }) => id)].join(' '),
    )

  test('only what is missing is posted, with the comment in channels that have none', async () => {
    const again = await rerun([earlier(a, one, two), earlier(b, one)], 2, { threadTs: '1.5' })
    const { asked, checked, events, messages, report, staged, states } = again
    expect(asked).toEqual([['a.csv', 'b.csv'], [one, two], '1.5'])
    // Nothing is missing in the other channel.
    expect(checked).toEqual([[two]])
    expect([staged, sent(messages), commentsOf(messages)]).toEqual([['b.csv'], ['b.csv C2'], [undefined]])
    expect(events).toEqual([{ kind: 'sending', bytes: b.size }])
    expect(states).toEqual(['posted,posted', 'posted', 'posted'])
    expect(report).toMatchObject({ status: 'posted', rerunPostsMissing: true })
    const other = await rerun([earlier(a, one)])
    expect(other.checked).toEqual([[one, two]])
    expect([sent(other.messages), commentsOf(other.messages)]).toEqual([
      ['a.csv C2', 'b.csv C1 C2'],
      ['a.csv,b.csv', undefined],
    ])
    const mixed = await rerun([earlier(b, one)])
    expect([sent(mixed.messages), commentsOf(mixed.messages)]).toEqual([
      ['a.csv C1 C2', 'b.csv C2'],
      ['a.csv,b.csv', undefined],
    ])
  })

  test('a dry run that fails says nothing of what an earlier attempt posted', async () => {
    const preflight = async () => [{ subject: 'C1', result: 'failed', problem: problem('No') } as const]
    const service = { findPosted: async () => ({ messages: [earlier(a, one)] }), preflight }
    const plan = { dryRun: true, files: [a, b], attempt: 2 }
    expect((await run({ plan, service })).report.status).toBe('failed')
  })

  test.each<[State, State, State, boolean]>([
    ['not-sent', 'not-sent', 'not-sent', true],
    ['unknown', 'not-sent', 'not-sent', false],
    ['posted', 'posted', 'not-sent', false],
  ])(
    'an incomplete lookup is a warning, and what was not posted is unknown: %s, %s, then %s',
    async (first, other, then, postedNothing) => {
      const findPosted = async () => ({ messages: [], incomplete: text`why` })
      const problems = [problem('No')]
      const post = async (message: Message) => {
        if (message.files[0]?.file !== a) return inStates([then], { problems })(message)
        return inStates([first, other], { problems: first === 'posted' ? [] : problems })(message)
      }
      const plan = { files: [a, b], attempt: 2 }
      const { report, titles } = await run({ plan, service: { findPosted, post } })
      expect(titles).toContain('What an earlier attempt posted could not be looked up completely')
      expect([report.status, report.postedNothing ?? false]).toEqual(['unknown', postedNothing])
      expect(report.messages.flatMap(({ postings }) => postings.map(({ state }) => state))).not.toContain('not-sent')
    },
  )

  test('without a number, it looks, and warns of what it did not find', async () => {
    const { messages, titles } = await rerun([earlier(a, one, two)], Number.NaN)
    expect(sent(messages)).toEqual(['b.csv C1 C2'])
    expect(titles).toEqual(['Posted, because no earlier upload was found'])
  })

  test('the first one looks for nothing, and warns if a later one could not', async () => {
    const first = await rerun([earlier(a, one, two)], 1)
    expect([first.asked, first.titles, sent(first.messages)]).toEqual([[], [], ['a.csv C1 C2', 'b.csv C1 C2']])
    const { report } = await run({ plan: { attempt: 1 }, service: { lookupProblem: text`why` } })
    expect(report.problems.map(({ title }) => title)).toEqual(['A re-run will post everything again'])
    expect(report.rerunPostsMissing).toBe(false)
    expect((await run()).report.rerunPostsMissing).toBe(false)
  })
})
