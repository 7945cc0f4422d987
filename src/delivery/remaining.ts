import type { FoundFile } from '../files/files.ts'
import type { Problem } from '../problem.ts'
import type { Channel, EarlierUpload, EarlierUploads, PostResult } from '../service/service.ts'
import { code, list, type Text, text } from '../text/text.ts'

/** Files that this attempt has to post to the same channels. */
export interface RemainingFiles {
  readonly files: readonly FoundFile[]
  readonly channels: readonly Channel[]
}

/** What this attempt has to post: the files, grouped by the channels in which no earlier upload was seen. */
export function remainingFiles(
  files: readonly FoundFile[],
  channels: readonly Channel[],
  uploads: readonly EarlierUpload[],
): readonly RemainingFiles[] {
  if (uploads.length === 0) return [{ files, channels }]
  const seen = new Set(
    uploads.flatMap(({ file, postings }) => postings.map(({ channel }) => `${channel.id} ${file.file.path}`)),
  )
  const notSeenIn = ({ path }: FoundFile) => channels.filter(({ id }) => !seen.has(`${id} ${path}`))
  const groups = Map.groupBy(files, (file) => JSON.stringify(notSeenIn(file)))
  return [...groups.values()]
    .map((group) => ({ files: group, channels: group[0] ? notSeenIn(group[0]) : [] }))
    .filter((group) => group.channels.length > 0)
}

/** The earlier uploads, put together as the messages that they were seen in. */
export function messagesOf(uploads: readonly EarlierUpload[]): readonly Pick<PostResult, 'files' | 'postings'>[] {
  const messages = Map.groupBy(uploads, ({ postings }) =>
    JSON.stringify(postings.map(({ channel, ts }) => [channel.id, ts])),
  )
  return [...messages.values()].map((those) => ({
    files: those.map(({ file }) => file),
    postings: those[0]?.postings ?? [],
  }))
}

const maxNames = 10

/**
 * A warning about every file that may now be in a channel twice, because no earlier upload was seen there.
 *
 * @param posted what this attempt posted, or may have posted
 */
export function warnOfDuplicates(
  { incomplete }: Pick<EarlierUploads, 'incomplete'>,
  posted: readonly RemainingFiles[],
): readonly Problem[] {
  const where = posted.map(({ channels, files }) => {
    const paths = files.map(({ path }) => path)
    return text`${list(paths, { max: maxNames })} in ${list(channels.map(({ requested }) => requested))}`
  })
  const both = list(where, { separator: '; ' })
  if (incomplete) {
    const result =
      posted.length === 0
        ? text`It may have posted more than was found.`
        : text`Posted without having been found: ${both}.`
    const title = 'What an earlier attempt posted could not be looked up completely'
    const advice = text`If an earlier attempt had posted it, it is there twice: check the channels.`
    return [warning(title, text`${incomplete}.\n${result} ${advice}`)]
  }
  if (posted.length === 0) return []
  const causes = text`Either its content has changed: reports that contain times differ in each attempt, so make them in another job, and pass them on as an artifact. Or the list of the service is late: if an earlier attempt ended shortly before, check the channels, because what it had posted at its end may be there twice.`
  const what = text`No upload of an earlier attempt was found, so this attempt posted: ${both}.`
  return [warning('Posted what was not found in the channels', text`${what}\n${causes}`)]
}

/** A warning of the first attempt, while it can still be fixed. */
export function warnOfNoLookup(why: Text | undefined): readonly Problem[] {
  if (why === undefined) return []
  return [warning('A re-run will post everything again', text`${code('on-rerun: missing')} has no effect: ${why}.`)]
}

function warning(title: string, explanation: Text): Problem {
  return { level: 'warning', title, page: 'rerun', text: explanation }
}
