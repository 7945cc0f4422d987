import { notice, type Problem } from '../problem.ts'
import { code, join, text } from '../text/text.ts'

const mention = '<@U0123456789>'

/** Markdown, and mentions as people see them → how Slack writes them. */
const forms: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/\*\*([^\s*][^*\n]{0,200})\*\*/, ([, bold]) => `*${bold}*`],
  [/\[([^\]\n]{1,200})\]\((https?:\/\/[^\s)]{1,1000})\)/, ([, label, url]) => `<${url}|${label}>`],
  [/^#{1,6} +([^\s*][^*\n]{0,200})$/m, ([, heading = '']) => `*${heading.trimEnd()}*`],
  [/<@[^<>\n]{1,80}>/, () => mention],
  [/(?<![\p{L}\p{N}])@(here|channel|everyone)(?![\p{L}\p{N}_-])/u, ([, name]) => `<!${name}>`],
]

/** Code, and what Slack reads in angle brackets. A mention needs an ID: https://docs.slack.dev/messaging/formatting-message-text */
const slackMarkup = /```[\s\S]*?```|`[^`\n]*`|<(?!@(?![UW][A-Z0-9]+[|>]))[^<>\n]*>/g

/** `\n` as two characters, as YAML leaves it without double quotes. Not in a path of Windows. */
const typedLineBreak = /(?<![a-z]:\S*)\\n/i

/** A notice about what the user typed in another markup than Slack's, outside of code and of what Slack reads. */
export function noticeOfForeignMarkup(typed: string, allowBroadcast: boolean): readonly Problem[] {
  const rest = typed.replace(slackMarkup, ' ')
  const found = forms.flatMap(([shape, formOnSlack]) => {
    const match = shape.exec(rest)
    return match === null ? [] : [{ typed: match[0].trimEnd(), slack: formOnSlack(match) }]
  })
  const lines = found.map(({ slack, typed }) => {
    const source = slack === mention ? text` with the member ID (profile, three dots, Copy member ID)` : []
    return text`${typed} is posted as typed. On Slack, write ${slack}${source}.`
  })
  if (typedLineBreak.test(rest)) {
    lines.push(
      text`${code('\\n')} is posted as typed. For several lines, write ${code('comment: |-')} and the lines below it.`,
    )
  }
  if (lines.length === 0) return []
  const alsoAllow =
    !allowBroadcast && found.some(({ slack }) => slack.startsWith('<!'))
      ? [text`A mention of everybody also needs ${code('allow-broadcast: true')}.`]
      : []
  return [notice('Slack shows parts of the comment as typed', join([...lines, ...alsoAllow], '\n'))]
}
