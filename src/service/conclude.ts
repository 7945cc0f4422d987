/**
 * What became of a message. `npm run docs` writes the rows below into the table of
 * `docs/requests.md`.
 */
import { isObject, type Json, listIn } from '../json.ts'
import { errorProblem, notice, type Problem, warning } from '../problem.ts'
import { list, type Text, text } from '../text/text.ts'
import { type Failure, problemOf, withSize } from './errors/failures.ts'
import {
  idIn,
  isDamaged,
  isUnprocessed,
  type LookupResult,
  lacksScope,
  nothingSeen,
  serviceFile,
  sharesIn,
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

/** What is known of a message after the request that posts it. */
export interface Evidence extends Partial<Pick<ServiceOptions, 'ifNotConfirmed'>> {
  readonly message: Message
  /** The response. */
  readonly sent: CallResult
  /** What lookups of `filesToPoll` showed; absent if there was none. */
  readonly seen?: LookupResult | undefined
  /** The message was completed for the second time. */
  readonly repeated?: boolean
}

/** The evidence, and what follows from it. */
interface Facts extends Evidence {
  readonly shown: Shown
  /** The channels in which the message was seen. */
  readonly posted: readonly Channel[]
  /** The other channels. */
  readonly hidden: readonly Channel[]
  /** `Slack`, or the host of another service. */
  readonly service: Text
  /** The response, if it is a failure. Only rows about failures read it. */
  readonly failure: Failure
}

/** The conditions of the table, by the words that it has for them. */
const conditions = {
  'anything else': () => true,
  'ok, but its list of files lacks some': ({ message, sent }) => omitsFiles(message, sent),
  ok: ({ sent }) => sent.outcome === 'succeeded',
  'refused because of a channel': ({ repeated, sent }) =>
    isRefusal(sent) && sent.advice.about === 'channel' && !repeated,
  'a failure of the second completion': ({ repeated }) => repeated,
  'not sent, or certainly refused': isCertainlyNotPosted,
  refused: ({ sent }) => sent.outcome === 'refused',
  ambiguous: ({ sent }) => sent.outcome === 'ambiguous',
  'no lookup': ({ seen }) => seen === undefined,
  // Lookups that the end of the run cut off are no reason to believe the ok.
  'no lookup, or none with a result': ({ seen }) => !seen?.worked && !seen?.aborted,
  'visible in all other channels': ({ hidden, posted }) => posted.length > 0 && hidden.length === 1,
  'visible in some channels': ({ posted }) => posted.length > 0,
  'absent for 30 s': ({ seen }) => seen?.result === 'absent',
} satisfies Readonly<Record<string, (facts: Facts) => boolean | undefined>>

type Condition = keyof typeof conditions
type Consequence = 'accepted' | 'if-not-confirmed' | 'not-sent' | 'unknown' | 'repeat'
type Row = readonly [
  response: Condition,
  lookups: Condition,
  Consequence,
  problem: (facts: Facts) => Problem | undefined,
]

/**
 * What becomes of the channels in which the message is not visible, and why: the first row whose
 * conditions apply decides.
 */
export const rows: readonly Row[] = [
  ['ok, but its list of files lacks some', 'anything else', 'unknown', notNamedProblem],
  ['ok', 'no lookup, or none with a result', 'accepted', notConfirmedNotice],
  ['ok', 'anything else', 'if-not-confirmed', notVisibleProblem],
  [
    'refused because of a channel',
    'visible in all other channels',
    'not-sent',
    partlyPostedProblem,
  ],
  ['anything else', 'visible in some channels', 'unknown', partlyUnknownProblem],
  ['a failure of the second completion', 'anything else', 'unknown', unknownProblem],
  ['not sent, or certainly refused', 'no lookup', 'not-sent', notSentProblem],
  ['refused', 'absent for 30 s', 'not-sent', notSentProblem],
  ['ambiguous', 'absent for 30 s', 'repeat', unknownProblem],
  ['anything else', 'anything else', 'unknown', unknownProblem],
]

function rowFor(facts: Facts): Row {
  const applies = ([response, lookups]: Row) =>
    conditions[response](facts) && conditions[lookups](facts)
  // The last row applies to everything.
  return rows.find(applies) as Row
}

/** Whether the message is to be completed once more before anything is concluded. */
export function mustRepeat(evidence: Evidence): boolean {
  const [, , consequence] = rowFor(factsOf(evidence))
  return consequence === 'repeat'
}

/** The files of a message that have to be looked up before anything can be concluded. */
export function filesToPoll(evidence: Evidence): readonly ServiceFile[] {
  const { ifNotConfirmed, message, repeated, sent } = evidence
  if (sent.outcome !== 'succeeded') {
    return repeated || !isCertainlyNotPosted(evidence) ? message.files : []
  }
  if (omitsFiles(message, sent)) return message.files
  if (ifNotConfirmed === 'ignore') return []
  // A response that names no files says nothing about them.
  if (!listsFiles(sent)) return message.files
  // After ok, all files of a message appear together: a lookup of the first is enough.
  return sharesOf(message, sent).length < message.channels.length ? message.files.slice(0, 1) : []
}

/** Says what became of a message. */
export function conclude(evidence: Evidence): PostResult {
  const facts = factsOf(evidence)
  const { hidden, ifNotConfirmed = 'error', message, shown } = facts
  if (hidden.length === 0) return postResult(message, 'posted', [], shown)
  const [, , consequence, problemFor] = rowFor(facts)
  const states = {
    'if-not-confirmed': ifNotConfirmed === 'error' ? 'unknown' : 'accepted',
    repeat: 'unknown',
    accepted: 'accepted',
    unknown: 'unknown',
    'not-sent': 'not-sent',
  } as const
  const problem = problemFor(facts)
  return postResult(message, states[consequence], problem ? [problem] : [], shown)
}

function factsOf(evidence: Evidence): Facts {
  const { message, sent } = evidence
  const shown = shownBy(evidence)
  const isShown = ({ id }: Channel) => shown.shares.some(({ channel }) => channel.id === id)
  return {
    ...evidence,
    shown,
    posted: message.channels.filter(isShown),
    hidden: message.channels.filter((channel) => !isShown(channel)),
    service: sent.outcome === 'succeeded' ? sent.call.service : sent.service,
    failure: sent as Failure,
  }
}

/**
 * Whether nothing of the message was posted. A service can refuse a message after it has posted it
 * to the first of several channels.
 */
function isCertainlyNotPosted({ message, sent: { outcome } }: Evidence): boolean {
  return (
    outcome !== 'ambiguous' &&
    outcome !== 'succeeded' &&
    (outcome !== 'refused' || !isForSeveral(message))
  )
}

/** Whether one request was for several channels. Without files, each channel has a request. */
function isForSeveral({ channels, files }: Message): boolean {
  return channels.length > 1 && files.length > 0
}

type Shown = Pick<LookupResult, 'records' | 'shares'>

/** What the response and the lookups show. A message that failed can be visible all the same. */
function shownBy({ message, seen, sent }: Evidence): Shown {
  const { records, shares } = seen ?? nothingSeen
  if (sent.outcome !== 'succeeded') return { records, shares }
  // If the response lacks files, its first file may be there without the others.
  const responded = omitsFiles(message, sent) ? [] : sharesOf(message, sent)
  return { records: [...recordsOf(sent), ...records], shares: [...responded, ...shares] }
}

/** Certainly nothing of the message was posted. */
function notSentProblem({ failure, message }: Facts): Problem {
  const what = text`${withSize(subjectOf(message), bytesOf(message), failure)} could not be posted to ${channelNames(message.channels)}`
  const channels = message.channels.map(({ id }) => id)
  return problemOf(failure, what, { severalChannels: isForSeveral(message), channels })
}

export function bytesOf({ files }: Message): number {
  return files.reduce((sum, { file }) => sum + file.size, 0)
}

/** The message may or may not have been posted. */
function unknownProblem({ failure, message, seen }: Facts): Problem {
  const { channels } = message
  const what = text`${subjectOf(message)} may have been posted to ${channelNames(channels)}`
  const first = checkFirst(channels, seen)
  return problemOf(failure, what, {
    title: unknownWhether,
    first,
    severalChannels: isForSeveral(message),
  })
}

/** @param state of the channels without a share; the others are `posted` */
export function postResult(
  message: Message,
  state: Posting['state'],
  problems: readonly Problem[],
  { records, shares }: Shown = nothingSeen,
): PostResult {
  const { channels, files } = message
  const arrivedEmpty = (file: ServiceFile) => isDamaged(file, recordOf(file, records))
  const postings = channels.map((channel): Posting => {
    const here = shares.filter((share) => share.channel.id === channel.id)
    const ts = here.findLast((share) => share.ts !== undefined)?.ts
    return here.length === 0 ? { channel, state } : { channel, state: 'posted', ts }
  })
  return {
    postings,
    files: files.map((file) => serviceFile(file, recordOf(file, records))),
    problems: [
      ...problems,
      ...files.filter(arrivedEmpty).map(damagedProblem),
      ...threadWarnings(message, shares),
    ],
  }
}

function damagedProblem({ file }: ServiceFile): Problem {
  const explanation = text`${file.path} has ${file.size} bytes, but the service reports 0.\nDelete it in the channel, and run the step again.`
  return errorProblem('A file arrived damaged', explanation)
}

/**
 * People have the files, so the step succeeds, but not where they expect them. One look that shows
 * the message in the thread, or does not say, is enough.
 */
function threadWarnings(message: Message, shares: Shown['shares']): readonly Problem[] {
  const { channels, threadTs } = message
  if (
    threadTs === undefined ||
    shares.length === 0 ||
    shares.some(({ isInPlace }) => isInPlace !== false)
  )
    return []
  const explanation = text`${channelNames(channels)} has ${fileNames(message)}, but the service does not show the message in the thread ${threadTs}.\nIs this the ts of a message in this channel?`
  return [warning('The message is not in the thread', explanation)]
}

/**
 * The channels in which the response shows the message. Only those with a ts count: a response may
 * repeat the channels of the request.
 */
function sharesOf(message: Message, sent: CallResult): Shown['shares'] {
  const [first] = message.files
  if (first === undefined && sent.outcome === 'succeeded') {
    const ts = idIn(sent.json, 'ts')
    return ts === undefined ? [] : message.channels.map((channel) => ({ channel, ts }))
  }
  const record = first && recordOf(first, recordsOf(sent))
  return sharesIn(record, message).filter(({ ts }) => ts !== undefined)
}

/** Whether the response leaves files out, although it lists files. */
function omitsFiles({ files }: Message, sent: CallResult): boolean {
  const records = recordsOf(sent)
  return listsFiles(sent) && files.some((file) => recordOf(file, records) === undefined)
}

function listsFiles(sent: CallResult): boolean {
  return sent.outcome === 'succeeded' && Array.isArray(sent.json['files'])
}

function recordsOf(sent: CallResult): readonly Json[] {
  return sent.outcome === 'succeeded' ? listIn(sent.json, 'files').filter(isObject) : []
}

/** With `files.upload`, a file has no ID before the response, which is about no other file. */
function recordOf({ id }: ServiceFile, records: readonly Json[]): Json | undefined {
  return id === undefined ? records[0] : records.findLast((record) => record['id'] === id)
}

const unknownWhether = 'It is unknown whether the message was posted'

/** What to do after `unknown`. */
function checkFirst(channels: readonly Channel[], seen: LookupResult | undefined): Text {
  const why = seen?.reason && !seen.worked ? text` The step could not see it: ${seen.reason}.` : []
  const scope =
    seen?.reason === lacksScope
      ? text` With the scope \`files:read\`, the step could have checked this itself.`
      : why
  return text`Check ${channelNames(channels)} before you run the step again: if the message is there, the step may post it a second time.${scope}`
}

/** One channel refused the message, and all others have it. */
function partlyPostedProblem({ failure, hidden, posted }: Facts): Problem {
  const [missing, others] = [channelNames(hidden), channelNames(posted)]
  return problemOf(
    failure,
    text`The files are in ${others}, but could not be posted to ${missing}`,
    {
      first: text`Run the step again for ${missing} only: in ${others} it may post the files a second time.`,
    },
  )
}

/** Some channels have the message, and the others may get it. */
function partlyUnknownProblem({ failure, hidden, posted }: Facts): Problem {
  const [missing, others] = [channelNames(hidden), channelNames(posted)]
  return problemOf(failure, text`The files are in ${others}, and may still appear in ${missing}`, {
    title: `${unknownWhether} in every channel`,
    first: text`Check ${missing} before you run the step again, and leave out ${others}: it may post the files there a second time.`,
  })
}

/** The response leaves files out, and the lookups did not show them. */
function notNamedProblem({ hidden, message, seen, service }: Facts): Problem {
  const what = text`${service} responded ok, but its response lists only some of the files, and not all of them were seen in ${channelNames(hidden)}: ${fileNames(message)}.`
  return errorProblem(unknownWhether, text`${what}\n${checkFirst(hidden, seen)}`)
}

/** The message was accepted, and no lookup could show whether it is visible. */
function notConfirmedNotice({ seen, service }: Facts): Problem | undefined {
  if (seen === undefined) return undefined
  const accepted = text`${service} accepted the files`
  const { reason = text`` } = seen
  return notice(
    'Could not verify that the files are visible',
    reason === lacksScope
      ? text`${accepted}. With the scope \`files:read\` the step checks that they are visible, and sets \`ts\` and \`permalink\`: add it to the app, reinstall the app, and use the new token. Or set \`if-not-confirmed: ignore\` to hide this notice.`
      : text`${accepted}, but did not say whether they are visible (${reason}). There is no \`ts\` and no \`permalink\`.`,
  )
}

/** The message was accepted, and the lookups did not show it. */
function notVisibleProblem(facts: Facts): Problem {
  const { hidden, ifNotConfirmed = 'error', message, posted, seen = nothingSeen, service } = facts
  const files = list(
    message.files.map(({ file }) => file.path),
    { max: maxNames },
  )
  const where = channelNames(hidden)
  const what = seen.aborted
    ? text`${service} responded ok, but the run ended before the step could see the message with ${files} in ${where}`
    : text`Within ${Math.round(seen.milliseconds / 1_000)} s, no message with ${files} was seen in ${where}, although ${service} responded ok`
  const isProcessed = !seen.records.some(isUnprocessed)
  const processing = isProcessed ? text`` : text` (${service} has not processed the file yet)`
  const why = seen.reason ? text` (the last lookup: ${seen.reason})` : processing
  const others = posted.length === 0 ? [] : text` Leave out ${channelNames(posted)}, where it is.`
  const canWarn = ifNotConfirmed === 'error' && !seen.aborted
  const hint = canWarn ? text` \`if-not-confirmed: warn\` makes this a warning.` : []
  return {
    level: ifNotConfirmed === 'error' ? 'error' : 'warning',
    title: text`${service} accepted the files, but the message was not seen`,
    text: text`${what}${why}.\nCheck ${where} before you run the step again: the message may still appear.${others}${hint}`,
  }
}

/** Names that a problem can hold without becoming hard to read. The log lists all files. */
const maxNames = 3

/** The message at the beginning of a sentence. */
function subjectOf(message: Message): Text {
  return message.files.length === 0 ? text`The comment` : fileNames(message)
}

function fileNames({ files }: Message): Text {
  if (files.length === 0) return text`the comment`
  return files.length > maxNames
    ? text`${files.length} files`
    : list(files.map(({ file }) => file.path))
}

function channelNames(channels: readonly Channel[]): Text {
  return list(channels.map(({ requested }) => requested))
}
