import { parseJson } from '../json.ts'
import { type Problem, warning } from '../problem.ts'
import { expressionOf, unquoted } from '../text/expressions.ts'
import { join, list, showValue, type Text, text } from '../text/text.ts'

/** https://docs.slack.dev/reference/methods/files.completeUploadExternal */
const maxChannels = 100

export function splitChannels(value: string, isExternal: boolean): readonly string[] {
  return [...new Set(entriesOf(value, isExternal).filter(Boolean))]
}

/** An unset variable leaves an empty entry between two commas or on the first line. */
function entriesOf(value: string, isExternal: boolean): readonly string[] {
  const json = parseJson(value)
  const items = Array.isArray(json) ? json.map(String) : undefined
  const texts = items ?? [withoutComments(value).replace(/^[^\S\n]*\n/, ',')]
  // Opaque IDs in JSON may hold spaces.
  const separator = items && !isExternal ? ',' : /\s*,\s*|\s+/
  return texts.flatMap((item) => item.trim().split(separator)).map((id) => unquoted(id.trim()))
}

function withoutComments(channels: string): string {
  return channels.replace(/^[^\S\n]*#(?!\S).*\n?/gm, '')
}

/** @param isExternal Slack's rules apply; for `files.upload`, IDs are opaque */
export function channelsProblem(value: string, isExternal: boolean): Text | undefined {
  const channels = splitChannels(value, isExternal)
  const [comment] =
    /(?<!\S)#(?!\S).*/.exec(channels.length === 0 ? value : withoutComments(value)) ?? []
  if (comment !== undefined) {
    return text`contains ${showValue(comment)}. If a variable follows the \`#\`, is it set? If that's a channel name, remove the space after \`#\`. If it's a comment, put it on its own line, above the channels.`
  }
  if (channels.length === 0) {
    return text`is empty. Write at least one channel, like \`channels: C0123456789\` or \`channels: '#general'\`: without the quotes, YAML reads the name as a comment. If it comes from \`vars.X\`, is that variable set in this repository?`
  }
  const json = /^(\[|\{(?!\{))/.test(value) ? parseJson(value) : ''
  // For `files.upload`, `{1-2-3}` can be an ID.
  if (json === undefined && (isExternal || value.includes('"'))) {
    return text`is not valid JSON. Is a double quote missing, or is there a comma too many? Write a list like \`["C0123456789", "#releases"]\`.`
  }
  const other = [json].flat().find((item) => typeof item !== 'string')
  if (other !== undefined) {
    return text`is JSON with ${showValue(JSON.stringify(other))}. Write a list of strings, like \`["C0123456789", "#releases"]\`. To pick an entry of an object, write \`\${{ fromJSON(vars.CHANNELS)[matrix.team] }}\` with your names.`
  }
  if (/^[^\S\n]*-\s/m.test(value)) {
    return text`is text, not a YAML list. Remove the leading \`- \`, and separate IDs by commas, spaces or line breaks.`
  }
  return isExternal ? slackChannelsProblem(channels) : undefined
}

function slackChannelsProblem(channels: readonly string[]): Text | undefined {
  if (channels.length > maxChannels) {
    return text`has ${channels.length} channels, but a message can go to at most ${maxChannels}. Use several steps.`
  }
  const problems = Array.from(Map.groupBy(channels, entryProblem), ([problem, alike]) =>
    problem === undefined
      ? []
      : text`contains ${list(alike.map(showValue), { max: 3 })}: ${problem}`,
  )
  const all = join(problems, '\n`channels` ')
  return all.length > 0 ? all : undefined
}

/** `C0123456789` or `U0123456789` */
const isId = (entry: string) => /^[CDGUWZ][A-Z0-9]{8,}$/.test(entry)

/** `#releases`: letters of any script, and of ASCII's signs only `-`, `.`, `_`. */
const isName = (entry: string) =>
  /^#[^\s\p{Pi}\p{Pf}!-,/:-@[-^\x60{-\x7f]{1,80}$/u.test(entry) &&
  /[\p{L}\p{N}]/u.test(entry) &&
  !isId(entry.slice(1))

const writeTheId = text`Write the channel ID, like \`C0123456789\`. It's at the bottom of the channel's details (click the channel name).`

/** Mistake → advice. The first match counts. */
export const kinds: readonly (readonly [form: RegExp, problem: Text])[] = [
  [
    /^([^\p{L}\p{N}#]+|and|or)$/u,
    text`not a channel. Remove it: commas, spaces and line breaks separate channels.`,
  ],
  [
    /^!|\*/,
    text`not a channel: \`!\` and \`*\` mean nothing here. Write each channel that gets the files.`,
  ],
  [
    /^[$%]|^\{\{|^(null|undefined|Array|Object)$/,
    text`not the value of a variable. Write \`\${{ vars.NAME }}\` with your variable's name, or for a list \`\${{ toJSON(…) }}\`.`,
  ],
  [
    /^@(here|channel|everyone)$|^<!|^S(?=[A-Z]*\d)[A-Z0-9]{8,}$/,
    text`a mention or a user group. Both belong in the comment, like \`<!here>\` or \`<!subteam^S0123456789>\`. ${writeTheId}`,
  ],
  [
    /^@|^[^@]+@[^@]+\.[^@.]+$|^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)+$/u,
    text`not a channel. For a person, write their member ID, like \`U0123456789\` (profile, three dots, Copy member ID).`,
  ],
  [
    /^[ABEFT](?=[A-Z]*\d)[A-Z0-9]{8,}$|hooks\.slack/,
    text`a webhook, or the ID of an app, a file, a workspace or an organization. None of these accepts files. ${writeTheId}`,
  ],
  [
    /^[CGDZUW](?=[A-Z]*\d)[A-Z0-9]{1,7}$|^[CGDZUWcgdzuw]\d[A-Za-z0-9]{7,}$/,
    text`not a channel ID, which has nine characters or more, all of them digits or capital letters. ${writeTheId}`,
  ],
]

/** The same object for the same mistake, unless it names the entry. */
function entryProblem(entry: string): Text | undefined {
  if (isId(entry) || isName(entry)) return undefined
  const expression = expressionOf(entry)
  if (expression) return text`not a channel. Write ${expression} in its place.`
  const [, problem] = kinds.find(([form]) => form.test(entry)) ?? []
  if (problem) return problem
  return isName(`#${entry}`) && !partOfSecret.test(entry)
    ? text`not a channel ID. ${writeTheId} If it's a channel name, write ${`'#${entry}'`} with the quotes. Names have hyphens instead of spaces, like \`#my-team\`.`
    : neither
}

const neither = text`neither a channel ID nor a channel name. Commas, spaces and line breaks separate channels. ${writeTheId}`

const partOfSecret = /xox|xapp|hooks\.slack/

export function gapWarnings(channels: string, isExternal: boolean): readonly Problem[] {
  const entries = entriesOf(channels, isExternal)
  if (!entries.includes('') || new Set(entries).size === 1) return []
  const explanation = text`\`channels\` has an empty entry besides ${showValue(entries.filter(Boolean).join(', '))}.\nIf it comes from a variable, is that variable set? If it's a name like \`#releases\`, put the whole value in quotes: otherwise YAML reads the name as a comment. If nothing is missing, remove the comma or the blank line.`
  return [warning('A channel is missing', explanation)]
}

export function threadTsProblem(
  ts: string,
  channels: readonly string[],
  isExternal: boolean,
): Text | undefined {
  if (ts === '') return undefined
  const wrong = isExternal ? slackTsProblem(ts, channels) : undefined
  if (wrong !== undefined || channels.length < 2) return wrong
  return text`needs exactly one channel, but \`channels\` has ${channels.length}. Use one step for each thread.`
}

function slackTsProblem(ts: string, channels: readonly string[]): Text | undefined {
  if (/^\d{10}\.\d{6}$/.test(ts)) return undefined
  // The ts of this message would be wrong in the next run.
  if (/^[[{]/.test(ts))
    return text`is ${showValue(ts)}. Write the output \`ts\` of the step that posted the message.`
  const write = text`is ${showValue(ts)}. Write the ts of the thread's first message, not of a reply, in quotes`
  // A reply's link also names the thread's first message.
  const [, seconds, decimals] =
    /(?:^.*thread_ts=|(?<!\d))(\d{10})[.,\s]?(\d{6})(?!\d)/.exec(ts) ?? []
  if (seconds === undefined) {
    const rounded = /^\d+\.[\d.e+]*$/i.test(ts)
      ? text` Without quotes, YAML may have dropped decimals.`
      : []
    return text`${write}, like \`'1760688662.900279'\`: seconds and six decimals.${rounded}`
  }
  const [, place] = /\/archives\/(\w+)/.exec(ts) ?? []
  const where =
    place === undefined || channels.includes(place)
      ? []
      : text` That message is in the channel ${place}: \`channels\` must name it.`
  const output = place ? text` If it comes from an earlier step, write its output \`ts\`.` : []
  return text`${write}: ${`'${seconds}.${decimals}'`}.${output}${where}`
}
