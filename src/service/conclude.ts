/** The table of `docs/requests.md`, as code. */
import type { Json } from '../json.ts'
import { errorProblem, notice, type Problem, warning } from '../problem.ts'
import { list, type Text, text } from '../text/text.ts'
import { type Failure, problemOf, withSize } from './errors/failures.ts'
import {
  isDamaged,
  isUnprocessed,
  type LookupResult,
  nothingSeen,
  omitsFiles,
  recordOf,
  recordsIn,
  serviceFile,
  sightingsInResponse,
} from './record.ts'
import { type CallResult, isRefusal } from './responses.ts'
import type {
  Channel,
  Message,
  Posting,
  PostResult,
  ServiceFile,
  ServiceOptions,
} from './service.ts'

export interface SentMessage extends Partial<Pick<ServiceOptions, 'ifNotConfirmed'>> {
  readonly message: Message
  /** The result of its request. */
  readonly sent: CallResult
  /** Absent if nothing was looked up. */
  readonly lookup?: LookupResult | undefined
  /** The second completion. */
  readonly repeated?: boolean
}

interface ObservedMessage extends SentMessage, Pick<LookupResult, 'records' | 'sightings'> {
  readonly notSeenIn: readonly Channel[]
  /** Names of `notSeenIn`. */
  readonly missing: Text
  /** Names of the channels in which it was seen. */
  readonly others: Text
}

/** Decides what became of a message. */
export function conclude(sentMessage: SentMessage): PostResult {
  const { sent } = sentMessage
  const observed = observe(sentMessage)
  if (observed.notSeenIn.length === 0) return resultOf(observed, 'posted')
  return sent.outcome === 'succeeded' ? afterOk(observed, sent.json) : afterFailure(observed, sent)
}

/** A message that failed can be visible all the same. */
function observe(sentMessage: SentMessage): ObservedMessage {
  const { lookup = nothingSeen, message, sent } = sentMessage
  const json = sent.outcome === 'succeeded' ? sent.json : {}
  // The first file may be there without the others.
  const responded = omitsFiles(message, json) ? [] : sightingsInResponse(message, json)
  const sightings = [...responded, ...lookup.sightings]
  const isSeen = ({ id }: Channel) => sightings.some(({ channel }) => channel.id === id)
  const notSeenIn = message.channels.filter((channel) => !isSeen(channel))
  return {
    ...sentMessage,
    records: [...recordsIn(json), ...lookup.records],
    sightings,
    notSeenIn,
    missing: channelNames(notSeenIn),
    others: channelNames(message.channels.filter(isSeen)),
  }
}

function afterOk(observed: ObservedMessage, response: Json): PostResult {
  const { ifNotConfirmed = 'error', lookup, message, sent } = observed
  if (omitsFiles(message, response)) return resultOf(observed, 'unknown', notNamedProblem(observed))
  // If the run ended during the lookups, ok alone is not enough.
  if (!(lookup?.isConclusive || lookup?.aborted))
    return resultOf(observed, 'accepted', lookup && notConfirmedNotice(lookup, sent.service))
  const state = ifNotConfirmed === 'error' ? 'unknown' : 'accepted'
  return resultOf(observed, state, notVisibleProblem(observed, lookup))
}

function afterFailure(observed: ObservedMessage, failure: Failure): PostResult {
  const { lookup, message, missing, others, repeated } = observed
  if (others.length > 0) return afterPartialFailure(observed, failure)
  const severalChannels = isForSeveral(message)
  const isNowhere = failure.outcome === 'refused' && lookup?.isAbsent
  // The first completion may still be carried out.
  if (!repeated && (isNowhere || isCertainlyNotPosted(message, failure))) {
    const what = text`${withSize(subjectOf(message), bytesOf(message), failure)} could not be posted to ${missing}`
    const channels = message.channels.map(({ id }) => id)
    return resultOf(observed, 'not-sent', problemOf(failure, what, { severalChannels, channels }))
  }
  const what = text`${subjectOf(message)} may have been posted to ${missing}`
  const context = { title: unknownWhether, first: checkFirst(observed), severalChannels }
  return resultOf(observed, 'unknown', problemOf(failure, what, context))
}

/** It was seen in another channel. */
function afterPartialFailure(observed: ObservedMessage, failure: Failure): PostResult {
  const { missing, notSeenIn, others, repeated } = observed
  // The missing channel is the one that refused.
  const isRefusedByOne =
    isRefusal(failure) && failure.advice.about === 'channel' && notSeenIn.length === 1
  if (isRefusedByOne && !repeated) {
    const what = text`The files are in ${others}, but could not be posted to ${missing}`
    const first = text`Run the step again for ${missing} only: in ${others} it may post the files a second time.`
    return resultOf(observed, 'not-sent', problemOf(failure, what, { first }))
  }
  const what = text`The files are in ${others}, and may still appear in ${missing}`
  const title = 'It is unknown which channels have the message'
  const first = text`Check ${missing} before you run the step again, and leave out ${others}: it may post the files there a second time.`
  return resultOf(observed, 'unknown', problemOf(failure, what, { title, first }))
}

/** Of several channels, a service can refuse one after it has posted to the first. */
export function isCertainlyNotPosted(message: Message, { outcome }: Failure): boolean {
  return outcome !== 'ambiguous' && (outcome !== 'refused' || !isForSeveral(message))
}

/** Without files, each channel has its own request. */
function isForSeveral({ channels, files }: Message): boolean {
  return channels.length > 1 && files.length > 0
}

/** @param state where it was not seen; the other channels are `posted` */
function resultOf(
  observed: ObservedMessage,
  state: Posting['state'],
  problem?: Problem,
): PostResult {
  const { message, records, sent, sightings } = observed
  const { channels, files } = message
  const arrivedEmpty = (file: ServiceFile) => isDamaged(file, recordOf(file, records))
  const postings = channels.map((channel): Posting => {
    const inChannel = sightings.filter((sighting) => sighting.channel.id === channel.id)
    const ts = inChannel.findLast(({ ts }) => ts !== undefined)?.ts
    return inChannel.length === 0 ? { channel, state } : { channel, state: 'posted', ts }
  })
  return {
    postings,
    files: files.map((file) => serviceFile(file, recordOf(file, records), sent.origin)),
    problems: [
      ...(problem ? [problem] : []),
      ...files.filter(arrivedEmpty).map(damagedProblem),
      ...threadWarnings(observed),
    ],
  }
}

function damagedProblem({ file }: ServiceFile): Problem {
  const explanation = text`${file.path} has ${file.size} bytes, but the service reports 0.\nDelete it in the channel, and send this file again.`
  return errorProblem('A file arrived damaged', explanation)
}

/** No error, because people have the files. None if a sighting is, or may be, in the thread. */
function threadWarnings({ message, sightings }: ObservedMessage): readonly Problem[] {
  const { channels, threadTs } = message
  if (
    threadTs === undefined ||
    sightings.length === 0 ||
    sightings.some(({ isInPlace }) => isInPlace !== false)
  )
    return []
  const explanation = text`${channelNames(channels)} has ${fileNames(message)}, but the service does not show the message in the thread ${threadTs}.\nIs this the ts of a message in this channel?`
  return [warning('The message is not in the thread', explanation)]
}

export function bytesOf({ files }: Message): number {
  return files.reduce((sum, { file }) => sum + file.size, 0)
}

const unknownWhether = 'It is unknown whether the message was posted'

function checkFirst({ lookup, missing }: ObservedMessage): Text {
  const why =
    lookup?.reason && !lookup.isConclusive
      ? text` The step could not see it: ${lookup.reason}.`
      : []
  const scope = text` With the scope \`files:read\`, the step could have checked this itself.`
  return text`Check ${missing} before you run the step again: if the message is there, the step may post it a second time.${lookup?.lacksScope ? scope : why}`
}

/** The response omits files, and no lookup showed them. */
function notNamedProblem(observed: ObservedMessage): Problem {
  const { message, missing, sent } = observed
  const what = text`${sent.service} responded ok, but its response lists only some of the files, and not all of them were seen in ${missing}: ${fileNames(message)}.`
  const explanation = text`${what}\n${checkFirst(observed)}${leaveOut(observed)}`
  return errorProblem(unknownWhether, explanation, 'unknown')
}

function leaveOut({ others }: ObservedMessage): Text {
  return others.length === 0 ? [] : text` Leave out ${others}, where it is.`
}

/** Accepted, but no lookup could tell. */
function notConfirmedNotice({ lacksScope, reason = text`` }: LookupResult, service: Text): Problem {
  const accepted = text`${service} accepted the files`
  return notice(
    'Could not verify that the files are visible',
    lacksScope
      ? text`${accepted}. With the scope \`files:read\` the step checks that they are visible, and sets \`ts\` and \`permalink\`: add it to the app, reinstall the app, and use the new token. Or set \`if-not-confirmed: ignore\` to hide this notice.`
      : text`${accepted}, but did not say whether they are visible (${reason}). There is no \`ts\` and no \`permalink\`.`,
    lacksScope ? 'scopes' : undefined,
  )
}

function notVisibleProblem(observed: ObservedMessage, lookup: LookupResult): Problem {
  const { ifNotConfirmed = 'error', message, missing } = observed
  const { service } = observed.sent
  const files = fileNames(message)
  const what = lookup.aborted
    ? text`${service} responded ok, but the run ended before the step could see the message with ${files} in ${missing}`
    : text`Within ${Math.round(lookup.milliseconds / 1_000)} s, no message with ${files} was seen in ${missing}, although ${service} responded ok`
  const processing = lookup.records.some(isUnprocessed)
    ? text` (${service} has not processed the file yet)`
    : []
  const why = lookup.reason ? text` (the last lookup: ${lookup.reason})` : processing
  const canWarn = ifNotConfirmed === 'error' && !lookup.aborted
  const hint = canWarn ? text` \`if-not-confirmed: warn\` makes this a warning.` : []
  return {
    level: ifNotConfirmed === 'error' ? 'error' : 'warning',
    title: 'Accepted, but the message was not seen',
    text: text`${what}${why}.\nCheck ${missing} before you run the step again: the message may still appear.${leaveOut(observed)}${hint}`,
  }
}

/** Without names, two messages would have the same problem. */
const maxNames = 3

function subjectOf(message: Message): Text {
  return message.files.length === 0 ? text`The comment` : fileNames(message)
}

function fileNames({ files }: Message): Text {
  return list(
    files.map(({ file }) => file.path),
    { max: maxNames },
  )
}

function channelNames(channels: readonly Channel[]): Text {
  return list(channels.map(({ requested }) => requested))
}
