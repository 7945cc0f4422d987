import { type FileContent, readWhole } from '../files/content.ts'
import type { FoundFile } from '../files/files.ts'
import { ProblemError } from '../problem.ts'
import { formatSize } from '../text/format.ts'
import { code, type Text, text, words } from '../text/text.ts'
import { resolveChannels } from './channels.ts'
import { conclude, filesToLookUp, type NextStep, nextStep } from './conclude.ts'
import { findEarlierUploads, lacksScope } from './earlier-uploads.ts'
import { type Failure, throwProblem } from './failures.ts'
import { absentAfter, confirming, pollFiles, reconciling, type Seen } from './file-lookup.ts'
import type { Http } from './http.ts'
import type { Line } from './line.ts'
import { type AddPermalink, permalinksOf } from './permalinks.ts'
import { checkChannels, checkToken } from './preflight.ts'
import { type CallResult, type Failed, readCompletion, readUpload } from './responses.ts'
import type { Retry } from './retry.ts'
import type {
  Channel,
  EarlierUploads,
  Message,
  MessagingService,
  PostResult,
  Preflight,
  ServiceOptions,
  UploadedFile,
} from './service.ts'
import { readUploadUrl, type UploadUrl, unusable } from './upload-url.ts'
import type { WebApi } from './web-api.ts'

interface Dependencies extends ServiceOptions {
  readonly http: Http
  readonly line: Line
  readonly api: WebApi
  readonly retry: Retry
  readonly removeToken: (text: string) => string
  /** The content, for the upload. */
  readonly sendContent: FileContent
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
  readonly #deps: Dependencies
  readonly #addPermalink: AddPermalink
  /** The file that each file ID, and each upload URL, was given for. */
  readonly #given = new Map<string, FoundFile>()

  constructor(deps: Dependencies) {
    this.#deps = deps
    this.#addPermalink = permalinksOf(deps.api)
  }

  resolve(channels: readonly string[]): Promise<readonly Channel[]> {
    return resolveChannels(this.#deps.api, channels, { create: !this.#deps.dryRun })
  }

  async preflight(channels: readonly Channel[]): Promise<Preflight> {
    const { api, dryRun, refuseExternalChannels } = this.#deps
    const token = dryRun ? await checkToken(api) : { findings: [], problems: [] }
    // One channel needs no check: the response to the completion is about it.
    const isCheckUseful = dryRun || refuseExternalChannels || channels.length > 1
    if (token.problems.length > 0 || !isCheckUseful) return token
    const { findings, problems } = await checkChannels(api, channels, this.#deps)
    return { findings: [...token.findings, ...findings], problems }
  }

  findPosted(...[files, where]: Parameters<MessagingService['findPosted']>): Promise<EarlierUploads> {
    return findEarlierUploads({ ...this.#deps, addPermalink: this.#addPermalink }, files, where)
  }

  get lookupProblem(): Text | undefined {
    return this.#deps.api.lacks('files:read') ? lacksScope : undefined
  }

  async stage(file: FoundFile, signal: AbortSignal): Promise<UploadedFile> {
    const { api, content, dryRun, http, line, retry, sendContent } = this.#deps
    if (dryRun) {
      await readWhole(content, file, signal)
      return { file }
    }
    const call = { ...api.callOf('upload') }
    const namedBy = call.host
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
    if (result.outcome !== 'succeeded') throwProblem(result, notUploaded(file, result), { namedBy })
    return { file, id }
  }

  async #requestUploadUrl(file: FoundFile, signal: AbortSignal): Promise<UploadUrl> {
    const { api, maskSecret, removeToken } = this.#deps
    const form = { filename: file.name, length: String(file.size) }
    const result = await api.call('files.getUploadURLExternal', form, { safeToRepeat: true, signal })
    if (result.outcome !== 'succeeded') throwProblem(result, notUploaded(file, result))
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
    const sent = await this.#complete(message)
    const seen = await this.#look(message, sent, { confirm, repeated: false })
    const next = nextStep(sent, seen)
    const result = next ? await this.#repeat(next, message, sent, confirm) : conclude(message, sent, seen)
    return confirm ? { ...result, postings: await Promise.all(result.postings.map(this.#addPermalink)) } : result
  }

  /** The file was absent: the message is completed once more. The repeat counts only if it is seen or accepted. */
  async #repeat(next: NextStep, message: Message, sent: CallResult, confirm: boolean): Promise<PostResult> {
    const files = next === 'upload again' ? await this.#stageAgain(message) : message.files
    if (files === undefined) return conclude(message, sent, undefined, true)
    const again = { ...message, files }
    const response = await this.#complete(again)
    const isNews = response.outcome === 'succeeded' || response.outcome === 'refused'
    const repeat = isNews ? response : sent
    return conclude(again, repeat, await this.#look(again, repeat, { confirm, repeated: true }), true)
  }

  #complete({ channels, comment, files, threadTs }: Message): Promise<CallResult> {
    const ids = channels.map(({ id }) => id).join(',')
    const form = {
      files: JSON.stringify(files.map(({ file, id }) => ({ id, title: file.title ?? file.name }))),
      [channels.length === 1 ? 'channel_id' : 'channels']: ids,
      initial_comment: comment?.kind === 'text' ? comment.text : undefined,
      blocks: comment?.kind === 'blocks' ? JSON.stringify(comment.blocks) : undefined,
      thread_ts: threadTs,
    }
    return this.#deps.api.call('files.completeUploadExternal', form, { safeToRepeat: false }, readCompletion)
  }

  async #look(
    message: Message,
    sent: CallResult,
    options: { readonly confirm: boolean; readonly repeated: boolean },
  ): Promise<Seen | undefined> {
    const ids = filesToLookUp(message, sent, options).map(({ id }) => id ?? '')
    if (ids.length === 0) return undefined
    if (sent.outcome === 'succeeded') return pollFiles(this.#deps, ids, message, confirming)
    const { api, onEvent } = this.#deps
    // Without the scope there is no lookup.
    if (!api.lacks('files:read')) onEvent({ kind: 'lookups', why: reasonToLook(message, sent) })
    return pollFiles(this.#deps, ids, message, reconciling)
  }

  /** Returns `undefined` if the files could not be staged: the first completion may be visible all the same. */
  #stageAgain({ files }: Message): Promise<readonly UploadedFile[] | undefined> {
    const staging = files.map(({ file }) => this.stage(file, this.#deps.deadline.signal))
    return Promise.all(staging).catch((error: unknown) => {
      if (error instanceof ProblemError) return undefined
      throw error
    })
  }
}

/** For the log. */
function reasonToLook({ channels }: Message, { outcome, row, service }: Failed): Text {
  const duration = `about ${absentAfter / 1_000} s`
  if (outcome !== 'refused') {
    return text`${service} did not say whether it posted the message: checking for ${words(duration)} what became of it`
  }
  const isUnclear = channels.length > 1 && row.aboutChannel
  const cause = words(isUnclear ? 'did not say which channel it rejected' : 'refused the message')
  return text`${service} ${cause}: checking for ${words(duration)} that nothing was posted`
}

function notUploaded({ path, size }: FoundFile, { row }: Failure): Text {
  return text`${path} ${words(row.aboutSize ? `(${formatSize(size)}) ` : '')}could not be uploaded`
}
