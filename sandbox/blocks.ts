/** The blocks that a completion accepts: https://docs.slack.dev/reference/block-kit/blocks */
import { isJsonObject, type Json, type JsonObject } from './json.ts'

export type BlocksError = 'internal_error' | 'invalid_blocks'

/** The error code for these blocks, if they are not accepted. */
export function blocksError(blocks: Json): BlocksError | undefined {
  if (!Array.isArray(blocks) || blocks.length === 0 || blocks.length > 50) return 'invalid_blocks'
  // https://github.com/slackapi/python-slack-sdk/issues/1756
  if (blocks.some((block: Json) => isJsonObject(block) && block['type'] === 'markdown')) return 'internal_error'
  return blocks.every(isBlock) ? undefined : 'invalid_blocks'
}

const accepts: Readonly<Record<string, (block: JsonObject) => boolean>> = {
  actions: ({ elements }) => isList(elements, 25, isTyped),
  context: ({ elements }) => isList(elements, 10, (element) => isText(element, 3000) || isImage(element)),
  divider: () => true,
  header: ({ text }) => isText(text, 150) && isJsonObject(text) && text['type'] === 'plain_text',
  image: isImage,
  rich_text: ({ elements }) => isList(elements, Number.POSITIVE_INFINITY, isTyped),
  section: ({ fields, text }) =>
    (text !== undefined || fields !== undefined) &&
    (text === undefined || isText(text, 3000)) &&
    (fields === undefined || isList(fields, 10, (field) => isText(field, 2000))),
}

function isBlock(block: Json): boolean {
  if (!isJsonObject(block) || typeof block['type'] !== 'string') return false
  const id = block['block_id']
  if (id !== undefined && (typeof id !== 'string' || id.length > 255)) return false
  return Object.hasOwn(accepts, block['type']) && accepts[block['type']]?.(block) === true
}

function isText(object: Json | undefined, maxLength: number): boolean {
  if (!isJsonObject(object)) return false
  const { type, text, verbatim, ...rest } = object
  if (type !== 'mrkdwn' && type !== 'plain_text') return false
  if (verbatim !== undefined && (type !== 'mrkdwn' || typeof verbatim !== 'boolean')) return false
  if (Object.keys(rest).some((key) => key !== 'emoji' || type !== 'plain_text')) return false
  return typeof text === 'string' && text.length >= 1 && text.length <= maxLength
}

function isImage(object: Json): boolean {
  if (!isJsonObject(object) || object['type'] !== 'image' || typeof object['alt_text'] !== 'string') return false
  return typeof object['image_url'] === 'string' || isJsonObject(object['slack_file'])
}

const isTyped = (element: Json) => isJsonObject(element) && typeof element['type'] === 'string'

const isList = (list: Json | undefined, maxLength: number, isEntry: (entry: Json) => boolean) =>
  Array.isArray(list) && list.length >= 1 && list.length <= maxLength && list.every(isEntry)
