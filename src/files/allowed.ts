// Decides what may be sent: first by its path, then by the open file.
import { closeSync, fstatSync } from 'node:fs'
import path from 'node:path'
import { text, words } from '../text/text.ts'
import { readEnds } from './content.ts'
import { reasonByForm, reasonByName } from './credentials.ts'
import { classifyReadError, errorCode, isWithin, notAFile, openFile, type Target } from './disk.ts'
import type { FoundFile, NotSent, SkippedFile } from './files.ts'
import type { SearchContext } from './search-context.ts'

export interface Match {
  /** Absolute, as the pattern reached it. */
  readonly path: string
  /** Absolute, links resolved. */
  readonly real: string
}

export type UnnamedFile = Omit<FoundFile, 'name'>

export interface WalkContext extends SearchContext {
  /** Absolute, where the walk begins; and the same, links resolved. */
  readonly root: string
  readonly realRoot: string
  /** No symlink may point outside this real folder, usually the workspace. */
  readonly boundary: string
}

interface Candidate extends Match {
  readonly target: Target
  /** Its path in its real folder. `real` differs from it only for a symlink. */
  readonly ownPath: string
  /** A wildcard had to match a leading dot. */
  readonly isHidden: boolean
}

export function reasonForPath(context: WalkContext, candidate: Candidate): NotSent | undefined {
  const { boundary, display, exclusions, nameOf, options } = context
  const { isHidden, ownPath, path: at, real, target } = candidate
  const isFolder = target.kind === 'folder'
  const paths = [...new Set([at, real, ownPath])]
  const excludedBy = exclusions
    .filter(({ excludes }) => paths.some((one) => excludes(one, isFolder)))
    .map(({ line }) => line.text)
  const [first] = excludedBy
  if (first !== undefined)
    return { reason: 'excluded', excludedBy, why: text`is excluded by ${first}` }
  if (!isWithin(real, boundary)) {
    return {
      reason: 'link-outside',
      why: text`is outside ${nameOf(boundary)}: a symlink leads there`,
    }
  }
  if (isFolder && isHidden) return { reason: 'hidden', why: text`is a hidden folder` }
  const shown = [...new Set([at, real])].map(
    (absolute) => display(absolute) + (isFolder ? '/' : ''),
  )
  const byName = shown.map(reasonByName).find(Boolean)
  if (byName) return credentialReason(byName)
  if (isHidden) return { reason: 'hidden', why: text`is a hidden file` }
  const holdsToken = !isFolder && options.removeToken(at) !== at
  if (holdsToken) return { reason: 'token-in-name', why: text`has the token in its name` }
  return target.kind === 'unusable' ? target.notSent : reasonForLink(context, candidate)
}

/**
 * `a/up -> ..` is not followed, nor is `latest -> .runs/7`, unless hidden files are included or the
 * walk began in `.runs`.
 */
function reasonForLink(
  context: WalkContext,
  { ownPath, path: at, real }: Candidate,
): NotSent | undefined {
  const { display, options, realRoot, root } = context
  if (ownPath === real || at === root) return undefined
  if (isWithin(ownPath, real))
    return { reason: 'link-upward', why: text`is a symlink to a folder that contains it` }
  const names = path.relative(realRoot, real).split(path.sep)
  const isHidden = names.some((name) => name.startsWith('.') && name !== '..')
  if (!isHidden || options.includeHiddenFiles) return undefined
  return { reason: 'link-hidden', why: text`is a symlink to ${display(real)}, which is hidden` }
}

/** See docs/spec.md of git-lfs. A pointer has less than 1,024 bytes. */
const pointer = /^version https:\/\/git-lfs\.github\.com\/spec\/v1(?=\s).*\noid sha256:/s

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
      if (!stats.isFile()) return skip(notAFile)
      const { fingerprint, start } = await readEnds(descriptor, size)
      if (start.byteLength > size)
        return skip({ ...notAFile, why: text`has no length, as in \`/proc\`: copy it first` })
      // Slack's getUploadURLExternal responds missing_argument to a length of 0.
      if (size === 0 && context.options.skipEmptyFiles)
        return skip({ reason: 'empty', why: text`is empty` })
      if (size < 1024 && pointer.test(start.toString('latin1')))
        return skip({ reason: 'pointer', why: text`is a pointer of Git LFS, not the file itself` })
      const byForm = reasonByForm(start, size > start.byteLength)
      if (byForm) return skip(credentialReason(byForm))
      return { real, path: shown, size, fingerprint, modifiedMilliseconds: mtimeMs }
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (typeof errorCode(error) !== 'string') throw error
    return { path: shown, ...classifyReadError(error, shown) }
  }
}

function credentialReason(why: string): NotSent {
  return { reason: 'credentials', why: words(why) }
}
