import type { Deadline } from '../deadline.ts'
import type { FileContent } from '../files/content.ts'
import type { FoundFile } from '../files/files.ts'
import { type Problem, ProblemError } from '../problem.ts'
import { code, list, type Text, text } from '../text/text.ts'
import { resolveChannels } from './channels.ts'
import { findEarlierUploads, lacksScope } from './earlier-uploads.ts'
import { type Failure, throwProblem } from './failures.ts'
import {
  confirmDelays,
  type FileLookup,
  lookupsForTs,
  type PollResult,
  pollFile,
  reconcileDelays,
  reconcileSeconds,
} from './file-lookup.ts'
import { damagedFiles, type Share, uploadedFile, visibleIn } from './file-record.ts'
import type { Http } from './http.ts'
import type { Line } from './line.ts'
import { Permalinks } from './permalinks.ts'
import { completed, namesOf, notConfirmed, notSent, resultOfLookup, unknown } from './post-results.ts'
import { checkChannels, checkToken } from './preflight.ts'
import { type CallResult, readUpload } from './responses.ts'
import type { Retry } from './retry.ts'
import type {
  Channel,
  EarlierUploads,
  Finding,
  Message,
  MessagingService,
  PostResult,
  ServiceEvent,
  UploadedFile,
} from './service.ts'
import { readUploadUrl, type UploadUrl, unusable } from './upload-url.ts'
import type { WebApi } from './web-api.ts'

interface Dependencies {
  readonly http: Http
  readonly line: Line
  readonly api: WebApi
  readonly retry: Retry
  readonly deadline: Deadline
  /** `Slack`, or the host of another service. */
  readonly service: Text
  /** Where API requests go: host and port. */
  readonly host: string
  readonly removeToken: (text: string) => string
  readonly sendContent: FileContent
  /** Nothing becomes visible, nothing is created. */
  readonly dryRun: boolean
  readonly refuseExternalChannels: boolean
  /** Gets every upload URL before it is used. */
  readonly maskSecret: (secret: string) => void
  readonly onEvent: (event: ServiceEvent) => void
}

/** Milliseconds. How long an upload URL may be used is not documented: after this wait, another one is requested. */
const maxUrlWait = 60_000

/**
 * The external upload in three steps: an upload URL for each file, its bytes, then one completion that posts up to ten
 * files. https://docs.slack.dev/messaging/working-with-files/#upload
 */
export class ExternalUpload implements MessagingService {
  readonly method = 'external'
  readonly limits = {
    // What one completion takes is not documented; users report that 14 worked and 15 failed.
    filesPerMessage: 10,
    // getUploadURLExternal responds missing_argument to a length of 0.
    minFileBytes: 1,
    commentGoesWith: 'first message',
  } as const
  readonly preflightFirst: boolean
  readonly #deps: Dependencies
  readonly #permalinks: Permalinks
  /** The file that each file ID, and each upload URL, was given for. */
  readonly #given = new Map<string, FoundFile>()

  constructor(deps: Dependencies) {
    this.#deps = deps
    this.preflightFirst = deps.refuseExternalChannels
    this.#permalinks = new Permalinks(deps.api)
  }

  resolve(channels: readonly string[]): Promise<readonly Channel[]> {
    return resolveChannels(this.#deps.api, channels, { create: !this.#deps.dryRun })
  }

  async preflight(channels: readonly Channel[]): Promise<readonly Finding[]> {
    const { api, dryRun, refuseExternalChannels } = this.#deps
    const token = dryRun ? await checkToken(api) : []
    const failed = token.some(({ result }) => result === 'failed')
    // One channel needs no check: the response to the completion is about it.
    const isCheckUseful = dryRun || refuseExternalChannels || channels.length > 1
    const checked = !failed && isCheckUseful ? await checkChannels(api, channels, this.#deps) : []
    return [...token, ...checked]
  }

  findPosted(...[files, where]: Parameters<MessagingService['findPosted']>): Promise<EarlierUploads> {
    return findEarlierUploads({ ...this.#deps, permalinks: this.#permalinks }, files, where)
  }

  get whyNotFindable(): Text | undefined {
    return this.#deps.api.lacks('files:read') ? lacksScope : undefined
  }

  async stage(file: FoundFile, signal: AbortSignal): Promise<UploadedFile> {
    const { host, http, line, retry, sendContent, service } = this.#deps
    const call = { method: 'upload', host, service }
    let id = ''
    // A new upload URL for every attempt: how often one may be used is not documented, and users report that an upload
    // that was completed after a failed attempt was empty.
    const sendBytes = async (requestSignal: AbortSignal) => {
      const upload = await this.#requestUploadUrl(file, signal)
      return line.carry(file.size, requestSignal, async (waited) => {
        const { id: given, url } = waited > maxUrlWait ? await this.#requestUploadUrl(file, signal) : upload
        id = given
        call.host = url.host
        return http.send({
          url,
          headers: { 'content-type': 'application/octet-stream' },
          body: { length: file.size, chunks: () => sendContent.chunks(file) },
          authorized: false,
          signal: requestSignal,
        })
      })
    }
    const result = await retry.run(call, sendBytes, readUpload, { safeToRepeat: true, signal })
    if (result.outcome !== 'succeeded') throwProblem(result.failure, notUploaded(file), { namedBy: host })
    return { file, id }
  }

  async #requestUploadUrl(file: FoundFile, signal: AbortSignal): Promise<UploadUrl> {
    const { api, maskSecret, removeToken } = this.#deps
    const form = { filename: file.name, length: String(file.size) }
    const result = await api.call('files.getUploadURLExternal', form, { safeToRepeat: true, signal })
    if (result.outcome !== 'succeeded') throwProblem(result.failure, notUploaded(file))
    const upload = readUploadUrl(result.json, file, removeToken)
    for (const given of [upload.id, upload.url.href]) {
      const other = this.#given.get(given)
      // One of the two files would be lost, although the completion responds ok.
      if (other && other !== file) {
        throw unusable(file, text`the ${code('file_id')} or ${code('upload_url')} of ${other.path}`)
      }
      this.#given.set(given, file)
    }
    maskSecret(upload.url.href)
    return upload
  }

  async post(message: Message, { confirm }: { readonly confirm: boolean }): Promise<PostResult> {
    const sent = await this.#send(message)
    const result = confirm ? await this.#confirm(message, sent) : sent
    return { ...result, problems: [...result.problems, ...damagedFiles(result.files)] }
  }

  async #send(message: Message): Promise<PostResult> {
    const result = await this.#complete(message)
    if (result.outcome === 'succeeded') return completed(message, result)
    const { failure } = result
    if (result.outcome === 'ambiguous') return this.#reconcile(message, failure)
    if (result.outcome === 'not sent') return notSent(message, failure)
    if (failure.row.mayBeCompleted && !result.unknownMethod) return this.#reconcile(message, failure)
    const certain = !result.afterRateLimit && (message.channels.length === 1 || result.forAllChannels)
    if (!certain) return this.#reconcileRefusal(message, failure)
    return notSent(message, failure)
  }

  #complete({ channels, comment, files, threadTs }: Message): Promise<CallResult> {
    const ids = channels.map(({ id }) => id).join(',')
    const form = {
      files: JSON.stringify(files.map(({ file, id }) => ({ id, title: file.title ?? file.name }))),
      ...(channels.length === 1 ? { channel_id: ids } : { channels: ids }),
      ...(comment?.kind === 'text' ? { initial_comment: comment.text } : {}),
      ...(comment?.kind === 'blocks' ? { blocks: JSON.stringify(comment.blocks) } : {}),
      ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    }
    return this.#deps.api.call('files.completeUploadExternal', form, { safeToRepeat: false })
  }

  /** A refusal can come after the first of several channels has the files, or after a rate limit. A lookup shows it. */
  async #reconcileRefusal(message: Message, failure: Failure): Promise<PostResult> {
    const isUnclear = message.channels.length > 1 && failure.row.aboutChannel
    const cause = isUnclear ? text`did not say which channel it rejected` : text`refused the message`
    const { absent, best } = await this.#lookUp(
      message,
      text`${this.#deps.service} ${cause}: checking for about ${reconcileSeconds} s that nothing was posted`,
    )
    if (absent) return notSent(message, failure)
    // An error about a channel is about the one that is missing. If several are missing, some may only be late.
    const stateOfOthers = (count: number) => (count === 1 && failure.row.aboutChannel ? 'not-sent' : 'unknown')
    return resultOfLookup(best, message, failure, stateOfOthers) ?? unknown(message, failure, best)
  }

  /**
   * The completion may have been carried out. The file is looked up, and the completion is repeated only if the service
   * responded for the whole time that it does not know the file. The repeat counts only if it is seen or accepted.
   */
  async #reconcile(message: Message, failure: Failure): Promise<PostResult> {
    const why = text`${this.#deps.service} did not say whether it posted the message: checking for about ${reconcileSeconds} s what became of it`
    const { absent, best } = await this.#lookUp(message, why)
    if (!absent) return resultOfLookup(best, message, failure, () => 'unknown') ?? unknown(message, failure, best)

    // The upload may have expired while other files were staged: then the files are staged again.
    const files = failure.code === 'file_not_found' ? await this.#stageAgain(message) : message.files
    if (files === undefined) return unknown(message, failure, best)
    const repeated = { ...message, files }
    const repeat = await this.#complete(repeated)
    if (repeat.outcome === 'succeeded') return completed(repeated, repeat)
    const addsNothing = repeat.outcome === 'not sent' || repeat.failure.row.mayBeCompleted
    const reported = addsNothing ? failure : repeat.failure
    const second = await this.#lookUp(repeated, why)
    return resultOfLookup(second.best, repeated, reported, () => 'unknown') ?? unknown(repeated, reported, second.best)
  }

  /** Returns `undefined` if the files could not be staged: the first completion may be visible all the same. */
  #stageAgain({ files }: Message): Promise<readonly UploadedFile[] | undefined> {
    const staging = files.map(({ file }) => this.stage(file, this.#deps.deadline.signal))
    return Promise.all(staging).catch((error: unknown) => {
      if (error instanceof ProblemError) return undefined
      throw error
    })
  }

  /** Until the message is visible in all channels, or the file was absent for the whole time. */
  #lookUp({ channels, files }: Message, why: Text): Promise<PollResult> {
    const { api, onEvent } = this.#deps
    // Without the scope there is no lookup.
    if (!api.lacks('files:read')) onEvent({ kind: 'lookups', why })
    const enough = (lookup: FileLookup) => sharesOf(lookup, channels).length === channels.length
    return this.#poll(files, reconcileDelays, enough, { untilAbsent: true })
  }

  #poll(
    files: readonly UploadedFile[],
    delays: readonly number[],
    enough: (lookup: FileLookup, lookupNumber: number) => boolean,
    options?: { readonly untilAbsent: boolean },
  ): Promise<PollResult> {
    const { api, deadline } = this.#deps
    // The files of one message appear together: a lookup of the first is enough.
    const id = files[0]?.id
    if (id === undefined) throw new Error('The first file of a message has no ID')
    return pollFile(api, deadline, id, delays, enough, options)
  }

  /** Looks until every accepted posting is visible, and adds the links to the messages. */
  async #confirm(message: Message, sent: PostResult): Promise<PostResult> {
    const result = sent.problems.length > 0 ? sent : await this.#confirmVisible(message.channels, sent)
    const postings = await Promise.all(result.postings.map((posting) => this.#permalinks.addTo(posting)))
    return { ...result, postings }
  }

  async #confirmVisible(channels: readonly Channel[], sent: PostResult): Promise<PostResult> {
    if (sent.postings.every(({ ts }) => ts !== undefined)) return sent
    const enough = (lookup: FileLookup, lookupNumber: number) => {
      const shares = sharesOf(lookup, channels)
      if (shares.length < channels.length) return false
      const cutShort = lookup.kind === 'found' && lookup.record['has_more_shares'] === true
      return cutShort || lookupNumber >= lookupsForTs || shares.every(({ ts }) => ts !== undefined)
    }
    const { aborted, best, milliseconds } = await this.#poll(sent.files, confirmDelays, enough)
    const shares = sharesOf(best, channels)
    const postings = sent.postings.map((posting) => {
      const share = shares.find(({ channel }) => channel.id === posting.channel.id)
      if (share === undefined) return posting
      return { ...posting, state: 'posted' as const, ...(share.ts === undefined ? {} : { ts: share.ts }) }
    })
    const record = best?.kind === 'found' ? best.record : undefined
    const files = sent.files.map((file, index) => (index === 0 ? uploadedFile(file, record) : file))
    const result = { ...sent, postings, files }
    const missing = postings.filter(({ state }) => state === 'accepted').map(({ channel }) => channel)
    if (missing.length === 0) return result
    if (!aborted && (best?.kind === 'no result' || best?.kind === 'not possible')) {
      return { ...result, problems: [...result.problems, notConfirmed(this.#deps.service, best)] }
    }
    return { ...result, notVisible: { channels: missing, problem: this.#notVisible(missing, files, milliseconds) } }
  }

  #notVisible(channels: readonly Channel[], files: readonly UploadedFile[], milliseconds: number): Problem {
    const { service } = this.#deps
    const names = list(
      files.map(({ file }) => file.path),
      { max: 3 },
    )
    return {
      title: text`${service} accepted the files, but the message has not appeared`,
      text: text`After ${Math.round(milliseconds / 1000)} s, no message with ${names} is visible in ${namesOf(channels)}, although ${service} responded ok.\nCheck the channel before you run the step again: the message may still appear.`,
    }
  }
}

function notUploaded(file: FoundFile): Text {
  return text`${file.path} could not be uploaded`
}

function sharesOf(lookup: FileLookup | undefined, channels: readonly Channel[]): readonly Share[] {
  return lookup?.kind === 'found' ? visibleIn(lookup.record, channels) : []
}
