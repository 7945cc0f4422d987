import { closestMatch } from 'leven'
import { notice, type Problem, warning } from '../problem.ts'
import { shorten } from '../text/sanitize.ts'
import { code, join, list, type Text, text } from '../text/text.ts'

type Rows = readonly (readonly [form: RegExp, advice: Text])[]

/** What is posted as typed, in every comment and title → what to write. */
const everywhere: Rows = [
  [
    /^\s*(?:null|undefined|Array|Object)\s*$/g,
    text`an expression returned this: what it names doesn't exist, or isn't text`,
  ],
  [
    /^\s*"(?:[^"\\\n]|\\.)*"\s*$/g,
    text`this is JSON. If \`actions/github-script\` returned it, set \`result-encoding: string\` there`,
  ],
  [
    /\$?\{\{[^{}\n]{1,200}\}\}|\$\{[a-z_][^{}\n]{0,199}\}|\$(?:GITHUB|RUNNER)_\w+|(?<![\w./{=-]|\{ )(?:github\.(?:actor|ref|ref_name|repository|run_id|run_number|sha|workflow)|steps\.[\w-]+\.outputs\.[\w-]+|job\.status)(?![\w-])/gi,
    text`GitHub evaluates only expressions, written as \`\${{ … }}\`, and only in a workflow file`,
  ],
  // Not in a path of Windows, and not in a URL.
  [
    /(?<![a-z]:\S{0,200})(?:\\n|%0A)/gi,
    text`for several lines, write \`comment: |-\` and the lines below it`,
  ],
]

/** What Slack's mrkdwn does not read. */
const onSlack: Rows = [
  [
    /(\*\*|~~)(?![\s*~])(?:(?!\1).){1,200}\1/g,
    text`write one mark on each side: \`*bold*\` or \`~struck~\``,
  ],
  [
    /\[[^\]\n]{1,200}\]\(https?:\/\/[^\s)]{1,1000}\)|<https?:\/\/[^<>|\s]{1,1000} [^<>\n]{1,200}>|<[^<>|\n]{1,200}\|https?:\/\/[^<>\s]{1,1000}>|(?<!<)\bhttps?:\/\/[^<>|\s]{1,300}\|[^<>|\s]{1,200}/g,
    text`write a link as \`<https://example.com|text>\``,
  ],
  [
    /(?<![\p{L}\p{N}])@(?:here|channel|everyone)(?![\p{L}\p{N}_-])/gu,
    text`write \`<!here>\`, \`<!channel>\` or \`<!everyone>\`, and set \`allow-broadcast: true\``,
  ],
  [/<#[^<>\n]{0,80}>/g, text`write \`<#C0123456789>\` with the channel's ID`],
  [
    /<(?:@|!subteam\^)[^<>\n]{0,80}>|(?<![\p{L}\p{N}<@/])@(?!(?:here|channel|everyone)(?![\p{L}\p{N}_-]))[\p{L}\p{N}](?:[\w.-]{0,60}\w)?(?![\w/@-])/gu,
    text`this notifies nobody: Slack needs an ID. Write \`<@U0123456789>\` for a person (profile, three dots, Copy member ID), \`<!subteam^S0123456789>\` for a group`,
  ],
]

/** Code, and `<…>` that Slack reads: https://docs.slack.dev/messaging/formatting-message-text */
const slackMarkup =
  /```[\s\S]*?```|`[^`\n]*`|<(?:@[UW][A-Z0-9]+|#[A-Z0-9]+|!subteam\^S[A-Z0-9]+|!(?!subteam)[A-Za-z]+(?:\^[^<>|\n]+)?|[A-Za-z][A-Za-z\d+.-]*:[^<>|\s]+)(?:\|[^<>\n]*)?>/g

const maxShown = 3
/** Characters. */
const maxLength = 60

/** A notice about markup that is not Slack's, outside of code. */
export function markupNotices(typed: string): readonly Problem[] {
  return noticeAbout(
    'Slack may show parts of the comment as typed',
    typed.replace(slackMarkup, ' '),
    onSlack,
  )
}

function noticeAbout(title: string, typed: string, rows: Rows): readonly Problem[] {
  const lines = rows.flatMap(([form, advice]) => {
    const shown = new Set(
      (typed.match(form) ?? []).map((match) => shorten(match.trim(), maxLength)),
    )
    return shown.size === 0 ? [] : [text`${list([...shown], { max: maxShown })}: ${advice}.`]
  })
  return lines.length === 0 ? [] : [notice(title, join(lines, '\n'))]
}

/** What other tools call a placeholder → the expression to write. */
const otherTools: readonly (readonly [name: RegExp, expression: string | Text])[] = [
  [/^(branch|ref|ref_name|tag|version)$/, '${{ github.ref_name }}'],
  [/^(sha|commit)$/, '${{ github.sha }}'],
  [/^(actor|author)$/, '${{ github.actor }}'],
  [/^repo(sitory)?$/, '${{ github.repository }}'],
  [/^run(_number)?$/, '${{ github.run_number }}'],
  [/^pr(_number)?$/, '${{ github.event.number }}'],
  [/^status$/, '${{ job.status }}'],
  [
    /^(date|time)$/,
    text`\`\${{ steps.ID.outputs.date }}\` from a step that runs \`echo "date=$(date +%F)" >> "$GITHUB_OUTPUT"\``,
  ],
]

const contextNames =
  /^(base_ref|event_name|head_ref|job|run_attempt|run_id|triggering_actor|workflow)$/

/** What other tools call a placeholder that has no expression. */
const otherNames =
  /^(files?|names?|list|source|subject|title|file_?name|path|size|count|(run_?|job_?)?(url|link))$/

/** `{files}`, `{{ files }}`, `${files}`, or `{files` without its end. */
const inBraces =
  /(?<!<!date\^[^<>]{0,200})(?:\$\{|\{\{|\{) ?([a-z_]{1,20})(?: ?((?<=\{\{[^{}]*)\}\}|\})|(?![\w}:]))/gi

/**
 * A warning about what is almost a placeholder, and a notice about what works in no text.
 *
 * @param placeholders those of this input, without braces
 */
export function typedProblems(
  input: string,
  typed: string,
  placeholders: readonly string[],
): readonly Problem[] {
  const unknown = unknownPlaceholders(typed, placeholders)
  const others = typed
    .replace(/```[\s\S]*?```|`[^`\n]*`/g, ' ')
    .replace(inBraces, (shown) => (unknown.has(shown) ? ' ' : shown))
  const notices = noticeAbout(`Parts of ${input} are posted as typed`, others, everywhere)
  if (unknown.size === 0) return notices
  const names = list(placeholders.map((name) => `{${name}}`))
  const explanation = text`${list([...unknown.keys()], { max: maxShown })}: ${code(input)} fills in only ${names}, written exactly like this. Other braces and a \`$\` are posted as typed.`
  return [
    warning(`Check the braces in ${input}`, join([explanation, ...unknown.values()], '\n')),
    ...notices,
  ]
}

/** What is almost a placeholder, as typed → advice, if there is an expression for it. */
function unknownPlaceholders(
  typed: string,
  placeholders: readonly string[],
): ReadonlyMap<string, Text> {
  const unknown = new Map<string, Text>()
  for (const [shown, typedName = '', end] of typed.matchAll(inBraces)) {
    const name = typedName.toLowerCase()
    const isOurs = placeholders.includes(name)
    const expression = end && expressionFor(name)
    // More edits would also find other words: a comment may hold JSON or code.
    const isSimilar = () =>
      otherNames.test(name) || closestMatch(name, placeholders, { maxDistance: 2 })
    if (isOurs ? shown !== `{${name}}` : expression || (end && isSimilar())) {
      unknown.set(shown, expression ? text`For ${shown}, write ${expression}.` : [])
    }
  }
  return unknown
}

function expressionFor(name: string): string | Text | undefined {
  if (contextNames.test(name)) return `\${{ github.${name} }}`
  return otherTools.find(([other]) => other.test(name))?.[1]
}
