/**
 * What became of a message: the table of `docs/delivery.md` as code, which `npm run docs` writes from the cases that a
 * test enumerates.
 */
import { isObject, type Json, listIn, textIn } from '../json.ts'
import { notice, type Problem, warning } from '../problem.ts'
import { code, list, type Text, text, words } from '../text/text.ts'
import { type Failure, problemOf, withSize } from './errors/failures.ts'
import { type CallResult, isRefusal, type Succeeded } from './responses.ts'
import type { Channel, Message, Posting, PostResult, ServiceFile, ServiceOptions } from './service.ts'
import {
  damagedFiles,
  type FileShare,
  isAnswered,
  type LookupResult,
  serviceFile,
  sharesIn,
} from './slack/file-lookup.ts'

export interface ConcludeOptions extends Pick<ServiceOptions, 'ifNotConfirmed'> {
  /** The message was completed a second time. */
  readonly repeated: boolean
}

/** The files of a message that have to be looked up before anything can be concluded. */
export function filesToPoll(
  message: Message,
  sent: CallResult,
  { ifNotConfirmed, repeated }: ConcludeOptions,
): readonly ServiceFile[] {
  if (sent.outcome !== 'succeeded') {
    return repeated || !isCertain(message, sent) ? message.files : []
  }
  if (unnamedFiles(message, sent).length > 0) return message.files
  if (ifNotConfirmed === 'ignore') return []
  // A response that names no files says nothing about them.
  if (!listsFiles(sent)) return message.files
  // The files of a completion that succeeded appear together: a lookup of the first is enough.
  return sharesOf(message, sent).length < message.channels.length ? message.files.slice(0, 1) : []
}

/**
 * What to do before there is a result, because lookups of `filesToPoll` showed no trace of the message. `upload again`: the
 * upload may have expired.
 */
export function nextStep(
  sent: CallResult,
  seen: LookupResult | undefined,
): 'complete again' | 'upload again' | undefined {
  if (sent.outcome !== 'ambiguous' || seen?.result !== 'absent') return undefined
  return sent.code === 'file_not_found' ? 'upload again' : 'complete again'
}

/**
 * Says what became of a message.
 *
 * @param seen what lookups of `filesToPoll` showed; absent if there was none
 */
export function conclude(
  message: Message,
  sent: CallResult,
  seen?: LookupResult,
  { ifNotConfirmed = 'error', repeated = false }: Partial<ConcludeOptions> = {},
): PostResult {
  if (sent.outcome === 'succeeded') return accepted(message, sent, seen, ifNotConfirmed)
  if (seen && seen.shares.length > 0) return visible(message, sent, seen, repeated)
  const isRefused = sent.outcome !== 'ambiguous' && seen?.result === 'absent'
  const isNotSent = isRefused || (seen === undefined && isCertain(message, sent))
  return isNotSent && !repeated ? notSent(message, sent) : unknown(message, sent, seen)
}

/** Whether nothing of the message was posted. A refusal can come after the first channels have the files. */
function isCertain(message: Message, { outcome }: Failure): boolean {
  return outcome !== 'ambiguous' && (outcome !== 'refused' || !isForSeveral(message))
}

/** Whether one request was for several channels. A message without files is posted by a request for each. */
function isForSeveral({ channels, files }: Message): boolean {
  return channels.length > 1 && files.length > 0
}

/** The service responded ok. Its response describes the files, and seldom where they are visible. */
function accepted(
  message: Message,
  sent: Succeeded,
  seen: LookupResult | undefined,
  ifNotConfirmed: ServiceOptions['ifNotConfirmed'],
): PostResult {
  const { service } = sent.call
  const isComplete = unnamedFiles(message, sent).length === 0
  const shares = [...(isComplete ? sharesOf(message, sent) : []), ...(seen?.shares ?? [])]
  const records = [...recordsOf(sent), ...(seen?.records ?? [])]
  const hidden = hiddenIn(message, shares)
  const result = (state: Posting['state'], ...problems: readonly Problem[]) =>
    resultOf(message, state, problems, { shares, records })
  if (hidden.length === 0) return result('accepted')
  if (!isComplete) return result('unknown', notNamed(message, service, hidden, seen))
  if (seen === undefined) return result('accepted')
  if (!seen.aborted && !isAnswered(seen)) return result('accepted', notConfirmed(service, seen))
  const problem = notVisible(service, hidden, message, seen)
  if (ifNotConfirmed !== 'error') return result('accepted', { level: 'warning', ...problem })
  const hint = text`${code('if-not-confirmed: warn')} makes this a warning.`
  return result('unknown', { ...problem, text: text`${problem.text} ${hint}` })
}

/** The message is visible in some channels at least, although the response did not say that it was posted. */
function visible(message: Message, failed: Failure, seen: LookupResult, repeated: boolean): PostResult {
  const others = hiddenIn(message, seen.shares)
  // An error about a channel is about the one that is missing. If several are missing, some may only be late.
  const isAboutOther = isRefusal(failed) && !repeated && failed.advice.aboutChannel && others.length === 1
  const state = isAboutOther ? 'not-sent' : 'unknown'
  return resultOf(message, state, others.length === 0 ? [] : [partlyPosted(state, others, seen.shares, failed)], seen)
}

/** Certainly nothing of the message was posted. */
function notSent(message: Message, failure: Failure): PostResult {
  const subject = message.files.length === 0 ? text`The comment` : fileNames(message)
  const what = text`${withSize(subject, bytesOf(message), failure)} could not be posted to ${channelNames(message.channels)}`
  return resultOf(message, 'not-sent', [
    problemOf(failure, what, {
      severalChannels: isForSeveral(message),
      isDirect: message.channels.every(({ id }) => id.startsWith('D')),
    }),
  ])
}

export function bytesOf({ files }: Message): number {
  return files.reduce((sum, { file }) => sum + file.size, 0)
}

/** The message may or may not have been posted. */
function unknown(message: Message, failure: Failure, seen: LookupResult | undefined): PostResult {
  const { channels, files } = message
  const what = text`It is unknown whether ${fileNames(message)} ${words(files.length > 1 ? 'were' : 'was')} posted to ${channelNames(channels)}`
  const context = {
    title: unknownWhether,
    first: checkFirst(message, channels, seen),
    severalChannels: isForSeveral(message),
  }
  return resultOf(message, 'unknown', [problemOf(failure, what, context)])
}

/** @param state of the channels without a share; the others are `posted` */
export function resultOf(
  message: Message,
  state: Posting['state'],
  problems: readonly Problem[],
  { records, shares }: Pick<LookupResult, 'records' | 'shares'> = { records: [], shares: [] },
): PostResult {
  const { channels, files } = message
  const known = files.map((file) => serviceFile(file, recordOf(file, records)))
  const postings = channels.map((channel): Posting => {
    const shown = shares.filter((share) => share.channel.id === channel.id)
    const ts = shown.findLast((share) => share.ts !== undefined)?.ts
    return shown.length === 0 ? { channel, state } : { channel, state: 'posted', ts }
  })
  return { postings, files: known, problems: [...problems, ...damagedFiles(known), ...outsideThread(message, shares)] }
}

/** People have the files, so the step succeeds, but not where they expect them. */
function outsideThread(message: Message, shares: readonly FileShare[]): readonly Problem[] {
  const { channels, threadTs } = message
  const isOutside = ({ isInPlace }: FileShare) => isInPlace === false
  if (threadTs === undefined || shares.length === 0 || !shares.every(isOutside)) return []
  const explanation = text`${channelNames(channels)} has ${fileNames(message)}, but the service does not show the message in the thread ${threadTs}.\nIs this the ts of a message in this channel?`
  return [warning('The message is not in the thread', explanation)]
}

/** The channels in which the message was not seen. */
function hiddenIn({ channels }: Message, shares: readonly FileShare[]): readonly Channel[] {
  return channels.filter(({ id }) => !shares.some(({ channel }) => channel.id === id))
}

/** Where the response itself shows the message: only with a ts, because it may repeat the channels of the request. */
function sharesOf(message: Message, sent: Succeeded): readonly FileShare[] {
  const [first] = message.files
  const record = first && recordOf(first, recordsOf(sent))
  return sharesIn(record, message).filter(({ ts }) => ts !== undefined)
}

/** The files that the response leaves out, although it lists files. */
function unnamedFiles({ files }: Message, sent: Succeeded): readonly ServiceFile[] {
  const records = recordsOf(sent)
  return listsFiles(sent) ? files.filter((file) => recordOf(file, records) === undefined) : []
}

/** A list without IDs says as little as none. */
function listsFiles(sent: Succeeded): boolean {
  return Array.isArray(sent.json['files']) && recordsOf(sent).every((record) => textIn(record, 'id') !== undefined)
}

function recordsOf({ json }: Succeeded): readonly Json[] {
  return listIn(json, 'files').filter(isObject)
}

/** `files.upload` gives a file its ID only in the response, which is about this file alone. */
function recordOf({ id }: ServiceFile, records: readonly Json[]): Json | undefined {
  return id === undefined ? records[0] : records.findLast((record) => record['id'] === id)
}

const unknownWhether = 'It is unknown whether the message was posted'

/** What to do after `unknown`. */
function checkFirst({ files }: Message, channels: readonly Channel[], seen: LookupResult | undefined): Text {
  const scope = seen?.lacksScope
    ? text` With the scope ${code('files:read')}, the step could have checked this itself.`
    : text``
  const only = files.length === 0 ? 'the comment' : 'the file'
  const [are, them] = files.length > 1 ? ['the files are', 'them'] : [`${only} is`, 'it']
  const ifThere = words(`if ${are} there, the step may post ${them} a second time.`)
  return text`Check ${channelNames(channels)} before you run the step again: ${ifThere}${scope}`
}

/** What to do about the channels in which a message is not visible, although it is in others. */
function partlyPosted(
  state: 'not-sent' | 'unknown',
  others: readonly Channel[],
  shares: readonly FileShare[],
  failure: Failure,
): Problem {
  const posted = channelNames(shares.map(({ channel }) => channel))
  const names = channelNames(others)
  if (state === 'not-sent') {
    return problemOf(failure, text`The files are in ${posted}, but could not be posted to ${names}`, {
      first: text`Run the step again for ${names} only: in ${posted} it may post the files a second time.`,
    })
  }
  return problemOf(failure, text`The files are in ${posted}, but it is unknown whether they will be in ${names}`, {
    title: `${unknownWhether} in every channel`,
    first: text`Check ${names} before you run the step again, and leave out ${posted}: it may post the files there a second time.`,
  })
}

/** The response leaves files out, and lookups did not show them. */
function notNamed(
  message: Message,
  service: Text,
  channels: readonly Channel[],
  seen: LookupResult | undefined,
): Problem {
  const what = text`${service} responded ok, but its response lists only some of the files, and not all of them were seen in ${channelNames(channels)}: ${fileNames(message)}.`
  return { title: unknownWhether, text: text`${what}\n${checkFirst(message, channels, seen)}` }
}

/** The message was accepted, and lookups could not show whether it is visible. */
function notConfirmed(service: Text, { lacksScope, reason }: LookupResult): Problem {
  return notice(
    'Could not verify that the files are visible',
    lacksScope
      ? text`${service} accepted the files. With the scope ${code('files:read')} the step checks that they are visible, and sets ${code('ts')} and ${code('permalink')}: add it to the app, reinstall the app, and use the new token. Or set ${code('if-not-confirmed: ignore')} to hide this notice.`
      : text`${service} accepted the files, but did not say whether they are visible (${reason ?? text``}). There is no ${code('ts')} and no ${code('permalink')}.`,
  )
}

function notVisible(service: Text, channels: readonly Channel[], { files }: Message, seen: LookupResult): Problem {
  const paths = files.map(({ file }) => file.path)
  const why = seen.reason ? text` (the last lookup: ${seen.reason})` : text``
  return {
    title: text`${service} accepted the files, but the message has not appeared`,
    text: text`Within ${Math.round(seen.milliseconds / 1_000)} s, no message with ${list(paths, { max: maxNames })} was seen in ${channelNames(channels)}, although ${service} responded ok${why}.\nCheck the channel before you run the step again: the message may still appear.`,
  }
}

/** Names that a problem can hold without becoming hard to read. The log lists all files. */
const maxNames = 3

function fileNames({ files }: Message): Text {
  if (files.length === 0) return text`the comment`
  return files.length > maxNames ? text`${files.length} files` : list(files.map(({ file }) => file.path))
}

function channelNames(channels: readonly Channel[]): Text {
  return list(channels.map(({ requested }) => requested))
}
