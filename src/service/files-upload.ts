import { FormDataEncoder } from 'form-data-encoder'
import { FormData } from 'formdata-node'
import { readFilesUpload } from './answers.ts'
import type { Attempts } from './attempts.ts'
import type { Content, WithContent } from './content.ts'
import { withoutDoubles } from './conversations.ts'
import { refusesAllChannels } from './error-codes.ts'
import { problemOf } from './errors.ts'
import { publishedFile, sharesIn } from './file-record.ts'
import type { Body, Http } from './http.ts'
import type {
  Confirmation,
  Conversation,
  Finding,
  Message,
  MessagingService,
  Outcome,
  OutgoingFile,
  Published,
  Shown,
  StagedFile,
} from './service.ts'
import { apiUrl, objectIn } from './web-api.ts'

interface Surroundings {
  readonly http: Http
  readonly attempts: Attempts
  readonly baseUrl: URL
  readonly token: string
  readonly withContent: WithContent
  /** Told how many bytes of files went out. */
  readonly countBytes: (count: number) => void
}

/**
 * The specified interface: `POST {base_url}/api/files.upload`, one request for each file, to all channels at once.
 * No other endpoint is expected to exist on the server.
 */
export class FilesUpload implements MessagingService {
  readonly method = 'files.upload'
  readonly limits = { filesPerMessage: 1, minFileBytes: 0, commentGoesWith: 'each message' } as const
  readonly #around: Surroundings

  constructor(around: Surroundings) {
    this.#around = around
  }

  async open(channels: readonly string[]): Promise<readonly Conversation[]> {
    return withoutDoubles(channels.map((requested) => ({ id: requested, requested })))
  }

  /** There is no look to take. */
  async check(conversations: readonly Conversation[]): Promise<readonly Finding[]> {
    return conversations.map(({ requested }) => ({
      about: requested,
      verdict: 'cannot-tell',
      note: 'files.upload has no way to look before it posts',
    }))
  }

  /** What can fail here fails before the first file is posted: the file is opened, measured and searched for the token. */
  async stage(file: OutgoingFile, signal: AbortSignal): Promise<StagedFile> {
    const { token, withContent } = this.#around
    await withContent(file, async (content) => {
      for await (const _ of content.chunks(token)) signal.throwIfAborted()
    })
    return { file }
  }

  async publish(message: Message): Promise<Outcome> {
    const { attempts, baseUrl, countBytes, http, token, withContent } = this.#around
    const [staged] = message.files
    if (staged === undefined) throw new Error('files.upload sends one file in a message')
    const { file } = staged
    const url = apiUrl(baseUrl, this.method)
    const channels = message.conversations.map(({ requested }) => requested).join(', ')
    const reply = await attempts.run(
      { method: this.method, host: url.host },
      (signal) =>
        withContent(file, (content) => {
          const { headers, body } = multipart(message, file, content, token, countBytes)
          return http.send({ url, headers, body, authorized: true, signal })
        }),
      readFilesUpload,
      { harmless: false },
    )
    if (reply.kind === 'ok') {
      const record = objectIn(reply.json, 'file')
      return {
        kind: 'published',
        files: [publishedFile(file, record, undefined)],
        shares: sharesIn(record, message.conversations),
      }
    }
    const { failure } = reply
    // A refusal may come after the first of several channels has the file, and there is no lookup.
    const oneOfSeveral = reply.kind === 'refused' && message.conversations.length > 1 && !refusesAllChannels(failure)
    if (reply.kind === 'ambiguous' || oneOfSeveral) {
      const what = `It is not known whether ${file.displayPath} was posted to ${channels}`
      const first = `Look into ${channels} before you run the step again: what is there would be posted a second time.`
      return { kind: 'unknown', why: problemOf(failure, what, { first, severalChannels: oneOfSeveral }) }
    }
    return { kind: reply.kind, why: problemOf(failure, `${file.displayPath} could not be posted to ${channels}`) }
  }

  /** The answer itself says where the file stands, or nothing does. */
  async confirm(message: Message, { files, shares }: Published): Promise<Confirmation> {
    const shown = message.conversations.map((conversation): Shown => {
      const share = shares.find((one) => one.conversation.id === conversation.id)
      return share ? { kind: 'shown', share } : { kind: 'cannot-tell', conversation }
    })
    return { shown, files }
  }
}

/** The form of the interface: fields first, so that a server which streams knows where the file goes before it comes. */
function multipart(
  { comment, conversations, threadTs }: Message,
  file: OutgoingFile,
  content: Content,
  token: string,
  countBytes: (count: number) => void,
): { readonly headers: Readonly<Record<string, string>>; readonly body: Body } {
  const form = new FormData()
  // The encoder would write each line break of the comment as CR LF: it gets a text of the same length in its place.
  const typed = comment?.kind === 'text' ? Buffer.from(comment.text) : undefined
  if (typed) form.set('initial_comment', '-'.repeat(typed.byteLength))
  form.set('channels', conversations.map(({ id }) => id).join(','))
  if (threadTs !== undefined) form.set('thread_ts', threadTs)
  const part = {
    [Symbol.toStringTag]: 'File',
    name: file.name,
    type: 'application/octet-stream',
    size: file.size,
    lastModified: 0,
    stream: () => content.chunks(token),
  }
  form.set('file', part)
  const encoder = new FormDataEncoder(form)
  // Head, value and line break of each part in turn.
  const values = [...encoder.values()]
  if (typed) values[1] = typed
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (const value of values) {
      if (value instanceof Uint8Array) yield value
      // Not through the encoder's own iterator: it cuts files into small pieces, at twice the time.
      else {
        for await (const chunk of content.chunks(token)) {
          yield chunk
          countBytes(chunk.byteLength)
        }
      }
    }
  }
  return {
    headers: { 'content-type': encoder.contentType },
    body: { length: Number(encoder.contentLength), chunks },
  }
}
