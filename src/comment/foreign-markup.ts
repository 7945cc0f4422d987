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
  const firstOf = (names: ReadonlySet<string>) => list([...names], { max: 3 })
  const lines = forms.flatMap(([shape, formOnSlack]) => {
    const matches = [...rest.matchAll(shape)]
    if (matches.length === 0) return []
    const typedForms = new Set(matches.map(([all]) => all.trimEnd()))
    const slackForms = new Set(matches.map(formOnSlack))
    const are = words(typedForms.size === 1 ? 'is' : 'are')
    const source = slackForms.has(mention) ? text` with the member ID (profile, three dots, Copy member ID)` : []
    return [text`${firstOf(typedForms)} ${are} posted as typed. On Slack, write ${firstOf(slackForms)}${source}.`]
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
