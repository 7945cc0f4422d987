/** Blocks of messages. Only sections are judged, since the action sends no others. */
import { isJsonObject, type Json } from './json.ts'

/** https://docs.slack.dev/reference/block-kit/blocks */
const types = [
  ...[
    'actions',
    'alert',
    'card',
    'carousel',
    'container',
    'context',
    'context_actions',
    'data_table',
    'divider',
  ],
  ...[
    'file',
    'header',
    'image',
    'input',
    'markdown',
    'plan',
    'rich_text',
    'section',
    'table',
    'task_card',
    'video',
  ],
]

/**
 * @param refuses error codes by type
 * @returns the error code, if the blocks are not accepted
 */
export function blocksError(
  blocks: Json,
  refuses: Readonly<Record<string, string>>,
): string | undefined {
  if (!Array.isArray(blocks) || blocks.length === 0 || blocks.length > 50) return 'invalid_blocks'
  return blocks
    .map((block: Json) => blockError(block, refuses))
    .find((error) => error !== undefined)
}

function blockError(block: Json, refuses: Readonly<Record<string, string>>): string | undefined {
  const type = isJsonObject(block) ? block['type'] : undefined
  if (!isJsonObject(block) || typeof type !== 'string' || !types.includes(type))
    return 'invalid_blocks'
  if (refuses[type] !== undefined) return refuses[type]
  if (type !== 'section') return undefined
  // https://docs.slack.dev/reference/block-kit/blocks/section-block
  const { fields, text } = block
  return isText(text) || (text === undefined && Array.isArray(fields))
    ? undefined
    : 'invalid_blocks'
}

function isText(object: Json | undefined): boolean {
  if (!isJsonObject(object)) return false
  const { type, text, verbatim, ...rest } = object
  if (type !== 'mrkdwn' && type !== 'plain_text') return false
  if (verbatim !== undefined && (type !== 'mrkdwn' || typeof verbatim !== 'boolean')) return false
  if (Object.keys(rest).some((key) => key !== 'emoji' || type !== 'plain_text')) return false
  return typeof text === 'string' && text.length >= 1 && text.length <= 3000
}
