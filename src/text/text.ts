import { formatNumber } from './format.ts'
import { escapeInvisible, shorten } from './sanitize.ts'

/**
 * A text that keeps our own words apart from the values in it, so that each renderer can escape the
 * values for its medium.
 *
 * - `words`: our own words. A `\n` begins a new line.
 * - `value`: text from outside, such as a file name or an error code of the service, which can hold
 *   anything; or one of our own names.
 */
export type Text = readonly { readonly kind: 'words' | 'value'; readonly text: string }[]

/** Characters of a value that are shown: a long file name never fills the log. */
const maxValueLength = 300

/**
 * Makes a `Text` from a template. An inserted string is a value, a number is formatted (`1,000`),
 * and a `Text` stays a text.
 *
 * @example text`${file.path} has ${file.size} bytes. Raise \`timeout-minutes\`.`
 */
export function text(
  parts: TemplateStringsArray,
  ...inserted: readonly (string | number | Text)[]
): Text {
  return parts.flatMap((part, index) => [...sentence(part), ...partsOf(inserted[index])])
}

/** Our own words, in which backticks mark our own names: inputs, scopes, what to type. */
export function sentence(ours: string): Text {
  return ours.split('`').flatMap((part, index) => (index % 2 === 0 ? words(part) : code(part)))
}

/** One of our own names, such as an input, a scope or a command. It is shown like a value. */
export function code(name: string): Text {
  return [{ kind: 'value', text: name }]
}

/** Our own words that are not written where they are used, such as an entry of a table. */
export function words(ours: string): Text {
  return ours === '' ? [] : [{ kind: 'words', text: ours }]
}

/** The texts one after the other; empty ones are left out. The separator is our own words. */
export function join(texts: readonly Text[], separator: string): Text {
  return texts
    .filter((part) => part.length > 0)
    .flatMap((part, index) => [...(index === 0 ? [] : sentence(separator)), ...part])
}

/** `a, b and 3 more`: at most `max` of the items. A string is a value. */
export function list(
  items: readonly (string | Text)[],
  {
    max = Number.POSITIVE_INFINITY,
    separator = ', ',
  }: { readonly max?: number; readonly separator?: string } = {},
): Text {
  const more = items.length - max
  const shown = join(items.slice(0, max).map(partsOf), separator)
  return more > 0 ? [...shown, ...words(` and ${formatNumber(more)} more`)] : shown
}

/** A value in an error: short, and never a secret that was written into the wrong input. */
export function showValue(value: string): Text {
  if (/xox[a-z][.-]|xapp-|hooks\.slack\.com/i.test(value)) return text`a secret (not shown)`
  return text`${shorten(value.replace(/\s+/g, ' '), 100)}`
}

/** The text for a log: each value and name is in backticks. */
export function quoted(from: Text): string {
  return render(from, { words: (ours) => ours, value: (value) => `\`${value}\`` })
}

/**
 * Renders our words with `words`, and values with `value`. Each value that the renderer gets is on
 * one line, without invisible characters, and has at most 300 characters.
 */
export function render(
  from: Text,
  renderer: {
    readonly words: (words: string) => string
    readonly value: (value: string) => string
  },
): string {
  return from
    .map((part) =>
      part.kind === 'words' ? renderer.words(part.text) : renderer.value(printable(part.text)),
    )
    .join('')
}

function printable(value: string): string {
  return shorten(escapeInvisible(shorten(value, maxValueLength)), maxValueLength)
}

function partsOf(inserted: string | number | Text | undefined): Text {
  if (inserted === undefined) return []
  if (typeof inserted === 'number') return words(formatNumber(inserted))
  return typeof inserted === 'string' ? [{ kind: 'value', text: inserted }] : inserted
}
