import { code, type Text, text } from '../text/text.ts'

const onePerLine = text`one pattern per line below ${code('files: |')} (${code('files: >')} joins the lines), or a JSON list such as ${code('["a.csv", {"path": "b.csv"}]')}`
const noShell = text`is taken literally: no shell reads this text. Write an expression, such as ${code('${{ github.workspace }}')} or ${code('${{ env.NAME }}')}, or ${code('${{ steps.ID.outputs.NAME }}')} for what an earlier step finds out`
const wholeLanguage = text`A line is one pattern, and patterns support ${code('*')}, ${code('**')}, ${code('?')}, ${code('[a-z]')}, ${code('{a,b}')}, ${code('\\')} before a character that is meant literally (not on Windows), and ${code('!')} at the start of a line, which excludes`

/** What is no pattern, each with what to say after it. */
const forms: readonly (readonly [RegExp, Text])[] = [
  [
    /\$?\{\{(?:.*?\}\})?|\b(?:steps|needs)\.[\w-]+\.outputs\.[\w-]+|^(?:github\.workspace|runner\.temp|(?:env|vars)\.[A-Z_]+)\b/,
    text`is not replaced by GitHub: write it in the workflow file itself, in ${code('${{ }}')}`,
  ],
  [
    /^(?:Array|Object|null|undefined|true|false)$/,
    text`is what an expression came out as. Write ${code('${{ toJSON(…) }}')}`,
  ],
  [/(?<=\s)#(?:\s.*)?$/, text`is taken as part of the name: only a whole line can be a comment`],
  [
    /^[a-z][a-z\d]+:(?=\/|$)/i,
    text`begins an address: download the file in an earlier step, and write its path`,
  ],
  // `Outer$Inner.class` is a name.
  [/\$\(.+\)|`.+`|(?<!\w)\$\{?(?:env:)?[a-z_]\w*\}?|%[a-z_]\w*%/i, noShell],
  [
    /^[[{]\s*["']|^\[(?=.*[,/].*\]$)/,
    text`looks like a list, but is not valid JSON: write ${onePerLine}`,
  ],
  [
    /(?<=^[^\\]*\.\w+)\\n/,
    text`is two characters in an expression: a line break is ${code('fromJSON(\'"\\n"\')')}`,
  ],
  [/^-/, text`has no meaning at the start of a line: remove it, or write ${code('!')} to exclude`],
  [
    /^(?:(["'])(?:(?!\1).)*\1|[“„‘«][^“„‘«”’»]*[“”‘’»])$/,
    text`is taken with its quotes as part of the name: remove them`,
  ],
  [
    /[!@+]\(|\||&&|^\^|\$$|\.[*+](?=[\w\\])|[“”„‘’«»]/,
    text`has no special meaning here. ${wholeLanguage}`,
  ],
  [/\{[^}]*$|\[[^\]]*$/, text`is not closed. ${wholeLanguage}`],
  [
    /^(?:(?:"[^"]*"|'[^']*'|(?!["'])[^\s,;]*[.*][^\s,;/.*]*)(?:[\s,;]+|$)){2,}$/,
    text`is one pattern. If several are meant, write ${onePerLine}`,
  ],
  [
    /^[^{},;]*[.*/]\w{0,9}[,;]/,
    text`with what follows is one pattern. If several are meant, write ${onePerLine}`,
  ],
  [
    /\/\/|\{\}|\/\.(?:csv|html|json|log|txt|xml|zip)$/,
    text`looks as if an expression in it was empty`,
  ],
  [
    /^(?=.*[\s,])(?!.*\.\w+$)[^\\/*?]+$/,
    text`is no path. A text goes into ${code('comment')}. Of several patterns, write ${onePerLine}`,
  ],
  [/\\/, text`makes the character after it literal: write ${code('/')} between folders`],
]

/** What the line holds that is no pattern, and why. */
export function otherLanguage(written: string): Text | undefined {
  return forms.flatMap(([form, why]) => {
    const [what] = form.exec(written) ?? []
    return what === undefined ? [] : [text`${what.trim()} ${why}.`]
  })[0]
}
