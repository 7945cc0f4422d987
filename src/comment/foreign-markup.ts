import { notice, type Problem } from '../problem.ts'
import { code, join, list, text, words } from '../text/text.ts'

const mention = '<@U0123456789>'
const broadcast = /(?<![\p{L}\p{N}])@(here|channel|everyone)(?![\p{L}\p{N}_-])/gu

/** Markdown, and mentions as people see them → how Slack writes them. */
const forms: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/\*\*([^\s*][^*\n]{0,200})\*\*/g, ([, bold]) => `*${bold}*`],
  [/\[([^\]\n]{1,200})\]\((https?:\/\/[^\s)]{1,1000})\)/g, ([, label, url]) => `<${url}|${label}>`],
  [/^#{1,6} +([^\s*][^*\n]{0,200})$/gm, ([, heading = '']) => `*${heading.trimEnd()}*`],
  [/<@[^<>\n]{1,80}>/g, () => mention],
  [broadcast, ([, name]) => `<!${name}>`],
]

/** Code, and what Slack reads in angle brackets. A mention needs an ID: https://docs.slack.dev/messaging/formatting-message-text */
const slackMarkup = /```[\s\S]*?```|`[^`\n]*`|<(?!@(?![UW][A-Z0-9]+[|>]))[^<>\n]*>/g

/** `\n` as two characters, as YAML leaves it without double quotes. Not in a path of Windows. */
const typedLineBreak = /(?<![a-z]:\S*)\\n/i

/** A notice about what the user typed in another markup than Slack's, outside of code and of what Slack reads. */
export function noticeOfForeignMarkup(typed: string, allowBroadcast: boolean): readonly Problem[] {
  const rest = typed.replace(slackMarkup, ' ')
  const found = forms
    .map(([shape, formOnSlack]) => {
      const matches = [...rest.matchAll(shape)]
      return { typed: new Set(matches.map(([all]) => all.trimEnd())), slack: new Set(matches.map(formOnSlack)) }
    })
    .filter(({ typed }) => typed.size > 0)
  const firstOf = (names: ReadonlySet<string>) => list([...names], { max: 3 })
  const lines = found.map(({ slack, typed }) => {
    const source = slack.has(mention) ? text` with the member ID (profile, three dots, Copy member ID)` : []
    const are = words(typed.size === 1 ? 'is' : 'are')
    return text`${firstOf(typed)} ${are} posted as typed. On Slack, write ${firstOf(slack)}${source}.`
  })
  if (typedLineBreak.test(rest)) {
    lines.push(
      text`${code('\\n')} is posted as typed. For several lines, write ${code('comment: |-')} and the lines below it.`,
    )
  }
  if (lines.length === 0) return []
  const alsoAllow =
    !allowBroadcast && rest.search(broadcast) >= 0
      ? [text`A mention of everybody also needs ${code('allow-broadcast: true')}.`]
      : []
  return [notice('Slack shows parts of the comment as typed', join([...lines, ...alsoAllow], '\n'))]
}
