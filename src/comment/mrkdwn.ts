import { replaceControls } from '../text/sanitize.ts'

/**
 * Puts text from outside on one line. mrkdwn cannot escape `*`, so a look-alike replaces it. A
 * zero-width character would break a copied name.
 */
export function withoutMarkup(value: string): string {
  return escapeText(
    replaceControls(value, ' ')
      .replace(
        /(?<![\p{L}\p{N}])[*_~`]|[*_~`](?![\p{L}\p{N}])/gu,
        (mark) => lookAlikes[mark] ?? mark,
      )
      .replace(/:(?=[^\s:]{1,100}:)/g, '∶')
      .replace(/^(\s*)>/, '$1›'),
  )
}

const lookAlikes: Readonly<Record<string, string>> = { '*': '∗', _: 'ˍ', '~': '∼', '`': 'ˋ' }

/** Slack does not document a second `|` in a link. */
export function linkLabel(value: string): string {
  return withoutMarkup(value).replaceAll('|', '∣')
}

/** `&` first: https://docs.slack.dev/messaging/formatting-message-text#escaping */
export function escapeText(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** A URL ends before a `)` without its `(`, or the punctuation of a sentence. */
const tokens =
  /(?<code>```[\s\S]*?```|`[^`\n]*`)|(?<sequence><(?:[@#!]|[a-z][\w+.-]*:)[^<>\n]*>)|(?<url>\bhttps?:\/\/(?:\([^\s<>|`()]*\)|[^\s<>|`()])+(?<![.,;:!?'"*_~\]}]))|&(?!(?:amp|lt|gt);)|</gi

/** `<!group>` is the old `<!channel>` of private channels. */
const broadcast = /^<!(?:channel|here|everyone|group)\b/i

/**
 * Makes bare URLs links, since Slack links none in `verbatim` text. Escapes `<!channel>` unless it
 * is allowed, since an expression can paste it.
 */
export function typedToMrkdwn(typed: string, allowBroadcast: boolean): string {
  return typed.replace(tokens, (token, ...rest) => {
    const { code, sequence, url }: Partial<Record<string, string>> = rest.at(-1)
    if (code !== undefined) return code.replace(/&(?!(?:amp|lt|gt);)|[<>]/g, escapeText)
    if (url !== undefined) return `<${url.replace(/&(?!amp;)/g, '&amp;')}>`
    if (sequence === undefined) return escapeText(token)
    return allowBroadcast || !broadcast.test(sequence) ? sequence : escapeText(sequence)
  })
}

export function broadcastsIn(typed: string): readonly string[] {
  const sequences = [...typed.matchAll(tokens)].flatMap(({ groups }) => groups?.['sequence'] ?? [])
  return sequences.filter((sequence) => broadcast.test(sequence))
}
