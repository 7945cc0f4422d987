import type { FoundFile } from '../files/files.ts'
import { type Problem, plainText } from '../problem.ts'
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
  /** By what they say: the same is told once. */
  readonly #problems = new Map<string, Problem>()
  readonly #warnings: Problem[] = []
  readonly #notices = new Map<string, Problem>()

  constructor(files: readonly FoundFile[], conversations: readonly Conversation[], filesPerMessage: number) {
    this.entries = Array.from({ length: Math.ceil(files.length / filesPerMessage) }, (_, index) => ({
      files: files.slice(index * filesPerMessage, (index + 1) * filesPerMessage).map((file) => ({ file })),
      rows: conversations.map((conversation) => ({ conversation, state: 'not-sent' })),
    }))
  }

  /** Whether something went wrong, so that no further message may be published. */
  get failed(): boolean {
    return this.#problems.size > 0
  }

  fail(problem: Problem): void {
    this.#problems.set(`${problem.title}\n${plainText(problem)}`, problem)
  }

  /** Enters what became of a message. */
  enter(entry: Entry, outcome: Outcome): void {
    switch (outcome.kind) {
      case 'published':
        entry.rows = entry.rows.map((row) => ({ ...row, state: 'accepted', ...shared(row, outcome.shares) }))
        this.#enterFiles(entry, outcome.files)
        return
      case 'partly':
        entry.rows = entry.rows.map((row) => ({ ...row, state: outcome.others, ...shared(row, outcome.shares) }))
        this.#enterFiles(entry, outcome.files)
        break
      case 'unknown':
        entry.rows = entry.rows.map((row) => ({ ...row, state: 'unknown' }))
        break
      default:
    }
    this.fail(outcome.why)
  }

  /** Enters what looks at a published message showed. */
  confirm(entry: Entry, { files, shown }: Confirmation, ifNotConfirmed: 'error' | 'warn'): void {
    const notShown: Conversation[] = []
    let milliseconds = 0
    entry.rows = entry.rows.map((row) => {
      const look = shown.find((one) => conversationOf(one).id === row.conversation.id)
      switch (look?.kind) {
        case 'shown':
          return { ...row, ...shared(row, [look.share]), ...(look.permalink ? { permalink: look.permalink } : {}) }
        case 'not-shown':
          notShown.push(row.conversation)
          milliseconds = Math.max(milliseconds, look.milliseconds)
          return { ...row, state: ifNotConfirmed === 'error' ? 'unknown' : 'accepted' }
        default:
          if (look?.why) this.#notices.set(look.why.title, look.why)
          return row
      }
    })
    this.#enterFiles(entry, files)
    if (notShown.length === 0) return
    const { text, title } = doesNotShow(notShown, entry, milliseconds)
    if (ifNotConfirmed === 'warn') this.#warnings.push({ title, text })
    else this.fail({ title, text: `${text} if-not-confirmed: warn makes this a warning.` })
  }

  close(): DeliveryReport {
    const states = new Set(this.entries.flatMap(({ rows }) => rows.map(({ state }) => state)))
    return {
      status: statusOf(states, this.failed),
      files: this.entries.flatMap(({ files }) => files),
      messages: this.entries.flatMap(({ files, rows }) => rows.map((row) => ({ ...row, files }))),
      problems: [...this.#problems.values()],
      warnings: this.#warnings,
      notices: [...this.#notices.values()],
    }
  }

  #enterFiles(entry: Entry, published: readonly PublishedFile[]): void {
    entry.files = entry.files.map(({ file }, index) => {
      const { id, permalink } = published[index] ?? {}
      return { file, ...(id === undefined ? {} : { id }), ...(permalink === undefined ? {} : { permalink }) }
    })
    // Files that arrived with another size are damaged: people would read something else than was sent.
    for (const { file, size } of published) {
      if (size === undefined || size === file.size) continue
      this.fail({
        title: 'A file arrived damaged',
        text: `${file.displayPath} has ${file.size} bytes, and the service says that it has ${size} of them.\nDelete it in the channel, and run the step again.`,
      })
    }
  }
}

function statusOf(states: ReadonlySet<DeliveredMessage['state']>, failed: boolean): DeliveryReport['status'] {
  if (states.has('unknown')) return 'unknown'
  if (failed) return states.has('posted') || states.has('accepted') ? 'partial' : 'failed'
  return states.has('accepted') ? 'accepted' : 'posted'
}

function shared({ conversation }: Row, shares: readonly Share[]): { state: 'posted'; ts?: string } | undefined {
  const share = shares.find((one) => one.conversation.id === conversation.id)
  return share && { state: 'posted', ...(share.ts === undefined ? {} : { ts: share.ts }) }
}

function conversationOf(shown: Confirmation['shown'][number]): Conversation {
  return shown.kind === 'shown' ? shown.share.conversation : shown.conversation
}

function doesNotShow(conversations: readonly Conversation[], { files }: Entry, milliseconds: number): Problem {
  const channels = conversations.map(({ requested }) => requested).join(', ')
  const names = files.map(({ file }) => file.name).join(', ')
  return {
    title: 'The service took the files, but they do not show',
    text: `After ${Math.round(milliseconds / 1000)} s no message with ${names} shows in ${channels}, although the service said ok.\nLook into the channel before you run the step again: it may still appear.`,
  }
}
