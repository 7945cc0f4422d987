import { commentPlaceholders, renderComment } from '../comment/comment.ts'
import { type RunContext, sourceOf } from '../context.ts'
import type { Deadline } from '../deadline.ts'
import { diskContent } from '../files/content.ts'
import type { FoundFile } from '../files/files.ts'
import { titlePlaceholders, withTitles } from '../files/titles.ts'
import type { Inputs } from '../inputs/inputs.ts'
import type { Problem } from '../problem.ts'
import type { MessagingService } from '../service/service.ts'
import { apiUrl } from '../service/web-api.ts'
import { warnOfPlaceholders } from '../text/placeholders.ts'
import { code, list, text } from '../text/text.ts'
import type { Plan } from './deliver.ts'
import { withKeys } from './rerun-key.ts'

/**
 * What is to be delivered, and warnings about the comment and the titles.
 *
 * @throws ProblemError if the service would refuse the comment, or if a file cannot be read for its key: nothing was sent yet
 */
export async function planDelivery(
  files: readonly FoundFile[],
  method: MessagingService['method'],
  inputs: Inputs,
  context: RunContext,
  deadline: Deadline,
): Promise<{ readonly plan: Plan; readonly problems: readonly Problem[] }> {
  const source = sourceOf(context, inputs.token)
  const render = (some: readonly FoundFile[]) =>
    renderComment({
      template: inputs.comment,
      files: some,
      source,
      target: inputs.slack && method === 'external' ? 'slack' : 'typed',
      format: inputs.commentFormat,
      allowBroadcast: inputs.allowBroadcast,
    })
  const problems = [
    ...warnOfPlaceholders('comment', inputs.comment, commentPlaceholders),
    ...warnOfPlaceholders('title', inputs.title, titlePlaceholders),
    ...render(files).problems,
  ]
  const missingOnly = inputs.onRerun === 'missing'
  const use = { ...context, leg: inputs.rerunKey }
  const content = diskContent(inputs.token)
  // Without a lookup, nobody would find a file by its key.
  const needsKeys = missingOnly && method === 'external'
  const keyed = needsKeys ? await deadline.race(withKeys(files, use, content, deadline.signal)) : files
  const plan: Plan = {
    files: withTitles(keyed, inputs.title),
    channels: inputs.channels,
    commentFor: (some) => render(some).comment,
    ...(inputs.threadTs === undefined ? {} : { threadTs: inputs.threadTs }),
    ifNotConfirmed: inputs.ifNotConfirmed,
    dryRun: inputs.dryRun,
    ...(missingOnly && { rerun: { attempt: context.runAttempt } }),
  }
  return { plan, problems }
}

/** The upload methods to try, in order. */
export function methodsFor({ method, slack }: Inputs): readonly MessagingService['method'][] {
  if (method !== 'auto') return [method]
  return slack ? ['external'] : ['files.upload', 'external']
}

/** The server offers none of the methods that were tried. */
export function noMethodOffered(baseUrl: URL): Problem {
  const urls = ['files.upload', 'files.getUploadURLExternal'].map((name) => apiUrl(baseUrl, name).href)
  return {
    title: 'The server offers no way to upload files',
    text: text`Neither ${list(urls, { separator: ' nor ' })} exists.\nCheck ${code('base-url')}: it is the address of the service itself, without ${code('/api')}. For Slack, leave it out.`,
  }
}
