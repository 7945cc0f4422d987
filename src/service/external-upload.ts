import { type Problem, ProblemError } from '../problem.ts'
import { tokenRemover } from '../text/token.ts'
import type { Budget } from '../time.ts'
import { type Failure, isObject, type Reply, readBytesTaken } from './answers.ts'
import type { Attempts } from './attempts.ts'
import { checkConversations, checkToken } from './check.ts'
import type { WithContent } from './content.ts'
import { openConversations } from './conversations.ts'
import { mayBeCompletedAlready, refusesAllChannels } from './error-codes.ts'
import { fail, isAboutChannel, problemOf } from './errors.ts'
import { type FileLookup, type FileLookups, pollFile } from './file-lookup.ts'
import { proofsIn, publishedFile, sharesIn } from './file-record.ts'
import type { Http } from './http.ts'
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
/** Milliseconds before each lookup of a message that should be visible: at once, then widening, a minute in all. */
const confirmDelays = seconds([0, 1, 1, 2, 3, 5, 8, 10, 10, 10, 10])
/** Lookups after which a message that is shown without a ts will do: the ts may follow. */
const enoughForTs = 6
/** Milliseconds before each lookup that finds out what became of a completion: half a minute in all. */
const reconcileDelays = seconds([1, 1, 2, 3, 5, 8, 10])
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

  /** The file of each file ID, and of each upload URL, that the service gave. */
  readonly #tickets = new Map<string, OutgoingFile>()

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
    for (const ticket of [id, url.href]) {
      const other = this.#tickets.get(ticket)
      // One of the two would be lost, although the completion says ok.
      if (other && other !== file) throw badTicket(file, `the file_id or upload_url of ${other.displayPath}`)
      this.#tickets.set(ticket, file)
    }
    return { id, url }
  }

  async publish(message: Message): Promise<Outcome> {
    const { conversations, files } = message
    const reply = await this.#complete(message, files)
    switch (reply.kind) {
      case 'ok':
        return published(message, files, reply)
      case 'not-offered':
        return reply.afterRateLimit
          ? this.#reconcileRefusal(message, reply.failure)
          : { kind: 'not-offered', why: problemOf(reply.failure, notPosted(message)) }
      case 'refused':
        if (mayBeCompletedAlready(reply.failure)) return this.#reconcile(message, reply.failure)
        return reply.afterRateLimit || (conversations.length > 1 && !refusesAllChannels(reply.failure))
          ? this.#reconcileRefusal(message, reply.failure)
          : refused(message, reply.failure)
      case 'ambiguous':
        return this.#reconcile(message, reply.failure)
    }
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

  /** A refusal may come after the first of several channels has the files, or after a rate limit. A lookup shows it. */
  async #reconcileRefusal(message: Message, failure: Failure): Promise<Outcome> {
    const { absent, best } = await this.#lookUp(message, message.files)
    if (absent) return refused(message, failure)
    // An error of a channel is about the one that is left. Of several, some may only be late.
    const othersAre = (count: number) => (count === 1 && isAboutChannel(failure) ? 'not-sent' : 'unknown')
    return shownBy(best, message, message.files, failure, othersAre) ?? unknown(message, failure, best)
  }

  /**
   * The completion may have been carried out: it is looked up, and repeated only if the service said for the whole time
   * that it does not know the files. The repeat too counts only if it is seen or accepted.
   */
  async #reconcile(message: Message, failure: Failure): Promise<Outcome> {
    const { files } = message
    const othersAre = () => 'unknown' as const
    const { absent, best } = await this.#lookUp(message, files)
    if (!absent) return shownBy(best, message, files, failure, othersAre) ?? unknown(message, failure, best)

    // The upload can have expired while other files were staged: then it is staged again.
    const staged = failure.code === 'file_not_found' ? await this.#stageAgain(files) : files
    if (staged === undefined) return unknown(message, failure, best)
    const repeat = await this.#complete(message, staged)
    if (repeat.kind === 'ok') return published(message, staged, repeat)
    const notSent = repeat.failure.status === undefined && repeat.kind === 'refused'
    const why = notSent || mayBeCompletedAlready(repeat.failure) ? failure : repeat.failure
    const again = await this.#lookUp(message, staged)
    return shownBy(again.best, message, staged, why, othersAre) ?? unknown(message, why, again.best)
  }

  /** `undefined` if that is not possible: the first upload may be visible all the same. */
  #stageAgain(files: readonly StagedFile[]): Promise<readonly StagedFile[] | undefined> {
    const { stopping } = this.#around.budget
    const again = files.map(({ file }) => this.stage(file, stopping))
    return Promise.all(again).catch((error: unknown) => {
      if (error instanceof ProblemError) return undefined
      throw error
    })
  }

  /** Until it is shown in all channels, or was absent for the whole time. */
  #lookUp({ conversations }: Message, staged: readonly StagedFile[]): Promise<FileLookups> {
    const enough = (lookup: FileLookup) => proofsOf(lookup, conversations).length === conversations.length
    return this.#poll(staged, reconcileDelays, enough, { untilAbsent: true })
  }

  #poll(
    staged: readonly { readonly id?: string }[],
    delays: readonly number[],
    enough: (lookup: FileLookup, lookupNumber: number) => boolean,
    options?: { readonly untilAbsent: boolean },
  ): Promise<FileLookups> {
    // The files of one message appear together: looking up one of them is enough.
    return pollFile(this.#around.api, this.#around.budget, staged[0]?.id ?? '', delays, enough, options)
  }

  async confirm(message: Message, { files, shares }: Published): Promise<Confirmation> {
    const { conversations } = message
    const [first, ...others] = files
    const withTs = (proofs: readonly Share[]) => proofs.filter(({ ts }) => ts !== undefined)
    const enough = (lookup: FileLookup, lookupNumber: number) => {
      const proofs = proofsOf(lookup, conversations)
      if (proofs.length < conversations.length) return false
      const cutShort = lookup.kind === 'found' && lookup.record['has_more_shares'] === true
      return cutShort || lookupNumber >= enoughForTs || withTs(proofs).length === conversations.length
    }
    const lookups =
      first === undefined || withTs(shares).length === conversations.length
        ? undefined
        : await this.#poll([first], confirmDelays, enough)
    const best = lookups?.best
    const known = [...proofsOf(best, conversations), ...shares]
    const proofs = [...withTs(known), ...known]
    const cannotTell = best?.kind === 'no-result' || best?.kind === 'cannot-tell'
    const shown = conversations.map(async (conversation): Promise<Shown> => {
      const share = proofs.find((one) => one.conversation.id === conversation.id)
      if (share) return { kind: 'shown', share, ...(await this.#permalink(share)) }
      if (cannotTell && !lookups?.interrupted) return { kind: 'cannot-tell', conversation, why: noLook(best) }
      return { kind: 'not-shown', conversation, milliseconds: lookups?.milliseconds ?? 0 }
    })
    return {
      shown: await Promise.all(shown),
      files: first === undefined ? files : [...recordsOf([first], best, files), ...others],
    }
  }

  /** The first of each conversation from the service, the others by its pattern. https://docs.slack.dev/reference/methods/chat.getPermalink */
  async #permalink({ conversation, ts }: Share): Promise<{ readonly permalink?: string }> {
    if (ts === undefined) return {}
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
  look: FileLookup | undefined,
  known: Published['files'] = [],
): Published['files'] {
  const record = look?.kind === 'found' ? look.record : undefined
  return staged.map(({ file, id }, index) => ({
    ...known[index],
    ...publishedFile(file, record?.['id'] === id ? record : undefined, id),
  }))
}

function proofsOf(lookup: FileLookup | undefined, conversations: readonly Conversation[]): readonly Share[] {
  return lookup?.kind === 'found' ? proofsIn(lookup.record, conversations) : []
}

/**
 * What a look says of a message whose call did not tell: it shows in all its conversations, or in some; `undefined`
 * where it shows nowhere. `othersAre`: what is known of so many conversations that do not show it.
 */
function shownBy(
  look: FileLookup | undefined,
  { conversations }: Message,
  staged: readonly StagedFile[],
  failure: Failure,
  othersAre: (count: number) => 'not-sent' | 'unknown',
): Outcome | undefined {
  const shares = proofsOf(look, conversations)
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

function refused(message: Message, failure: Failure): Outcome {
  const severalChannels = message.conversations.length > 1
  return { kind: 'refused', why: problemOf(failure, notPosted(message), { severalChannels }) }
}

/** The outcome of a message that `look` did not settle. */
function unknown({ conversations }: Message, failure: Failure, look: FileLookup | undefined): Outcome {
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
function noLook(last: FileLookup | undefined): Problem {
  const code = last !== undefined && 'why' in last ? last.why : 'no answer'
  return {
    title: 'It could not be seen whether the files show',
    text:
      code === 'missing_scope'
        ? 'The service took the files and said so. With the scope files:read the step sees whether they show, and gives ts and permalink: add it to the app, reinstall the app, and use the new token; or set if-not-confirmed: ignore.'
        : `The service took the files and said so, but gave no look at them (${code}). There is no ts and no permalink.`,
  }
}
