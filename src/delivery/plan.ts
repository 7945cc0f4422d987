import { commentPlaceholders, renderComment } from '../comment/comment.ts'
import type { RunSource } from '../context.ts'
import type { FoundFile } from '../files/files.ts'
import { titlePlaceholders, withTitles } from '../files/titles.ts'
import type { Inputs } from '../inputs/inputs.ts'
import type { Problem } from '../problem.ts'
import type { MessagingService } from '../service/service.ts'
import { apiUrl } from '../service/web-api.ts'
import { warnOfPlaceholders } from '../text/placeholders.ts'
import { code, list, text } from '../text/text.ts'
import type { Plan } from './deliver.ts'

/**
 * What is to be delivered, and warnings about the comment and the titles.
 *
 * @throws ProblemError if the service would refuse the comment: nothing was sent yet
 */
export function planDelivery(
  files: readonly FoundFile[],
  method: MessagingService['method'],
  inputs: Inputs,
  source: RunSource,
): { readonly plan: Plan; readonly warnings: readonly Problem[] } {
  const render = (some: readonly FoundFile[]) =>
    renderComment({
      template: inputs.comment,
      files: some,
      source,
      target: inputs.slack && method === 'external' ? 'slack' : 'typed',
      format: inputs.commentFormat,
      allowBroadcast: inputs.allowBroadcast,
    })
  const plan: Plan = {
    files: withTitles(files, inputs.title),
    channels: inputs.channels,
    commentFor: (some) => render(some).comment,
    ...(inputs.threadTs === undefined ? {} : { threadTs: inputs.threadTs }),
    ifNotConfirmed: inputs.ifNotConfirmed,
    dryRun: inputs.dryRun,
  }
  const warnings = [
    ...warnOfPlaceholders('comment', inputs.comment, commentPlaceholders),
    ...warnOfPlaceholders('title', inputs.title, titlePlaceholders),
    ...render(files).warnings,
  ]
  return { plan, warnings }
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
