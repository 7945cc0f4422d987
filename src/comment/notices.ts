import { closestMatch } from 'leven'
import { notice, type Problem, warning } from '../problem.ts'
import { shorten } from '../text/sanitize.ts'
import { code, join, list, type Text, text } from '../text/text.ts'

type Rows = readonly (readonly [form: RegExp, advice: Text])[]

const link = code('<https://example.com|text>')

/** What is posted as typed, in every comment and title → what to write. */
const everywhere: Rows = [
  [
    /^\s*(?:null|undefined|Array|Object)\s*$/g,
    text`an expression came out as that: what it names does not exist, or is no text`,
  ],
  [
    /^\s*"(?:[^"\\\n]|\\.)*"\s*$/g,
    text`this is JSON. If it is the result of ${code('actions/github-script')}, write ${code('result-encoding: string')} there`,
  ],
  [/\$\{\{[^{}\n]{1,200}\}\}/g, text`GitHub replaces expressions only in a workflow file`],
  [
    /(?<!\$)\{\{ ?(?:env|github|inputs|job|matrix|needs|runner|secrets|steps|vars)\.[^{}\n]{1,100}\}\}|(?<![\w./{=-]|\{ )(?:github\.(?:actor|ref|ref_name|repository|run_id|run_number|sha|workflow)|steps\.[\w-]+\.outputs\.[\w-]+|job\.status)(?![\w-])/g,
    text`an expression is written like ${code('${{ github.sha }}')}`,
  ],
  [
    /\$\{?(?:GITHUB|RUNNER)_[A-Z_]+\}?/g,
    text`no shell reads this text. Write an expression, such as ${code('${{ github.sha }}')}`,
  ],
  // Not in a path of Windows or a URL.
  [/(?<![a-z]:\S{0,200})(?:\\n|%0A)/gi, text`for several lines, write ${code('comment: |-')} and the lines below it`],
]

/** What Slack's mrkdwn does not read. */
const onSlack: Rows = [
  [/\*\*[^\s*][^*\n]{0,200}\*\*/g, text`bold text has one star on each side: ${code('*bold*')}`],
  [/~~[^\s~][^~\n]{0,200}~~/g, text`struck text has one tilde on each side: ${code('~struck~')}`],
  [
    /\[[^\]\n]{1,200}\]\(https?:\/\/[^\s)]{1,1000}\)|<https?:\/\/[^<>|\s]{1,1000} [^<>|\n]{1,200}>|(?<!<)\bhttps?:\/\/[^<>|\s]{1,300}\|[^<>|\s]{1,200}/g,
    text`write a link as ${link}`,
  ],
  [/^#{1,6} +[^\s*][^*\n]{0,200}$/gm, text`there are no headings: write ${code('*Heading*')}`],
  [/^ *\|[^|\n]+\|[^|\n]+\|/gm, text`there are no tables: send the table as a file`],
  [
    /<!--|<\/?(?:a|b|br|code|details|div|em|h[1-6]|hr|i|img|li|ol|p|pre|span|strong|summary|table|td|th|tr|u|ul)(?: [^<>\n]*)?\/?>/gi,
    text`HTML is not read: write ${code('*bold*')}, ${code('_italic_')}, ${link}`,
  ],
  [/^\s*(?:\[\s*)?\{\s*"(?:attachments|blocks|text|type)"/g, text`blocks are not read: write text`],
  [
    /(?<![\p{L}\p{N}])@(?:here|channel|everyone)(?![\p{L}\p{N}_-])/gu,
    text`write ${code('<!here>')}, ${code('<!channel>')} or ${code('<!everyone>')}, and set ${code('allow-broadcast: true')}`,
  ],
  [/<#[^<>\n]{1,80}>/g, text`write ${code('<#C0123456789>')} with the ID of the channel`],
  [
    /<(?:@|!subteam\^)[^<>\n]{1,80}>|(?<![\p{L}\p{N}<@/])@(?!(?:here|channel|everyone)(?![\p{L}\p{N}_-]))[\p{L}\p{N}](?:[\w.-]{0,60}\w)?(?![\w/@-])/gu,
    text`this notifies nobody: write ${code('<@U0123456789>')} for a person (profile, three dots, Copy member ID), ${code('<!subteam^S0123456789>')} for a group`,
  ],
  [/<(?:@|#|!subteam\^|\|[^<>\n]{0,80})>/g, text`an expression in it is empty`],
  [
    /<https?:\/\/[^<>|\n]*\|[^<>\n]*(?![^<\n])/g,
    text`the link is not closed by ${code('>')}, or its text contains ${code('<')}`,
  ],
]

/** Code, and what Slack reads in angle brackets: https://docs.slack.dev/messaging/formatting-message-text */
const slackMarkup =
  /```[\s\S]*?```|`[^`\n]*`|<(?:@[UW][A-Z0-9]+|#[A-Z0-9]+|!subteam\^S[A-Z0-9]+|!(?!subteam)[A-Za-z]+(?:\^[^<>|\n]+)?|[A-Za-z][A-Za-z\d+.-]*:[^<>|\s]+)(?:\|[^<>\n]*)?>/g

const maxShown = 3
/** Characters. */
const maxLength = 60

/** A notice about what the user typed in another markup than Slack's, outside of code and of what Slack reads. */
export function markupNotices(typed: string): readonly Problem[] {
  return noticeAbout('Slack may show parts of the comment as typed', typed.replace(slackMarkup, ' '), onSlack)
}

function noticeAbout(title: string, typed: string, rows: Rows): readonly Problem[] {
  const lines = rows.flatMap(([form, advice]) => {
    const shown = new Set((typed.match(form) ?? []).map((match) => shorten(match.trim(), maxLength)))
    return shown.size === 0 ? [] : [text`${list([...shown], { max: maxShown })}: ${advice}.`]
  })
  return lines.length === 0 ? [] : [notice(title, join(lines, '\n'))]
}

/** What other tools call a placeholder → what to write, if there is an expression for it. */
const otherTools: readonly (readonly [name: RegExp, expression?: Text])[] = [
  [/^(files?|names?|list|source|subject|title|(file_?)?name|path|size|count|(run_?|job_?)?(url|link))$/i],
  [/^(branch|ref|tag|version)$/i, code('${{ github.ref_name }}')],
  [/^(sha|commit)$/i, code('${{ github.sha }}')],
  [/^(actor|author)$/i, code('${{ github.actor }}')],
  [/^repo(sitory)?$/i, code('${{ github.repository }}')],
  [/^workflow$/i, code('${{ github.workflow }}')],
  [/^job$/i, code('${{ github.job }}')],
  [/^run$/i, code('${{ github.run_number }}')],
  [/^status$/i, code('${{ job.status }}')],
  [
    /^date$/i,
    text`${code('${{ steps.ID.outputs.date }}')} of a step that runs ${code('echo "date=$(date +%F)" >> "$GITHUB_OUTPUT"')}`,
  ],
]

/**
 * What to know about words in braces that are almost placeholders (a warning), about placeholders of other tools, and about what
 * does not work in any comment or title (a notice).
 *
 * @param placeholders those of this input, without braces
 */
export function typedProblems(input: string, typed: string, placeholders: readonly string[]): readonly Problem[] {
  const withoutCode = typed.replace(/```[\s\S]*?```|`[^`\n]*`/g, ' ')
  return [
    ...unknownPlaceholders(input, typed, placeholders),
    ...noticeAbout(`Parts of ${input} are posted as typed`, withoutCode, everywhere),
  ]
}

function unknownPlaceholders(input: string, typed: string, placeholders: readonly string[]): readonly Problem[] {
  const adviceOn = new Map<string, Text>()
  let isMistake = false
  for (const [shown, open, word = ''] of typed.matchAll(/(\$\{|\{\{|\{)([^{}\n]{1,20})\}\}?/g)) {
    const isPlain = open === '{'
    if (isPlain && placeholders.includes(word)) continue
    // More edits would also find other words: a comment may hold JSON or code.
    const isAlmost = isPlain && closestMatch(word.toLowerCase(), placeholders, { maxDistance: 2 }) !== undefined
    const [name, expression] = otherTools.find(([other]) => other.test(word.trim())) ?? []
    isMistake ||= isAlmost
    if (isAlmost || name) adviceOn.set(shown, expression ? text`For ${shown}, write ${expression}.` : [])
  }
  if (adviceOn.size === 0) return []
  const names = list(placeholders.map((name) => code(`{${name}}`)))
  const explanation = text`${list([...adviceOn.keys()], { max: maxShown })}: the placeholders of ${code(input)} are ${names}, in single braces and without ${code('$')}. Other braces are posted as typed.`
  const make = isMistake ? warning : notice
  return [make(`Unknown placeholder in ${input}`, join([explanation, ...adviceOn.values()], '\n'))]
}
