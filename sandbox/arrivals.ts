/** Whether the files that a run reports arrived in every channel, once and with the bytes that they have on disk. */
import type { Message } from './workspace.ts'

export interface SentFile {
  /** As the service received it. */
  readonly name: string
  /** Of the bytes on disk. */
  readonly sha256: string
}

export interface Difference {
  readonly channel: string
  readonly problem: string
}

/** What is wrong with a file in each channel; nothing if it arrived. `files`: all files of the run. */
export function findDifferences(
  file: SentFile,
  files: readonly SentFile[],
  channels: readonly string[],
  messages: readonly Message[],
): readonly Difference[] {
  const isSame = ({ name, sha256 }: SentFile) => name === file.name && sha256 === file.sha256
  const expected = files.filter(isSame).length
  return channels.flatMap((channel) => {
    const arrived = messages.filter((message) => message.channel === channel).flatMap((message) => message.files)
    const times = arrived.filter(isSame).length
    if (times === expected) return []
    if (times > 0) return [{ channel, problem: `${times} instead of ${expected}` }]
    return [{ channel, problem: arrived.some(({ name }) => name === file.name) ? 'other bytes' : 'missing' }]
  })
}
