import { randomUUID } from 'node:crypto'
import { FormData } from 'formdata-node'
import mime from 'mime/lite'
import { readWhole } from '../files/content.ts'
import type { FoundFile } from '../files/files.ts'
import { isObject } from '../json.ts'
import { notice, type Problem, ProblemError, warning } from '../problem.ts'
import { text } from '../text/text.ts'
import { reportSent, sendChunks } from './body.ts'
import { conclude } from './conclude.ts'
import type { HttpRequest } from './http/transfer.ts'
import { readFilesUpload } from './responses.ts'
import type { Read } from './retry.ts'
import { allInState, type Message, type MessagingService, type PostResult } from './service.ts'
import type { ServiceDependencies } from './web-api.ts'

const method = 'files.upload'

/** Milliseconds. Giving up leaves the message unknown. */
const minResponseTime = 180_000

/** `mime` takes these for a video, an XML format, a document of Word and a signed record. */
const sourceCode = /\.(?:m?ts|rs|dot|gbr)$/i

/** Some servers respond with nothing to every unknown path. */
const emptyResponseNotice = notice(
  'The response was empty',
  text`The server answered with an empty response: check in the channel that the file is there, and the path in \`base-url\`.`,
)

const brokenOffWarning = warning(
  'The comment may have been posted without the file',
  text`Some servers post the comment of an upload that broke off: look in the channel before you run the step again.`,
)

/**
 * `POST {base_url}/api/files.upload`, one request per file, to all channels at once. The server may
 * offer nothing else, so there is no lookup.
 */
export function filesUpload(deps: ServiceDependencies): MessagingService {
  const { content, dryRun } = deps
  return {
    // Staged files are only read.
    limits: { filesAtOnce: 6, filesPerMessage: 1, commentGoesWith: 'each message' },
    resolve: async (channels) => channels.map((requested) => ({ id: requested, requested })),
    async preflight(channels) {
      if (!dryRun) return []
      const note = text`${method} offers no check before it posts`
      const remark = text`${method} offers no check before it posts, so the dry run connected to nothing: only a run that posts shows whether the server is at this address, and accepts token, channels and files.`
      const problem = notice('Address, token and channels were not checked', remark)
      const unchecked = { result: 'unknown', note, problem } as const
      return channels.map(({ requested }) => ({ subject: requested, ...unchecked }))
    },
    // Unreadable files, and files with the token, fail before the first post.
    async stage(file, signal) {
      await readWhole(content, file, signal)
      return { file }
    },
    post: (message) => postFile(deps, message),
  }
}

async function postFile(deps: ServiceDependencies, message: Message): Promise<PostResult> {
  const [{ file } = {}, ...others] = message.files
  if (file === undefined || others.length > 0)
    throw new Error('files.upload sends one file in a message')
  /** The last attempt handed over its fields, and not the rest. No response came. */
  let isOpen = false
  /** So did one before. */
  let wasOpen = false
  const form = multipart(message, file, async function* () {
    wasOpen ||= isOpen
    isOpen = false
    let isFirst = true
    for await (const chunk of sendChunks(deps, file)) {
      // Not again after a response.
      if (isFirst) isOpen = true
      isFirst = false
      yield chunk
    }
    isOpen = false
  })
  const read: Read = (response, call) => {
    isOpen = false
    return readFilesUpload(response, call)
  }
  const warned = (result: PostResult) =>
    message.comment && (isOpen || wasOpen) ? withProblem(result, brokenOffWarning) : result
  try {
    const options = { ...form, minResponseTime, safeToRepeat: false }
    const result = await deps.api.post(method, options, read)
    if (result.outcome !== 'succeeded') return warned(conclude({ message, sent: result }))
    reportSent(deps, file)
    // `conclude` reads a list of files. salvo and Rocket respond `null` for a file above their
    // limit. Other servers may name no file.
    const { file: record } = result.json
    const isTold = record === null || isObject(record)
    const sent = { ...result, json: isTold ? { files: [record] } : {} }
    const concluded = warned(conclude({ message, sent }))
    return result.isEmpty ? withProblem(concluded, emptyResponseNotice) : concluded
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    // Reading the file failed, so the request was not complete.
    return warned({ ...allInState('not-sent', message), problems: error.problems })
  }
}

function withProblem(result: PostResult, problem: Problem): PostResult {
  return { ...result, problems: [...result.problems, problem] }
}

/** The fields come first, so that a server that streams the file knows where it goes. */
function multipart(
  { channels, comment, threadTs }: Message,
  file: FoundFile,
  chunks: () => AsyncIterable<Uint8Array>,
): Pick<HttpRequest, 'headers' | 'body'> {
  const form = new FormData()
  if (comment) form.set('initial_comment', comment.text)
  form.set('channels', channels.map(({ id }) => id).join(','))
  if (threadTs !== undefined) form.set('thread_ts', threadTs)
  if (file.title !== undefined) form.set('title', file.title)
  const boundary = `form-data-${randomUUID()}`
  const begin = (field: string) => `--${boundary}\r\nContent-Disposition: form-data; ${field}\r\n`
  const fields = Array.from(form, ([name, value]) => `${begin(`name="${name}"`)}\r\n${value}\r\n`)
  const filename = file.name.replaceAll('"', '%22')
  // With `/`, the name `csv` is not taken for an extension.
  const known = sourceCode.test(filename) ? null : mime.getType(`/${filename}`)
  const type = `Content-Type: ${known ?? 'application/octet-stream'}\r\n\r\n`
  const before = Buffer.from(fields.join('') + begin(`name="file"; filename="${filename}"`) + type)
  const after = Buffer.from(`\r\n--${boundary}--\r\n`)
  async function* body(): AsyncGenerator<Uint8Array> {
    // A server reads 64 KiB at a time. If a piece ended where the file begins, another could end at
    // a limit of whole MiB, in spite of the size of a chunk.
    let start = [before]
    for await (const chunk of chunks()) {
      yield start.length > 0 ? Buffer.concat([...start, chunk]) : chunk
      start = []
    }
    yield Buffer.concat([...start, after])
  }
  const length = before.byteLength + file.size + after.byteLength
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: { length, chunks: body },
  }
}
