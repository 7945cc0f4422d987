/** The messages of a workspace, late ones included. */
import type { File, Message } from './entities.ts'
import type { Context, Sharing } from './settings.ts'

/** The count includes late messages. Files are the same by title, name and content. */
export interface Posting {
  readonly channel: string
  readonly name: string
  readonly title: string
  readonly sha256: string
  readonly times: number
}

interface Scheduled {
  message: Message
  readonly at: number
  lookupsLeft: number
  announced: boolean
}

export class Messages {
  /** Called with each message when it appears; see `announce`. */
  onMessage: (message: Message) => void = () => {}

  readonly #context: Context
  #scheduled: Scheduled[] = []
  #lastTs = 0

  constructor(context: Context) {
    this.#context = context
  }

  /** Visible messages by ts. */
  get shown(): readonly Message[] {
    return this.#scheduled
      .filter((scheduled) => this.#isShown(scheduled))
      .map(({ message }) => message)
  }

  /** When the last message appears that needs only time. */
  get settledAt(): number {
    return Math.max(0, ...this.#scheduled.map(({ at }) => at))
  }

  /** Returns the ts, even if the message never appears. */
  post(message: Omit<Message, 'ts'>, sharing: Sharing): string {
    const at = this.#context.settings.now() + sharing.milliseconds
    this.#lastTs = Math.max(this.#lastTs + 1, at * 1000)
    const ts = `${Math.floor(this.#lastTs / 1e6)}.${String(this.#lastTs % 1e6).padStart(6, '0')}`
    const appears = sharing.channels === 'all' || sharing.channels.includes(message.channel)
    if (appears)
      this.#scheduled.push({
        message: { ts, ...message },
        at,
        lookupsLeft: sharing.lookups,
        announced: false,
      })
    return ts
  }

  /** Passes new visible messages to `onMessage`. */
  announce(): void {
    for (const scheduled of this.#scheduled) {
      if (scheduled.announced || !this.#isShown(scheduled)) continue
      scheduled.announced = true
      this.onMessage(scheduled.message)
    }
  }

  /** Some messages appear after a number of lookups. */
  countLookup(file: File): void {
    for (const scheduled of this.#scheduled)
      if (scheduled.lookupsLeft > 0 && scheduled.message.files.includes(file))
        scheduled.lookupsLeft -= 1
  }

  /** Removes the file from all messages, and messages that are then empty. */
  removeFile(file: File): void {
    for (const scheduled of this.#scheduled) {
      const { message } = scheduled
      scheduled.message = { ...message, files: message.files.filter((other) => other !== file) }
    }
    const isEmpty = ({ blocks, files, text }: Message) =>
      files.length === 0 && text === undefined && blocks === undefined
    this.#scheduled = this.#scheduled.filter(({ message }) => !isEmpty(message))
  }

  remove(message: Message): void {
    this.#scheduled = this.#scheduled.filter((scheduled) => scheduled.message !== message)
  }

  postings(): readonly Posting[] {
    const postings = new Map<string, Posting>()
    for (const { message } of this.#scheduled) {
      for (const { name, title, sha256 } of message.files) {
        const key = JSON.stringify([message.channel, name, title, sha256])
        const times = (postings.get(key)?.times ?? 0) + 1
        postings.set(key, { channel: message.channel, name, title, sha256, times })
      }
    }
    return [...postings.values()]
  }

  #isShown({ at, lookupsLeft }: Scheduled): boolean {
    return lookupsLeft === 0 && at <= this.#context.settings.now()
  }
}
