import { ProblemError } from '../../problem.ts'
import { text } from '../../text/text.ts'
import { bytesOf, conclude, isCertainlyNotPosted, type SentMessage } from '../conclude.ts'
import { describeFailure } from '../errors/failures.ts'
import { omitsFiles, sightingsInResponse } from '../record.ts'
import { type CallResult, readCompletion } from '../responses.ts'
import type { Message, MessagingService, PostResult, ServiceFile } from '../service.ts'
import type { ServiceDependencies, WebApi } from '../web-api.ts'
import { pollFiles, scanTime, usualTimes } from './file-lookup.ts'

/** Milliseconds that the response may take at least, plus `scanTime`. */
const minCompletionTime = 30_000

/** Completes a message, looks its files up, and completes it once more if `mustRepeat`. */
export async function postFiles(
  deps: ServiceDependencies,
  upload: MessagingService['stage'],
  message: Message,
): Promise<PostResult> {
  const first = await complete(deps, message)
  if (!mustRepeat(first)) return conclude(first)
  // After `file_not_found`, the uploads may have expired.
  const isExpired = first.sent.outcome !== 'succeeded' && first.sent.code === 'file_not_found'
  const uploadAgain = ({ file }: ServiceFile) => upload(file, deps.deadline.signal)
  try {
    const files = isExpired ? await Promise.all(message.files.map(uploadAgain)) : message.files
    return conclude(await complete(deps, { ...message, files }, { repeated: true }))
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    // The first completion may still be visible.
    const result = conclude(first)
    return { ...result, problems: [...result.problems, ...error.problems] }
  }
}

export function mustRepeat({ lookup, repeated, sent }: SentMessage): boolean {
  return sent.outcome === 'ambiguous' && lookup?.isAbsent === true && !repeated
}

async function complete(
  deps: ServiceDependencies,
  message: Message,
  { repeated = false } = {},
): Promise<SentMessage> {
  const sent = await deps.api.withApp(await requestCompletion(deps.api, message))
  const sentMessage = { message, sent, repeated, ifNotConfirmed: deps.ifNotConfirmed }
  const ids = filesToPoll(sentMessage).map(({ id }) => id ?? '')
  if (ids.length === 0) return sentMessage
  const hasFailed = sent.outcome !== 'succeeded'
  const lookup = await pollFiles(deps, ids, message, {
    ...usualTimes,
    untilAbsent: hasFailed,
    bytes: bytesOf(message),
    reason: hasFailed ? describeFailure(sent) : text`it was not seen in every channel yet`,
  })
  return { ...sentMessage, lookup }
}

export function filesToPoll(sentMessage: SentMessage): readonly ServiceFile[] {
  const { ifNotConfirmed, message, repeated, sent } = sentMessage
  const { channels, files } = message
  if (sent.outcome !== 'succeeded')
    // After the second completion, the first may still be carried out.
    return repeated || !isCertainlyNotPosted(message, sent) ? files : []
  if (omitsFiles(message, sent.json)) return files
  if (ifNotConfirmed === 'ignore') return []
  // Without a list, the response may lack any of the files.
  if (!Array.isArray(sent.json['files'])) return files
  // After ok, all files appear together, so the first is enough.
  return sightingsInResponse(message, sent.json).length < channels.length ? files.slice(0, 1) : []
}

/** https://docs.slack.dev/reference/methods/files.completeUploadExternal, scope files:write */
function requestCompletion(api: WebApi, message: Message): Promise<CallResult> {
  const { channels, comment, files, threadTs } = message
  const ids = channels.map(({ id }) => id).join(',')
  const form = {
    files: JSON.stringify(files.map(({ file, id }) => ({ id, title: file.title ?? file.name }))),
    [channels.length === 1 ? 'channel_id' : 'channels']: ids,
    blocks: comment?.blocks,
    thread_ts: threadTs,
  }
  const minResponseTime = minCompletionTime + scanTime(bytesOf(message))
  return api.call(
    'files.completeUploadExternal',
    form,
    { safeToRepeat: false, minResponseTime },
    readCompletion,
  )
}
