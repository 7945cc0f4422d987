// The one door: may this be sent? It is asked once for a path that a pattern leads to, and once for the open file.
import { closeSync, fstatSync } from 'node:fs'
import { text, words } from '../text/text.ts'
import { readEnds } from './content.ts'
import { reasonByForm, reasonByName } from './credentials.ts'
import { errorCode, isWithin, openFile, reasonNotAFile, reasonNotFound } from './disk.ts'
import type { FoundFile, NotSent, SkippedFile } from './files.ts'
import type { Exclusion } from './matcher.ts'
import type { SearchContext } from './search-context.ts'

/** Something that matches. */
export interface Match {
  /** Absolute, as it was reached: what people recognize. */
  readonly path: string
  /** Absolute, links resolved. */
  readonly real: string
}

export type UnnamedFile = Omit<FoundFile, 'name'>

interface Candidate extends Match {
  readonly isFolder: boolean
  /** Only wildcards that matched a leading dot would lead there. */
  readonly isHidden: boolean
  readonly exclusion: Exclusion
  /** The real path of the folder that links must not leave. */
  readonly boundary: string
}

/** Why something must not be sent, by its path. */
export function reasonForPath(context: SearchContext, candidate: Candidate): NotSent | undefined {
  const { display, nameOf, removeToken } = context
  const { boundary, exclusion, isFolder, isHidden, path: at, real } = candidate
  if (exclusion.notSent) return exclusion.notSent
  if (!isWithin(real, boundary)) {
    return { reason: 'link-outside', why: text`is a link that leads out of ${nameOf(boundary)}` }
  }
  if (isFolder && isHidden) return { reason: 'hidden', why: text`is a hidden folder` }
  const shown = [...new Set([at, real])].map((absolute) => display(absolute) + (isFolder ? '/' : ''))
  const byName = shown.map(reasonByName).find(Boolean)
  if (byName) return credential(byName)
  if (isHidden) return { reason: 'hidden', why: text`is a hidden file` }
  if (isFolder) return undefined
  return removeToken(at) === at ? undefined : { reason: 'token-in-name', why: text`has the token in its name` }
}

/**
 * Opens a file, looks whether it may be sent, and closes it.
 *
 * @throws ProblemError for a fault of the machine, and what the checkpoint throws
 */
export async function inspectFile(
  context: SearchContext,
  { path: at, real }: Match,
): Promise<UnnamedFile | SkippedFile> {
  const shown = context.display(at)
  await context.checkpoint()
  try {
    const descriptor = await openFile(real)
    try {
      const stats = fstatSync(descriptor)
      const { mtimeMs, size } = stats
      const skip = (notSent: NotSent): SkippedFile => ({ path: shown, ...notSent })
      if (!stats.isFile()) return skip(reasonNotAFile(stats))
      // Slack's getUploadURLExternal responds missing_argument to a length of 0.
      if (size === 0 && context.options.method === 'external') return skip({ reason: 'empty', why: text`is empty` })
      const { fingerprint, start } = await readEnds(descriptor, size)
      const byForm = reasonByForm(start)
      if (byForm) return skip(credential(byForm))
      return { real, path: shown, size, fingerprint, modifiedMilliseconds: mtimeMs }
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (typeof errorCode(error) !== 'string') throw error
    return { path: shown, ...reasonNotFound(error, shown) }
  }
}

function credential(why: string): NotSent {
  return { reason: 'credentials', why: words(why) }
}
