import type { Problem } from '../problem.ts'
import { code, join, text } from '../text/text.ts'

/** Markdown, and mentions as people see them → how Slack writes them. */
const forms: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/\*\*([^\s*][^*\n]{0,200})\*\*/, ([, bold]) => `*${bold}*`],
  [/\[([^\]\n]{1,200})\]\((https?:\/\/[^\s)]{1,1000})\)/, ([, label, url]) => `<${url}|${label}>`],
  [/(?<![\p{L}\p{N}])@(here|channel|everyone)(?![\p{L}\p{N}_-])/u, ([, name]) => `<!${name}>`],
]

/** A notice about what the user typed in another markup than Slack's, outside of code and of what Slack reads. */
export function noticeOfForeignMarkup(typed: string, allowBroadcast: boolean): readonly Problem[] {
  const rest = typed.replace(/```[\s\S]*?```|`[^`\n]*`|<[^<>\n]*>/g, ' ')
  const found = forms.flatMap(([shape, formOnSlack]) => {
    const match = shape.exec(rest)
    return match === null ? [] : [{ typed: match[0], slack: formOnSlack(match) }]
  })
  if (found.length === 0) return []
  const lines = found.map(({ slack, typed }) => text`${typed} is posted as typed. On Slack, write ${slack}.`)
  const mention =
    !allowBroadcast && found.some(({ slack }) => slack.startsWith('<!'))
      ? [text`A mention of everybody also needs ${code('allow-broadcast: true')}.`]
      : []
  return [
    { level: 'notice', title: 'Slack shows parts of the comment as typed', text: join([...lines, ...mention], '\n') },
  ]
}
