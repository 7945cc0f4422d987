import { type CommentOptions, commentPlaceholders, renderComment, renderContinuation } from '../comment/comment.ts'
import { typedProblems } from '../comment/notices.ts'
import { linkToPost, sourceOf, subjectOf } from '../comment/source.ts'
import type { RunContext } from '../context.ts'
import type { Deadline } from '../deadline.ts'
import type { FileContent } from '../files/content.ts'
import { titlePlaceholders, withTitles } from '../files/file-names.ts'
import type { FoundFile } from '../files/files.ts'
import type { Inputs } from '../inputs/inputs.ts'
import type { Problem } from '../problem.ts'
import { tokenRemover } from '../text/token.ts'
import type { Plan } from './deliver.ts'
import { withKeys } from './rerun/key.ts'

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
    ...typedProblems('comment', inputs.comment, commentPlaceholders),
    ...typedProblems('title', inputs.title, titlePlaceholders),
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
    attempt: missingOnly ? context.runAttempt : undefined,
  }
  return { plan, problems }
}
