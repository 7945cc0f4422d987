import { isObject } from '../json.ts'
import type { Problem } from '../problem.ts'
import { code, list, type Text, text, words } from '../text/text.ts'
import { type Failure, problemOf } from './failures.ts'
import type { FileLookup } from './file-lookup.ts'
import { type Share, sharesIn, uploadedFile, visibleIn } from './file-record.ts'
import type { CallResult } from './responses.ts'
import type { Channel, Message, Posting, PostResult } from './service.ts'

/** The service responded that it posted the message. `shares`: where it is visible already. */
export function accepted({ channels }: Message, files: PostResult['files'], shares: readonly Share[]): PostResult {
  return { postings: postingsOf(channels, shares, 'accepted'), files, problems: [] }
}

/** A completion succeeded. Its response describes the files, and seldom where they are visible. */
export function completed(message: Message, { json }: CallResult & { readonly outcome: 'succeeded' }): PostResult {
  const records = Array.isArray(json['files']) ? json['files'].filter(isObject) : []
  const recordOf = (id: string | undefined) => records.find((record) => record['id'] === id)
  const files = message.files.map((file) => uploadedFile(file, recordOf(file.id)))
  return accepted(message, files, sharesIn(recordOf(message.files[0]?.id), message.channels))
}

/** Certainly nothing of the message was posted. */
export function notSent(message: Message, failure: Failure): PostResult {
  const what = text`${filesOf(message)} could not be posted to ${namesOf(message.channels)}`
  const problem = problemOf(failure, what, { severalChannels: message.channels.length > 1 })
  return {
    postings: postingsOf(message.channels, [], 'not-sent'),
    files: message.files,
    problems: [problem],
  }
}

const unknownWhether = 'It is unknown whether the message was posted'

/** The message may or may not have been posted. */
export function unknown(message: Message, failure: Failure, lookup?: FileLookup): PostResult {
  const { channels, files } = message
  const names = namesOf(channels)
  const scope =
    lookup?.kind === 'not possible' && lookup.lacksScope
      ? text` With the scope ${code('files:read')}, the step could have checked this itself.`
      : text``
  const one = files.length === 1
  const what = text`It is unknown whether ${filesOf(message)} ${words(one ? 'was' : 'were')} posted to ${names}`
  const ifThere = words(
    one ? 'if the file is there, the step may post it' : 'if the files are there, the step may post them',
  )
  const problem = problemOf(failure, what, {
    title: unknownWhether,
    first: text`Check ${names} before you run the step again: ${ifThere} a second time.${scope}`,
    severalChannels: channels.length > 1,
  })
  return { postings: postingsOf(channels, [], 'unknown'), files, problems: [problem] }
}

/** The message was accepted, and a lookup could not show whether it is visible. */
export function notConfirmed(service: Text, lookup: FileLookup & { readonly reason: Text }): Problem {
  const lacksScope = lookup.kind === 'not possible' && lookup.lacksScope
  return {
    level: 'notice',
    title: 'Could not verify that the files are visible',
    text: lacksScope
      ? text`${service} accepted the files. With the scope ${code('files:read')} the step checks that they are visible, and sets ${code('ts')} and ${code('permalink')}: add it to the app, reinstall the app, and use the new token. Or set ${code('if-not-confirmed: ignore')} to hide this notice.`
      : text`${service} accepted the files, but did not say whether they are visible (${lookup.reason}). There is no ${code('ts')} and no ${code('permalink')}.`,
  }
}

/**
 * What a lookup shows about a message whose request did not say: it is visible in all its channels, or in some. Returns
 * `undefined` if it is visible nowhere.
 *
 * @param stateOfOthers what is known of this number of channels in which it is not visible
 */
export function resultOfLookup(
  lookup: FileLookup | undefined,
  message: Message,
  failure: Failure,
  stateOfOthers: (count: number) => 'not-sent' | 'unknown',
): PostResult | undefined {
  const { channels } = message
  const shares = lookup?.kind === 'found' ? visibleIn(lookup.record, channels) : []
  if (lookup?.kind !== 'found' || shares.length === 0) return undefined
  const { record } = lookup
  const files = message.files.map((file) => uploadedFile(file, record['id'] === file.id ? record : undefined))
  const others = channels.filter(({ id }) => !shares.some(({ channel }) => channel.id === id))
  if (others.length === 0) return accepted(message, files, shares)
  const state = stateOfOthers(others.length)
  const posted = namesOf(shares.map(({ channel }) => channel))
  const missing = namesOf(others)
  const problem =
    state === 'not-sent'
      ? problemOf(failure, text`The files are in ${posted}, but could not be posted to ${missing}`, {
          first: text`Run the step again for ${missing} only: in ${posted} it may post the files a second time.`,
        })
      : problemOf(failure, text`The files are in ${posted}, but it is unknown whether they will be in ${missing}`, {
          title: `${unknownWhether} in every channel`,
          first: text`Check ${missing} before you run the step again, and leave out ${posted}: it may post the files there a second time.`,
        })
  return { postings: postingsOf(channels, shares, state), files, problems: [problem] }
}

/** A channel with a share is `posted`; the others have the state. */
export function postingsOf(
  channels: readonly Channel[],
  shares: readonly Share[],
  state: Posting['state'],
): readonly Posting[] {
  return channels.map((channel): Posting => {
    const share = shares.find((one) => one.channel.id === channel.id)
    if (share === undefined) return { channel, state }
    return { channel, state: 'posted', ...(share.ts === undefined ? {} : { ts: share.ts }) }
  })
}

/** Names that a problem can hold without becoming hard to read. The log lists all files. */
const maxNames = 3

function filesOf({ files }: Message): Text {
  return files.length > maxNames ? text`${files.length} files` : list(files.map(({ file }) => file.path))
}

export function namesOf(channels: readonly Channel[]): Text {
  return list(channels.map(({ requested }) => requested))
}
