/** The blocks that a completion accepts, sections only: https://docs.slack.dev/reference/block-kit/blocks/section-block */
import { isJsonObject, type Json } from './json.ts'

export type BlocksError = 'internal_error' | 'invalid_blocks'

/** The error code for these blocks, if they are not accepted. */
export function blocksError(blocks: Json): BlocksError | undefined {
  if (!Array.isArray(blocks) || blocks.length === 0 || blocks.length > 50) return 'invalid_blocks'
  // https://github.com/slackapi/python-slack-sdk/issues/1756
  if (blocks.some((block: Json) => isJsonObject(block) && block['type'] === 'markdown')) return 'internal_error'
  const accepted = (block: Json) => isJsonObject(block) && block['type'] === 'section' && isText(block['text'])
  return blocks.every(accepted) ? undefined : 'invalid_blocks'
}

function isText(object: Json | undefined): boolean {
  if (!isJsonObject(object)) return false
  const { type, text, verbatim, ...rest } = object
  if (type !== 'mrkdwn' && type !== 'plain_text') return false
  if (verbatim !== undefined && (type !== 'mrkdwn' || typeof verbatim !== 'boolean')) return false
  if (Object.keys(rest).some((key) => key !== 'emoji' || type !== 'plain_text')) return false
  return typeof text === 'string' && text.length >= 1 && text.length <= 3000
}
