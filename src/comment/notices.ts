import { closestMatch } from 'leven'
import { notice, type Problem, warning } from '../problem.ts'
import { shorten } from '../text/sanitize.ts'
import { list, type Text, text } from '../text/text.ts'

/** Text that is posted as typed. */
const everywhere = [
  /^\s*(?:null|undefined|Array|Object)\s*$/g,
  /^\s*"(?:[^"\\\n]|\\.)*"\s*$/g,
  /\$?\{\{[^{}\n]{1,200}\}\}|\$\{[a-z_][^{}\n]{0,199}\}|\{(?:env|github|steps|vars)\.[^{}\n]{1,99}\}|\$(?:GITHUB|RUNNER)_\w+/gi,
  // `$(date)`, or the link `<${{ vars.URL }}|text>` without its address.
  /\$\([a-z][^()\n]{0,199}\)|<\|[^<>|\n]{1,200}>/gi,
  // Not in a Windows path or a URL.
  /(?<![a-z]:\S{0,200})(?:\\n|%0A)/gi,
]
const evaluated = text`GitHub evaluates only \`\${{ … }}\`, only in a workflow file, and what comes out is posted as it is. Is each variable in it set? For the result of a command, run it in an earlier step, and write \`\${{ steps.ID.outputs.NAME }}\`. For several lines, write \`comment: |-\` and the lines below it. For text from \`actions/github-script\`, set \`result-encoding: string\` there.`

/** Code, and what Slack reads. Its label can hold anything. */
const noMention =
  /```[\s\S]*?```|`[^`\n]*`|<(?:@[UW][A-Z0-9]+|!subteam\^S[A-Z0-9]+|(?!@|!subteam|!all\b)[^<>|\n]+)(?:\|[^<>\n]*)?>/g
const mentions = [
  /<(?:@|!subteam|!all)[^<>\n]{0,80}>/g,
  /(?<![\p{L}\p{N}<@/])@[\p{L}\p{N}](?:[\w.-]{0,60}\w)?(?![\w/@-])/gu,
]

/** https://docs.slack.dev/messaging/formatting-message-text */
export function mentionNotices(typed: string): readonly Problem[] {
  const others = typed.replace(noMention, ' ')
  const found = mentions.flatMap((form) => others.match(form) ?? [])
  const advice = text`Slack reads \`<@U0123456789>\` (profile, three dots, Copy member ID), \`<!subteam^S0123456789>\` for a group and, with \`allow-broadcast: true\`, \`<!here>\` or \`<!channel>\`.`
  return found.length === 0
    ? []
    : [notice('A mention notifies nobody', text`${shownOf(found)}: ${advice}`)]
}

const maxShown = 3
/** Characters. */
const maxLength = 60

function shownOf(found: readonly string[]): Text {
  const short = new Set(found.map((match) => shorten(match.trim(), maxLength)))
  return list([...short], { max: maxShown })
}

/** Placeholders of other tools. */
const namesOfFiles =
  /^(files?|names?|list|source|subject|title|file_?name|path|size|count|(run_?|job_?)?(url|link))$/
const namesOfRun =
  /^(branch|(head_)?ref(_name)?|tag|version|sha|commit|actor|author|repo(sitory)?|run(_number|_id)?|pr(_number)?|job|workflow|status|date|time)$/

/** `{files}`, `{{ files }}`, `${files}`, or the unclosed `{files`. */
const inBraces =
  /(?<!<!date\^[^<>]{0,200})(?:\$\{|\{\{|\{) ?([a-z_]{1,20})(?: ?((?<=\{\{[^{}]*)\}\}|\})|(?![\w}:]))/gi

/**
 * A warning about misspelled placeholders, and a notice about forms that are never filled in.
 *
 * @param placeholders without braces
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
  const title = `Parts of ${input} are posted as typed`
  const found = everywhere.flatMap((form) => others.match(form) ?? [])
  const notices = found.length === 0 ? [] : [notice(title, text`${shownOf(found)}: ${evaluated}`)]
  if (unknown.size === 0) return notices
  const names = list(placeholders.map((name) => `{${name}}`))
  const explanation = text`${shownOf([...unknown])}: only ${names} are filled in, written exactly like this. For what GitHub knows, write an expression, like \`\${{ github.ref_name }}\`.`
  return [warning(`Check the braces in ${input}`, explanation), ...notices]
}

function unknownPlaceholders(typed: string, placeholders: readonly string[]): ReadonlySet<string> {
  const unknown = [...typed.matchAll(inBraces)].filter(([shown, typedName = '', end]) => {
    const name = typedName.toLowerCase()
    if (placeholders.includes(name)) return shown !== `{${name}}`
    const isKnown = namesOfFiles.test(name) || namesOfRun.test(name)
    // More edits would find other words, since a comment may hold JSON or code.
    return end && (isKnown || closestMatch(name, placeholders, { maxDistance: 2 }))
  })
  return new Set(unknown.map(([shown]) => shown))
}
