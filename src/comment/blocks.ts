/** https://docs.slack.dev/reference/block-kit/composition-objects/text-object */
export const maxBlockLength = 3_000
/** Without what a cut adds: `>>>` and two fences. */
const room = maxBlockLength - 11

/** What no cut divides: a link or a mention, `&amp;`, an emoji. */
const wholes = /<[^<>\n]*>|&\w+;|[\s\S]/gu
const fence = '```'

/**
 * Cuts a comment into the texts of blocks, none of them blank: at the ends of lines, or within a
 * line that is too long. A link that is too long stays whole.
 *
 * @param isPlain in mrkdwn, a fence that a cut would open is closed and opened again, and a quote by
 *   `>>>` goes on
 */
export function blockTexts(content: string, isPlain: boolean): readonly string[] {
  if (content.length <= maxBlockLength) return [content]
  const texts: string[] = []
  let text = ''
  const endBlock = () => {
    const isOpen = !isPlain && text.split(fence).length % 2 === 0
    const isQuote = !isPlain && /^>>>/m.test(text)
    const shown = text.replace(/^\s*\n/, '').trimEnd()
    const closed = shown.endsWith(fence) ? shown.slice(0, -fence.length) : `${shown}\n${fence}`
    if (/[^\s`>]/.test(text)) texts.push(isOpen ? closed.trimEnd() : shown)
    text = (isQuote ? '>>>' : '') + (isOpen ? `${fence}\n` : '')
  }
  for (const line of content.split(/(?<=\n)/)) {
    for (const part of line.length > room ? (line.match(wholes) ?? []) : [line]) {
      // A fence always fits, so that no block begins with the end of code.
      if (text.length + part.length > room && part.trim() !== fence) endBlock()
      text += part
    }
  }
  endBlock()
  return texts
}
