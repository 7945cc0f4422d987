import { closestMatch } from 'leven'
import { notice, type Problem, warning } from '../problem.ts'
import { shorten } from '../text/sanitize.ts'
import { code, join, list, type Text, text } from '../text/text.ts'

/** Code, and what Slack reads in angle brackets: https://docs.slack.dev/messaging/formatting-message-text */
const slackMarkup =
  /```[\s\S]*?```|`[^`\n]*`|<(?:@[UW][A-Z0-9]+|#[A-Z0-9]+|![A-Za-z]+(?:\^[^<>|\n]+)?|[A-Za-z][A-Za-z\d+.-]*:[^<>|\n]+)(?:\|[^<>\n]*)?>/g

const memberId = text`write ${code('<@U0123456789>')} with the member ID (profile, three dots, Copy member ID)`

/** What is posted as typed → what to write on Slack. */
const rows: readonly (readonly [form: RegExp, advice: Text])[] = [
  [/\*\*[^\s*][^*\n]{0,200}\*\*/g, text`bold text has one star on each side: ${code('*bold*')}`],
  [/\[[^\]\n]{1,200}\]\(https?:\/\/[^\s)]{1,1000}\)/g, text`write a link as ${code('<https://example.com|text>')}`],
  [/^#{1,6} +[^\s*][^*\n]{0,200}$/gm, text`there are no headings: write ${code('*Heading*')}`],
  [/^ *\|[^|\n]+\|[^|\n]+\|/gm, text`there are no tables: send the table as a file`],
  [
    /<!--|<\/?(?:a|b|br|code|details|div|em|h[1-6]|hr|i|img|li|ol|p|pre|span|strong|summary|table|td|th|tr|u|ul)(?: [^<>\n]*)?\/?>/gi,
    text`HTML is not read: write ${code('*bold*')}, ${code('_italic_')}, ${code('<https://example.com|text>')}`,
  ],
  [/^\s*(?:\[\s*)?\{\s*"(?:attachments|blocks|text|type)"/g, text`blocks are not read: write text`],
  [
    /(?<![\p{L}\p{N}])@(?:here|channel|everyone)(?![\p{L}\p{N}_-])/gu,
    text`write ${code('<!here>')}, ${code('<!channel>')} or ${code('<!everyone>')}, and set ${code('allow-broadcast: true')}`,
  ],
  [/<@[^<>\n]{1,80}>/g, memberId],
  [
    /(?<![\p{L}\p{N}<@/])@(?!(?:here|channel|everyone)(?![\p{L}\p{N}_-]))[\p{L}\p{N}](?:[\w.-]{0,60}\w)?(?![\w/@-])/gu,
    text`this notifies nobody: ${memberId}`,
  ],
  [/<(?:@|#|!subteam\^|\|[^<>\n]{0,80})>/g, text`an expression in it is empty`],
  [
    /<https?:\/\/[^<>|\n]*\|[^<>\n]*(?![^<\n])/g,
    text`the link is not closed by ${code('>')}, or its text contains ${code('<')}`,
  ],
  // Not in a path of Windows.
  [/(?<![a-z]:\S{0,200})\\n/gi, text`for several lines, write ${code('comment: |-')} and the lines below it`],
]

const maxShown = 3
/** Characters. */
const maxLength = 60

/** A notice about what the user typed in another markup than Slack's, outside of code and of what Slack reads. */
export function markupNotices(typed: string): readonly Problem[] {
  const rest = typed.replace(slackMarkup, ' ')
  const lines = rows.flatMap(([form, advice]) => {
    const found = new Set((rest.match(form) ?? []).map((match) => shorten(match.trim(), maxLength)))
    return found.size === 0 ? [] : [text`${list([...found], { max: maxShown })}: ${advice}.`]
  })
  return lines.length === 0 ? [] : [notice('Slack may show parts of the comment as typed', join(lines, '\n'))]
}

/** More edits would also find other words: a comment may hold JSON or code. */
const maxEdits = 2
const maxReported = 3

/** What other tools call a placeholder. */
const otherTools =
  /^(files?|source|subject|title|(file_?)?name|path|size|count|branch|ref|tag|sha|commit|(run_?|job_?)?(url|link)|repo(sitory)?|workflow)$/i

/** https://docs.github.com/en/actions/reference/workflows-and-actions/contexts */
const expression =
  /(?<!\$)\{\{ ?((?:env|github|inputs|job|matrix|needs|runner|secrets|steps|vars)\.[^{}\n]{1,100})\}\}/g

/**
 * What to know about words in braces that are almost placeholders or expressions (a warning), or placeholders of other tools (a
 * notice).
 *
 * @param input the name of the input
 * @param known the placeholders of this input, without braces
 */
export function placeholderProblems(input: string, typed: string, known: readonly string[]): readonly Problem[] {
  const title = `Unknown placeholder in ${input}`
  const expressions = Array.from(typed.matchAll(expression), ([shown]) => shown)
  const shownExpressions = list(expressions, { max: maxReported })
  const missing = text`${shownExpressions}: an expression begins with ${code('$')}: ${`$${expressions[0]}`}.`
  const problems = expressions.length === 0 ? [] : [warning(title, missing)]
  const found = [...typed.matchAll(/(\$\{|\{\{|\{)([^{}\n]{1,20})\}\}?/g)].flatMap(([shown, open, word = '']) => {
    const isPlain = open === '{'
    if (isPlain && known.includes(word)) return []
    const isAlmost = isPlain && closestMatch(word.toLowerCase(), known, { maxDistance: maxEdits }) !== undefined
    return isAlmost || otherTools.test(word.trim()) ? [{ shown, isAlmost }] : []
  })
  if (found.length === 0) return problems
  const unknown = list([...new Set(found.map(({ shown }) => shown))], { max: maxReported })
  const names = known.map((name) => code(`{${name}}`))
  const placeholders = text`the placeholders of ${code(input)} are ${list(names)}`
  const problem = found.some(({ isAlmost }) => isAlmost) ? warning : notice
  const explanation = text`${unknown}: ${placeholders}, in single braces and without ${code('$')}. Other braces are posted as typed.`
  return [...problems, problem(title, explanation)]
}
