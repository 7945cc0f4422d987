import { formatNumber } from './format.ts'
import { escapeInvisible, shorten } from './sanitize.ts'

/**
 * Keeps our own words apart from values, which each renderer escapes for its medium.
 *
 * - `words`: our own words. A `\n` begins a new line.
 * - `value`: text from outside, or one of our own names.
 */
export type Text = readonly { readonly kind: 'words' | 'value'; readonly text: string }[]

/** Characters. A long file name must not fill the log. */
const maxValueLength = 300

/**
 * An inserted string is a value, and a number is formatted (`1,000`).
 *
 * @example text`${file.path} has ${file.size} bytes. Raise \`timeout-minutes\`.`
 */
export function text(
  parts: TemplateStringsArray,
  ...inserted: readonly (string | number | Text)[]
): Text {
  return parts.flatMap((part, index) => [...sentence(part), ...partsOf(inserted[index])])
}

/** Backticks mark our own names, like inputs and scopes. */
function sentence(ours: string): Text {
  return ours.split('`').flatMap((part, index) => (index % 2 === 0 ? words(part) : partsOf(part)))
}

export function words(ours: string): Text {
  return ours === '' ? [] : [{ kind: 'words', text: ours }]
}

/** Joins the texts that are not empty. */
export function join(texts: readonly Text[], separator: string): Text {
  return texts
    .filter((part) => part.length > 0)
    .flatMap((part, index) => [...(index === 0 ? [] : sentence(separator)), ...part])
}

/** `a, b and 3 more`, with at most `max` items. A string is a value. */
export function list(
  items: readonly (string | Text)[],
  { max = Infinity, separator = ', ' }: { readonly max?: number; readonly separator?: string } = {},
): Text {
  const more = items.length - max
  const shown = join(items.slice(0, max).map(partsOf), separator)
  return more > 0 ? [...shown, ...words(` and ${formatNumber(more)} more`)] : shown
}

/** For errors. A secret in the wrong input is hidden. */
export function showValue(value: string): Text {
  if (/xox[a-z][.-]|xapp-|hooks\.slack\.com/i.test(value)) return text`a secret (not shown)`
  return text`${shorten(value.replace(/\s+/g, ' '), 100)}`
}

/** For the log: backticks around values. */
export function quoted(from: Text): string {
  return render(from, { words: (ours) => ours, value: (value) => `\`${value}\`` })
}

/** The renderer gets each value on one line, printable and shortened. */
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
