import type { FoundFile } from '../files/files.ts'
import type { Problem } from '../problem.ts'
import type { Confirmation, Conversation, Outcome, PublishedFile, Share } from '../service/service.ts'
import type { DeliveredFile, DeliveredMessage, DeliveryReport } from './delivered.ts'

/** One message, and what is known of it in each conversation. */
export interface Entry {
  files: readonly DeliveredFile[]
  rows: readonly Row[]
}

interface Row {
  readonly conversation: Conversation
  readonly state: DeliveredMessage['state']
  readonly ts?: string
  readonly permalink?: string
}

/** What is known of every message in every conversation: at first that nothing was sent. */
export class Ledger {
  readonly entries: readonly Entry[]
  readonly #warnings: Problem[] = []
  readonly #notices = new Map<string, Problem>()

  constructor(files: readonly FoundFile[], conversations: readonly Conversation[], filesPerMessage: number) {
    this.entries = Array.from({ length: Math.ceil(files.length / filesPerMessage) }, (_, index) => ({
      files: files.slice(index * filesPerMessage, (index + 1) * filesPerMessage).map((file) => ({ file })),
      rows: conversations.map((conversation) => ({ conversation, state: 'not-sent' })),
    }))
  }

  /** Enters what became of a message, and returns why the delivery cannot go on. */
  enter(entry: Entry, outcome: Outcome): Problem[] {
    switch (outcome.kind) {
      case 'published':
        entry.rows = entry.rows.map((row) => ({ ...row, state: 'accepted', ...shared(row, outcome.shares) }))
        return this.#enterFiles(entry, outcome.files)
      case 'partly':
        entry.rows = entry.rows.map((row) => ({ ...row, ...shared(row, outcome.shares) }))
        return [outcome.why, ...this.#enterFiles(entry, outcome.files)]
      case 'unknown':
        entry.rows = entry.rows.map((row) => ({ ...row, state: 'unknown' }))
        return [outcome.why]
      default:
        return [outcome.why]
    }
  }

  /** Enters what looks at a published message showed, and returns why the delivery cannot go on. */
  confirm(entry: Entry, { files, shown }: Confirmation, ifNotConfirmed: 'error' | 'warn'): Problem[] {
    const notShown: Conversation[] = []
    entry.rows = entry.rows.map((row) => {
      const look = shown.find((one) => conversationOf(one).id === row.conversation.id)
      switch (look?.kind) {
        case 'shown':
          return { ...row, ...shared(row, [look.share]), ...(look.permalink ? { permalink: look.permalink } : {}) }
        case 'not-shown':
          notShown.push(row.conversation)
          return { ...row, state: ifNotConfirmed === 'error' ? 'unknown' : 'accepted' }
        default:
          if (look?.why) this.#notices.set(look.why.title, look.why)
          return row
      }
    })
    const problems = this.#enterFiles(entry, files)
    if (notShown.length === 0) return problems
    const problem = doesNotShow(notShown, entry)
    if (ifNotConfirmed === 'error') return [problem, ...problems]
    this.#warnings.push(problem)
    return problems
  }

  /** The report, with the reasons why it is red. */
  close(problems: readonly Problem[]): DeliveryReport {
    const states = new Set(this.entries.flatMap(({ rows }) => rows.map(({ state }) => state)))
    return {
      status: statusOf(states, problems.length > 0),
      files: this.entries.flatMap(({ files }) => files),
      messages: this.entries.flatMap(({ files, rows }) => rows.map((row) => ({ ...row, files }))),
      problems,
      warnings: this.#warnings,
      notices: [...this.#notices.values()],
    }
  }

  /** Files that arrived with another size are damaged: people would read something else than was sent. */
  #enterFiles(entry: Entry, published: readonly PublishedFile[]): Problem[] {
    entry.files = entry.files.map(({ file }, index) => {
      const { id, permalink } = published[index] ?? {}
      return { file, ...(id === undefined ? {} : { id }), ...(permalink === undefined ? {} : { permalink }) }
    })
    return published.flatMap(({ file, size }) =>
      size === undefined || size === file.size
        ? []
        : [
            {
              title: 'A file arrived damaged',
              text: `${file.displayPath} has ${file.size} bytes, and the service says that it has ${size} of them.\nDelete it in the channel, and run the step again.`,
            },
          ],
    )
  }
}

function statusOf(states: ReadonlySet<DeliveredMessage['state']>, failed: boolean): DeliveryReport['status'] {
  if (states.has('unknown')) return 'unknown'
  if (failed) return states.has('posted') || states.has('accepted') ? 'partial' : 'failed'
  return states.has('accepted') ? 'accepted' : 'posted'
}

function shared({ conversation }: Row, shares: readonly Share[]): { state: 'posted'; ts: string } | undefined {
  const share = shares.find((one) => one.conversation.id === conversation.id)
  return share && { state: 'posted', ts: share.ts }
}

function conversationOf(shown: Confirmation['shown'][number]): Conversation {
  return shown.kind === 'shown' ? shown.share.conversation : shown.conversation
}

function doesNotShow(conversations: readonly Conversation[], { files }: Entry): Problem {
  const channels = conversations.map(({ requested }) => requested).join(', ')
  const names = files.map(({ file }) => file.name).join(', ')
  return {
    title: 'The service took the files, but they do not show',
    text: `No message with ${names} shows in ${channels}, although the service said ok.\nLook into the channel before you run the step again: it may still appear. if-not-confirmed: warn makes this a warning.`,
  }
}
