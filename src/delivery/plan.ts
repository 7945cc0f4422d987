import { type CommentOptions, commentPlaceholders, renderComment, renderContinuation } from '../comment/comment.ts'
import { type RunContext, sourceOf } from '../context.ts'
import type { Deadline } from '../deadline.ts'
import type { FileContent } from '../files/content.ts'
import type { FoundFile } from '../files/files.ts'
import { titlePlaceholders, withTitles } from '../files/names.ts'
import type { Inputs } from '../inputs/inputs.ts'
import type { Problem } from '../problem.ts'
import { warnOfPlaceholders } from '../text/placeholders.ts'
import type { Plan } from './deliver.ts'
import { withKeys } from './rerun-key.ts'

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
  const source = sourceOf(context, inputs.token)
  const options: CommentOptions = {
    template: inputs.comment,
    files,
    source,
    format: inputs.method === 'external' ? inputs.commentFormat : 'typed',
    allowBroadcast: inputs.allowBroadcast,
  }
  const problems = [
    ...warnOfPlaceholders('comment', inputs.comment, commentPlaceholders),
    ...warnOfPlaceholders('title', inputs.title, titlePlaceholders),
    ...renderComment(options).problems,
  ]
  const missingOnly = inputs.onRerun === 'missing'
  const use = { ...context, leg: inputs.rerunKey }
  const keyed = missingOnly ? await deadline.race(withKeys(files, use, content, deadline.signal)) : files
  const plan: Plan = {
    files: withTitles(keyed, inputs.title),
    channels: inputs.channels,
    commentFor: (some) => renderComment({ ...options, files: some }).comment,
    continuationFor: (part) => renderContinuation(options, part),
    threadTs: inputs.threadTs,
    dryRun: inputs.dryRun,
    rerun: missingOnly ? { attempt: context.runAttempt } : undefined,
  }
  return { plan, problems }
}
