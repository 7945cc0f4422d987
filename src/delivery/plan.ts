import { createHash } from 'node:crypto'
import pMap from 'p-map'
import { type CommentOptions, commentPlaceholders, renderComment, renderContinuation } from '../comment/comment.ts'
import { placeholderProblems } from '../comment/placeholders.ts'
import { linkToPost, sourceOf, subjectOf } from '../comment/source.ts'
import type { RunContext } from '../context.ts'
import type { Deadline } from '../deadline.ts'
import { type FileContent, readWhole } from '../files/content.ts'
import type { FoundFile } from '../files/files.ts'
import { titlePlaceholders, withTitles } from '../files/names.ts'
import type { Inputs } from '../inputs/inputs.ts'
import type { Problem } from '../problem.ts'
import { tokenRemover } from '../text/token.ts'
import type { Plan } from './deliver.ts'

/**
 * What is to be delivered, and warnings about the comment and the titles.
 *
 * @throws ProblemError if the service would refuse the comment, or if a file cannot be read for its key: nothing was sent yet
 */
export async function planDelivery(
  files: readonly FoundFile[],
  inputs: Inputs,
  context: RunContext,
  { content, deadline }: { readonly content: FileContent; readonly deadline: Deadline },
): Promise<{ readonly plan: Plan; readonly problems: readonly Problem[] }> {
  const removeToken = tokenRemover(inputs.token)
  const subject = linkToPost(subjectOf(context), removeToken)
  const options: CommentOptions = {
    template: inputs.comment,
    files,
    source: sourceOf(context).map((link) => linkToPost(link, removeToken)),
    subject,
    format: inputs.method === 'external' ? inputs.commentFormat : 'typed',
    allowBroadcast: inputs.allowBroadcast,
  }
  const problems = [
    ...placeholderProblems('comment', inputs.comment, commentPlaceholders),
    ...placeholderProblems('title', inputs.title, titlePlaceholders),
    ...renderComment(options).problems,
  ]
  // A comment alone has no file that a later attempt could look up.
  const missingOnly = inputs.onRerun === 'missing' && files.length > 0
  const use = { ...context, leg: inputs.rerunKey }
  const keyed = missingOnly ? await deadline.race(withKeys(files, use, content, deadline.signal)) : files
  const plan: Plan = {
    files: withTitles(keyed, inputs.title, subject.label),
    channels: inputs.channels,
    commentFor: (some) => renderComment({ ...options, files: some }).comment,
    continuationFor: (part) => renderContinuation(options, part),
    threadTs: inputs.threadTs,
    dryRun: inputs.dryRun,
    rerun: missingOnly ? { attempt: context.runAttempt } : undefined,
  }
  return { plan, problems }
}

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
    return { ...file, key: rerunKeyOf(file, use, hash.digest('hex')) }
  }
  return pMap(files, withKey, { concurrency: filesAtOnce })
}

/** JSON keeps the values apart, whatever they contain. */
function rerunKeyOf(
  { path }: FoundFile,
  { action, job, leg, repository, runId, temp }: StepUse,
  digest: string,
): string {
  const folder = temp?.replaceAll('\\', '/').replace(/\/?$/, '/')
  const place = folder !== undefined && path.startsWith(folder) ? ['temp', path.slice(folder.length)] : path
  const identity = JSON.stringify([repository, runId, job, action, leg, place, digest])
  return createHash('sha256').update(identity).digest('hex').slice(0, 10)
}
