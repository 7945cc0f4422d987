import { replaceControls } from '../text/sanitize.ts'

/**
 * Text from outside as one line: for `*a*`, a look-alike of `*`, because mrkdwn cannot escape it.
 * A zero-width character would break the name for whoever copies it.
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

/** Text from outside as the label of a link. What a second `|` means there is not documented. */
export function linkLabel(value: string): string {
  return withoutMarkup(value).replaceAll('|', '∣')
}

/** `&` first: https://docs.slack.dev/messaging/formatting-message-text#escaping */
export function escapeText(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** A URL ends before a `)` without its `(`, and before the punctuation of a sentence. */
const tokens =
  /(?<code>```[\s\S]*?```|`[^`\n]*`)|(?<sequence><(?:[@#!]|[a-z][a-z\d+.-]*:)[^<>\n]*>)|(?<url>\bhttps?:\/\/(?:\([^\s<>|`()]*\)|[^\s<>|`()])+(?<![.,;:!?'"*_~\]}]))|&(?!(?:amp|lt|gt);)|</gi

/** `<!group>` is the older name of `<!channel>` in private channels. */
const broadcast = /^<!(?:channel|here|everyone|group)\b/i

/**
 * What the user typed stays markup, but bare URLs become links: Slack links none in `verbatim`
 * text. `<!channel>` becomes text unless it is allowed, because an expression can paste it.
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

/** The mentions of everybody in what the user typed. */
export function broadcastsIn(typed: string): readonly string[] {
  const sequences = [...typed.matchAll(tokens)].flatMap(({ groups }) => groups?.['sequence'] ?? [])
  return sequences.filter((sequence) => broadcast.test(sequence))
}
