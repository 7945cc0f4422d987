import { type Problem, ProblemError } from '../problem.ts'
import { tokenRemover } from '../text/token.ts'
import type { Budget } from '../time.ts'
import { type Failure, isObject, type Reply, readBytesTaken } from './answers.ts'
import type { Attempts } from './attempts.ts'
import { checkConversations, checkToken } from './check.ts'
import type { WithContent } from './content.ts'
import { openConversations } from './conversations.ts'
import { fail, isAboutChannel, problemOf } from './errors.ts'
import { publishedFile, sharesIn } from './file-record.ts'
import type { Http } from './http.ts'
import { type Look, type Looks, lookUntil } from './look.ts'
import {
  type Confirmation,
  type Conversation,
  type Finding,
  type Message,
  type MessagingService,
  NotOfferedError,
  type Outcome,
  type OutgoingFile,
  type Published,
  type Share,
  type Shown,
  type StagedFile,
} from './service.ts'
import { hasCredentials, idIn, isProtected, linkIn, textIn, type WebApi } from './web-api.ts'

const seconds = (list: readonly number[]) => list.map((one) => one * 1_000)
/** Milliseconds before each look at a message that should be visible: at once, then widening, a minute in all. */
const proofLooks = seconds([0, 1, 1, 2, 3, 5, 8, 10, 10, 10, 10])
/** Milliseconds before each look that settles what became of a message: half a minute in all. */
const settlingLooks = seconds([1, 1, 2, 3, 5, 8, 10])
/** Looks after which an answered refusal is believed, if they do not find the file. */
const enoughMissing = 3
/** Milliseconds that a link to a message is worth waiting for. */
const permalinkPatience = 5_000

interface Surroundings {
  readonly http: Http
  readonly api: WebApi
  readonly attempts: Attempts
  readonly budget: Budget
  readonly baseUrl: URL
  readonly token: string
  readonly withContent: WithContent
  /** Nothing becomes visible, nothing is created. */
  readonly dryRun: boolean
  /** Gets every upload URL before it is used: whoever knows it may upload. */
  readonly keepSecret: (value: string) => void
  /** Told how many bytes of files went out. */
  readonly countBytes: (count: number) => void
}

/**
 * The external upload in three steps: a ticket for each file, its bytes, then one completion that shares up to ten files.
 * https://docs.slack.dev/messaging/working-with-files/#upload
 */
export class ExternalUpload implements MessagingService {
  readonly method = 'external'
  readonly limits = {
    // What one completion takes is documented nowhere; 14 were seen to work, 15 to fail.
    filesPerMessage: 10,
    // getUploadURLExternal answers missing_argument to a length of 0.
    minFileBytes: 1,
    commentGoesWith: 'first message',
  } as const
  readonly #around: Surroundings
  /** The first link of each conversation: the pattern for its others. */
  readonly #permalinks = new Map<string, Promise<{ readonly ts: string; readonly link: string } | undefined>>()

  constructor(around: Surroundings) {
    this.#around = around
  }

  open(channels: readonly string[]): Promise<readonly Conversation[]> {
    return openConversations(this.#around.api, channels, { create: !this.#around.dryRun })
  }

  async check(conversations: readonly Conversation[]): Promise<readonly Finding[]> {
    const { api, dryRun } = this.#around
    const token = dryRun ? await checkToken(api) : []
    const refused = token.some(({ verdict }) => verdict === 'fails')
    // One channel needs no look: the completion's own answer is about it.
    const looks = !refused && (dryRun || conversations.length > 1) ? await checkConversations(api, conversations) : []
    return [...token, ...looks]
  }

  async stage(file: OutgoingFile, signal: AbortSignal): Promise<StagedFile> {
    const { attempts, baseUrl, countBytes, http, token, withContent } = this.#around
    const call = { method: 'upload', host: baseUrl.host }
    let id = ''
    // A new ticket for every attempt: how often an upload URL may be used is not documented, and an upload that was
    // completed after failed bytes was seen to be empty.
    const sendBytes = async (ended: AbortSignal) => {
      const ticket = await this.#ticket(file, signal)
      id = ticket.id
      call.host = ticket.url.host
      return withContent(file, (content) =>
        http.send({
          url: ticket.url,
          headers: { 'content-type': 'application/octet-stream' },
          body: { length: file.size, chunks: () => counted(content.chunks(token), countBytes) },
          authorized: false,
          signal: ended,
        }),
      )
    }
    const reply = await attempts.run(call, sendBytes, readBytesTaken, { harmless: true, signal })
    if (reply.kind !== 'ok') fail(reply.failure, `${file.displayPath} could not be uploaded`, { toldBy: baseUrl.host })
    return { file, id }
  }

  async #ticket(file: OutgoingFile, signal: AbortSignal): Promise<{ readonly id: string; readonly url: URL }> {
    const { api, keepSecret, token } = this.#around
    const form = { filename: file.name, length: String(file.size) }
    const reply = await api.call('files.getUploadURLExternal', form, { harmless: true, signal })
    const what = `${file.displayPath} could not be uploaded`
    if (reply.kind === 'not-offered') throw new NotOfferedError(problemOf(reply.failure, what))
    if (reply.kind !== 'ok') fail(reply.failure, what)
    const id = idIn(reply.json, 'file_id')
    const address = textIn(reply.json, 'upload_url')
    if (id === undefined || address === undefined) throw badTicket(file, 'no usable file_id or no upload_url')
    const url = uploadUrl(file, address, token)
    keepSecret(url.href)
    return { id, url }
  }

  async publish(message: Message): Promise<Outcome> {
    const first = await this.#complete(message, message.files)
    if (first.kind !== 'refused' || first.failure.code !== 'file_not_found') {
      return this.#outcome(message, message.files, first)
    }
    // Answered, so certain: a ticket expired while other files were staged. Its message's files are staged once more.
    const { stopping } = this.#around.budget
    const again = await Promise.all(message.files.map(({ file }) => this.stage(file, stopping)))
    return this.#outcome(message, again, await this.#complete(message, again))
  }

  #complete(message: Message, staged: readonly StagedFile[]): Promise<Reply> {
    const { comment, conversations, threadTs } = message
    const channels = conversations.map(({ id }) => id).join(',')
    const form = {
      files: JSON.stringify(staged.map(({ id, file }) => ({ id, title: file.name }))),
      ...(conversations.length === 1 ? { channel_id: channels } : { channels }),
      ...(comment?.kind === 'text' ? { initial_comment: comment.text } : {}),
      ...(comment?.kind === 'blocks' ? { blocks: JSON.stringify(comment.blocks) } : {}),
      ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    }
    return this.#around.api.call('files.completeUploadExternal', form, { harmless: false })
  }

  #outcome(message: Message, staged: readonly StagedFile[], reply: Reply): Outcome | Promise<Outcome> {
    switch (reply.kind) {
      case 'ok':
        return published(message, staged, reply)
      case 'not-offered':
        return { kind: 'not-offered', why: problemOf(reply.failure, notPosted(message)) }
      case 'refused':
        return this.#refused(message, staged, reply.failure)
      case 'unknown':
        return this.#settled(message, staged, reply.failure)
    }
  }

  /** Whether one bad channel fails the whole call is not documented: a look tells. */
  async #refused(message: Message, staged: readonly StagedFile[], failure: Failure): Promise<Outcome> {
    const { conversations } = message
    const severalChannels = conversations.length > 1
    const refused: Outcome = { kind: 'refused', why: problemOf(failure, notPosted(message), { severalChannels }) }
    if (!severalChannels || !isAboutChannel(failure)) return refused
    const looks = await this.#look(staged, settlingLooks, (look, count) =>
      look.kind === 'seen' ? isShownIn(look, conversations) : look.kind === 'missing' && count >= enoughMissing,
    )
    const { absent, best } = looks
    if (absent) return refused
    // The one that is left is the one that was refused. Of several, some may only be late.
    const othersAre = (count: number) => (count === 1 ? 'not-sent' : 'unknown')
    return shownBy(best, message, staged, failure, othersAre) ?? unknown(message, failure, best)
  }

  /** Nobody knows what became of the completion. It is looked up, and never blindly repeated. */
  async #settled(message: Message, staged: readonly StagedFile[], failure: Failure): Promise<Outcome> {
    const found = await this.#settle(message, staged, failure)
    if (found !== 'never happened') return found
    // The service has never heard of the files, so the completion did not happen: once more, with the same files.
    const second = await this.#complete(message, staged)
    const refusedAsCompleted = second.kind === 'refused' && second.failure.code === 'file_not_found'
    if (second.kind !== 'unknown' && !refusedAsCompleted) return this.#outcome(message, staged, second)
    const foundThen = await this.#settle(message, staged, second.failure)
    if (foundThen !== 'never happened') return foundThen
    return refusedAsCompleted
      ? unknown(message, failure, undefined)
      : { kind: 'refused', why: problemOf(second.failure, notPosted(message)) }
  }

  async #settle(
    message: Message,
    staged: readonly StagedFile[],
    failure: Failure,
  ): Promise<Outcome | 'never happened'> {
    const { conversations } = message
    const looks = await this.#look(staged, settlingLooks, (look) => isShownIn(look, conversations))
    const { absent, best } = looks
    if (absent) return 'never happened'
    return shownBy(best, message, staged, failure, () => 'unknown') ?? unknown(message, failure, best)
  }

  #look(
    staged: readonly { readonly id?: string }[],
    waits: readonly number[],
    enough: (look: Look, count: number) => boolean,
  ): Promise<Looks> {
    // The files of one message appear together: looking at one of them is enough.
    return lookUntil(this.#around.api, this.#around.budget, staged[0]?.id ?? '', waits, enough)
  }

  async confirm(message: Message, { files, shares }: Published): Promise<Confirmation> {
    const { conversations } = message
    const [first, ...others] = files
    const looks =
      first === undefined || shares.length === conversations.length
        ? undefined
        : await this.#look([first], proofLooks, (look) => isShownIn(look, conversations))
    const best = looks?.best
    const known = [...sharesOf(best, conversations), ...shares]
    const cannotTell = best?.kind === 'nothing' || best?.kind === 'cannot-tell'
    const shown = conversations.map(async (conversation): Promise<Shown> => {
      const share = known.find((one) => one.conversation.id === conversation.id)
      if (share) return { kind: 'shown', share, ...(await this.#permalink(share)) }
      if (cannotTell && !looks?.interrupted) return { kind: 'cannot-tell', conversation, why: noLook(best) }
      return { kind: 'not-shown', conversation, milliseconds: looks?.milliseconds ?? 0 }
    })
    return {
      shown: await Promise.all(shown),
      files: first === undefined ? files : [...recordsOf([first], best, files), ...others],
    }
  }

  /** The first of each conversation from the service, the others by its pattern. https://docs.slack.dev/reference/methods/chat.getPermalink */
  async #permalink({ conversation, ts }: Share): Promise<{ readonly permalink?: string }> {
    const asked = this.#permalinks.get(conversation.id)
    const pattern = await (asked ?? this.#askPermalink(conversation.id, ts))
    if (pattern === undefined) return {}
    return { permalink: pattern.link.replace(`/p${digits(pattern.ts)}`, `/p${digits(ts)}`) }
  }

  #askPermalink(channel: string, ts: string): Promise<{ readonly ts: string; readonly link: string } | undefined> {
    const form = { channel, message_ts: ts }
    const options = { harmless: true, attempts: 2, patience: permalinkPatience }
    const pattern = this.#around.api.call('chat.getPermalink', form, options).then((reply) => {
      const link = reply.kind === 'ok' ? linkIn(reply.json, 'permalink') : undefined
      return link?.includes(`/p${digits(ts)}`) ? { ts, link } : undefined
    })
    this.#permalinks.set(channel, pattern)
    return pattern
  }
}

function digits(ts: string): string {
  return ts.replace('.', '')
}

async function* counted(chunks: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk
    count(chunk.byteLength)
  }
}

/** Characters. RFC 9110 section 4.1 asks everybody to take as many. */
const maxUploadUrlLength = 8_000

/**
 * Checked before it is masked: the mask of a text that is no such URL could blank anything in the log.
 *
 * @throws ProblemError for an address that the bytes must not go to
 */
function uploadUrl(file: OutgoingFile, address: string, token: string): URL {
  const url = URL.parse(address)
  if (url === null || !isProtected(url)) throw badTicket(file, 'an upload URL that is not https')
  if (hasCredentials(url)) throw badTicket(file, 'an upload URL with a user or password in it')
  if (`${url.pathname}${url.search}` === '/') throw badTicket(file, 'an upload URL that is only a host')
  if (url.href.length > maxUploadUrlLength) throw badTicket(file, `an upload URL of ${url.href.length} characters`)
  if (tokenRemover(token)(url.href) !== url.href) throw badTicket(file, 'an upload URL that contains the token')
  return url
}

function badTicket(file: OutgoingFile, what: string): ProblemError {
  return new ProblemError({
    title: 'The service gave no usable upload URL',
    text: `${file.displayPath} could not be uploaded: the service answered with ${what}.\nIs base-url the address of the service itself?`,
  })
}

function published(message: Message, staged: readonly StagedFile[], reply: Reply & { readonly kind: 'ok' }): Published {
  const records = Array.isArray(reply.json['files']) ? reply.json['files'].filter(isObject) : []
  const recordOf = (id: string | undefined) => records.find((record) => record['id'] === id)
  return {
    kind: 'published',
    files: staged.map(({ file, id }) => publishedFile(file, recordOf(id), id)),
    shares: sharesIn(recordOf(staged[0]?.id), message.conversations),
  }
}

/** What a look told of the files of a message, beside what was known of them. */
function recordsOf(
  staged: readonly StagedFile[],
  look: Look | undefined,
  known: Published['files'] = [],
): Published['files'] {
  const record = look?.kind === 'seen' ? look.record : undefined
  return staged.map(({ file, id }, index) => ({
    ...known[index],
    ...publishedFile(file, record?.['id'] === id ? record : undefined, id),
  }))
}

function sharesOf(look: Look | undefined, conversations: readonly Conversation[]): readonly Share[] {
  return look?.kind === 'seen' ? sharesIn(look.record, conversations) : []
}

function isShownIn(look: Look, conversations: readonly Conversation[]): boolean {
  return sharesOf(look, conversations).length === conversations.length
}

/**
 * What a look says of a message whose call did not tell: it shows in all its conversations, or in some; `undefined`
 * where it shows nowhere. `othersAre`: what is known of so many conversations that do not show it.
 */
function shownBy(
  look: Look | undefined,
  { conversations }: Message,
  staged: readonly StagedFile[],
  failure: Failure,
  othersAre: (count: number) => 'not-sent' | 'unknown',
): Outcome | undefined {
  const shares = sharesOf(look, conversations)
  if (shares.length === 0) return undefined
  const files = recordsOf(staged, look)
  const missing = conversations.filter(({ id }) => !shares.some(({ conversation }) => conversation.id === id))
  if (missing.length === 0) return { kind: 'published', files, shares }
  const there = names(shares.map(({ conversation }) => conversation))
  const others = othersAre(missing.length)
  const [what, first] =
    others === 'not-sent'
      ? [
          `The files stand in ${there}, and could not be posted to ${names(missing)}`,
          `Run the step again for ${names(missing)} only: in ${there} the files would stand a second time.`,
        ]
      : [
          `The files stand in ${there}, and it is not known whether they will in ${names(missing)}`,
          `Look there before you run the step again, and not for ${there}: what is there would be posted a second time.`,
        ]
  return { kind: 'partly', files, shares, others, why: problemOf(failure, what, { first }) }
}

/** The outcome of a message that `look` did not settle. */
function unknown({ conversations }: Message, failure: Failure, look: Look | undefined): Outcome {
  const channels = names(conversations)
  const scope =
    look?.kind === 'cannot-tell' && look.why === 'missing_scope'
      ? ' With the scope files:read the step could have looked itself.'
      : ''
  const first = `Look into ${channels} before you run the step again: what is there would be posted a second time.${scope}`
  const what = `It is not known whether the files were posted to ${channels}`
  return {
    kind: 'unknown',
    why: problemOf(failure, what, { first, severalChannels: conversations.length > 1 && isAboutChannel(failure) }),
  }
}

function names(conversations: readonly Conversation[]): string {
  return conversations.map(({ requested }) => requested).join(', ')
}

function notPosted({ conversations }: Message): string {
  return `The files could not be posted to ${names(conversations)}`
}

/** A message that was accepted, and could not be looked at. */
function noLook(last: Look | undefined): Problem {
  const code = last !== undefined && 'why' in last ? last.why : 'no answer'
  return {
    title: 'It could not be seen whether the files show',
    text:
      code === 'missing_scope'
        ? 'The service took the files and said so. With the scope files:read the step sees whether they show, and gives ts and permalink: add it to the app, reinstall the app, and use the new token; or set if-not-confirmed: ignore.'
        : `The service took the files and said so, but gave no look at them (${code}). There is no ts and no permalink.`,
  }
}
