import { type Problem, warning } from '../../problem.ts'
import type { DeliveredMessage, EarlierUploads } from '../../service/service.ts'
import { code, list, type Text, text } from '../../text/text.ts'

const maxNames = 10

/**
 * A warning about every file that may now be in a channel twice, because no earlier upload was seen there.
 *
 * @param posted what became of the messages of this attempt
 */
export function duplicateWarnings(
  { incomplete }: Pick<EarlierUploads, 'incomplete'>,
  posted: readonly DeliveredMessage[],
): readonly Problem[] {
  const where = posted.flatMap(({ files, postings }) => {
    const paths = files.map(({ file }) => file.path)
    const channels = postings.flatMap(({ channel, state }) => (state === 'not-sent' ? [] : channel.requested))
    return channels.length === 0 ? [] : [text`${list(paths, { max: maxNames })} in ${list(channels)}`]
  })
  const both = list(where, { separator: '; ' })
  if (incomplete) {
    const title = 'What an earlier attempt posted could not be looked up completely'
    const result =
      where.length === 0
        ? text`It may have posted more than was found. Check`
        : text`Posted, because it could not be looked up: ${both}. If an earlier attempt posted it, it is there twice: check`
    return [warning(title, text`${incomplete}.\n${result} the channels.`, 'rerun')]
  }
  if (where.length === 0) return []
  const causes = text`That is right if no earlier attempt posted there. If one did, the content or the ${code('rerun-key')} has changed: reports that contain times differ in each attempt, so make them in another job, and pass them on as an artifact; a key with ${code('github.run_attempt')} differs too. Or the list of the service is late: check the channels, because what was posted shortly before this attempt may be there twice.`
  const what = text`No upload of an earlier attempt was found, so this attempt posted: ${both}.`
  return [warning('Posted, because no earlier upload was found', text`${what}\n${causes}`, 'rerun')]
}

/** A warning of the first attempt, while it can still be fixed. */
export function noLookupWarnings(why: Text | undefined): readonly Problem[] {
  if (why === undefined) return []
  const effect = text`${code('on-rerun: missing')} has no effect: ${why}.`
  return [warning('A re-run will post everything again', effect, 'rerun')]
}
