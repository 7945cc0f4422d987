import type { FoundFile } from '../../files/files.ts'
import type { Channel, DeliveredMessage } from '../../service/service.ts'

/** Files that this attempt has to post to the same channels. */
export interface RemainingFiles {
  readonly files: readonly FoundFile[]
  readonly channels: readonly Channel[]
}

/** What this attempt has to post: the files, grouped by the channels in which it was not seen. */
export function remainingFiles(
  files: readonly FoundFile[],
  channels: readonly Channel[],
  earlier: readonly DeliveredMessage[],
): readonly RemainingFiles[] {
  const seen = new Set(
    earlier.flatMap(({ files: seenFiles, postings }) =>
      postings.flatMap(({ channel }) => seenFiles.map(({ file }) => `${channel.id} ${file.path}`)),
    ),
  )
  const notSeenIn = ({ path }: FoundFile) => channels.filter(({ id }) => !seen.has(`${id} ${path}`))
  const groups = Map.groupBy(files, (file) => JSON.stringify(notSeenIn(file)))
  return [...groups.values()]
    .map((group) => ({ files: group, channels: group[0] ? notSeenIn(group[0]) : [] }))
    .filter((group) => group.channels.length > 0)
}
