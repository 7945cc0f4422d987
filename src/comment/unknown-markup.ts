/** Makes no difference to people, and a mention or a link that has one inside is none. */
const zeroWidthSpace = '\u200b'

/**
 * Text from outside, for a server whose markup is unknown: it mentions nobody and hides no link behind text.
 *
 * An `@` within a word, as in `logo@2x.png` or an address, mentions nobody.
 *
 * @param before the text in front of it, which it must not complete to a mention or a link
 */
export function withoutMentions(text: string, before: string): string {
  const disarmed = text.replace(/<(?!\s)|\](?=[([])|(?<![\p{L}\p{N}])@(?!\s)/gu, `$&${zeroWidthSpace}`)
  return /[<@!\]]$/.test(before) ? zeroWidthSpace + disarmed : disarmed
}

/** Slack's mentions of everybody, and those of Mattermost, Rocket.Chat and others. */
const broadcast =
  /(<)(?=(!(?:channel|here|everyone|group)\b[^<>\n]{0,50}>?))|(?<![\p{L}\p{N}])(@)(?=(channel|here|all|everyone)(?![\p{L}\p{N}_-]))/giu

/** The text with its mentions of everybody as text, and these mentions, each once. */
export function withoutBroadcasts(text: string): { readonly text: string; readonly broadcasts: readonly string[] } {
  const found = Array.from(
    text.matchAll(broadcast),
    ([, bracket, sequence, at, name]) => `${bracket ?? at}${sequence ?? name}`,
  )
  return { text: text.replace(broadcast, `$&${zeroWidthSpace}`), broadcasts: [...new Set(found)] }
}
