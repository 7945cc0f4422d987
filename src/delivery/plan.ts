import {
  type CommentOptions,
  commentPlaceholders,
  commentProblems,
  renderComment,
} from '../comment/comment.ts'
import { typedProblems } from '../comment/notices.ts'
import { linkToPost, sourceOf, subjectOf } from '../comment/source.ts'
import type { RunContext } from '../context.ts'
import { titlePlaceholders, withTitles } from '../files/file-names.ts'
import type { FoundFile } from '../files/files.ts'
import type { Inputs } from '../inputs/inputs.ts'
import type { Problem } from '../problem.ts'
import type { Plan } from './deliver.ts'

/** @throws ProblemError if the service would refuse the comment */
export function planDelivery(
  files: readonly FoundFile[],
  inputs: Inputs,
  context: RunContext,
): { readonly plan: Plan; readonly problems: readonly Problem[] } {
  const { removeToken } = inputs
  const subject = linkToPost(subjectOf(context), removeToken)
  const options: CommentOptions = {
    template: inputs.comment,
    files,
    source: sourceOf(context).map((link) => linkToPost(link, removeToken)),
    subject,
    format: inputs.method === 'external' ? inputs.commentFormat : 'typed',
    allowBroadcast: inputs.allowBroadcast,
  }
  // Throws before anything is uploaded.
  renderComment(options)
  const problems = [
    ...typedProblems('comment', inputs.comment, commentPlaceholders),
    ...typedProblems('title', inputs.title, titlePlaceholders),
    ...commentProblems(options),
  ]
  const plan: Plan = {
    files: withTitles(files, inputs.title, subject.label),
    channels: inputs.channels,
    commentFor: (some) => renderComment({ ...options, files: some }),
    threadTs: inputs.threadTs,
    dryRun: inputs.dryRun,
  }
  return { plan, problems }
}
