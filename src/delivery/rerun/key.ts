import { createHash } from 'node:crypto'
import pMap from 'p-map'
import type { RunContext } from '../../context.ts'
import { type FileContent, readWhole } from '../../files/content.ts'
import type { FoundFile } from '../../files/files.ts'

/** One use of the step: the same in every attempt of a run, and in no other run. `temp` differs from runner to runner. */
export interface StepUse extends Pick<RunContext, 'action' | 'job' | 'repository' | 'runId' | 'temp'> {
  /** The leg of the matrix, or what else tells uses of the step apart. */
  readonly leg: string
}

/** More would not be faster: the digest is computed in the main thread, while the next file is read. */
const filesAtOnce = 4

/**
 * The files with their keys. The comment is not part of a key, because it may name the attempt.
 *
 * @throws ProblemError if a file changes, cannot be read or contains the token; the signal's reason when it aborts
 */
export function withKeys(
  files: readonly FoundFile[],
  use: StepUse,
  content: FileContent,
  signal: AbortSignal,
): Promise<readonly FoundFile[]> {
  const withKey = async (file: FoundFile): Promise<FoundFile> => {
    const hash = createHash('sha256')
    await readWhole(content, file, signal, (chunk) => hash.update(chunk))
    return { ...file, key: rerunKeyOf(file.path, use, hash.digest('hex')) }
  }
  return pMap(files, withKey, { concurrency: filesAtOnce })
}

/** JSON keeps the values apart, whatever they contain. */
function rerunKeyOf(path: string, use: StepUse, digest: string): string {
  const { action, job, leg, repository, runId, temp } = use
  const folder = temp?.replaceAll('\\', '/').replace(/\/?$/, '/')
  const place = folder !== undefined && path.startsWith(folder) ? ['temp', path.slice(folder.length)] : path
  const identity = JSON.stringify([repository, runId, job, action, leg, place, digest])
  return createHash('sha256').update(identity).digest('hex').slice(0, 10)
}
