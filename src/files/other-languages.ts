import path from 'node:path'
import { type Text, text } from '../text/text.ts'
import type { PatternLine } from './patterns.ts'

const onePerLine = text`one pattern per line below \`files: |\` (\`files: >\` joins the lines), or a JSON list like \`["a.csv", {"path": "b.csv"}]\``
const noShell = text`is taken literally: no shell reads this text. Write an expression, like \`\${{ github.workspace }}\` or \`\${{ env.NAME }}\`, or \`\${{ steps.ID.outputs.NAME }}\` for what an earlier step finds out`
const wholeLanguage = text`A line is one pattern, and patterns support \`*\`, \`**\`, \`?\`, \`[a-z]\`, \`{a,b}\`, \`\\\` to take the next character literally (not on Windows), and \`!\` at the start of a line to exclude`

/** Forms that are no patterns, and the end of a sentence about each. The first match counts. */
export const forms: readonly (readonly [RegExp, Text])[] = [
  // `github.workspace`, without `${{ }}`. But `inputs.csv` is a name.
  [
    /\$?\{\{(?:.*?\}\})?|\b(?:steps|needs)\.[\w-]+\.outputs\.[\w-]+|^(?:env|github|inputs|matrix|runner|secrets|vars)\.(?!com\/|(?:\w{1,3}|html|json|yaml)$)[\w-]+(?=\/|$)/,
    text`looks like an expression, which GitHub evaluates only in a workflow file, written as \`\${{ … }}\``,
  ],
  // `reports/null/unit.csv`, or `[object Object]`.
  [
    /^(?:Array|Object|true|false)$|\[object Object\]|(?<![^/])(?:null|undefined)(?![^/])/,
    text`is what an expression returned. Does what it names exist, and is it text? For a list, write \`\${{ toJSON(…) }}\``,
  ],
  // `*.csv # all reports`
  [/(?<=\s)#(?:\s.*)?$/, text`is taken as part of the name: only a whole line can be a comment`],
  // `https://example.com/unit.csv`
  [
    /^[a-z][a-z\d]+:(?=\/|$)/i,
    text`begins a URL: write the path of a file, which an earlier step can download`,
  ],
  // `$REPORTS/*.csv`, `%REPORTS%`, or `report-%Y-%m-%d.csv`. But `Outer$Inner.class` is a name.
  [/\$\(.+\)|`.+`|(?<!\w)\$\{?(?:env:)?[a-z_]\w*\}?|%[a-z_]\w*%|%[a-z](?!\w)/i, noShell],
  // `['a.csv']`, `[\"a.csv\"]`, or `[a.csv, b.csv]`.
  [
    /^[[{]\s*\\?["']|^\[(?=.*[,/].*\]$)/,
    text`looks like a list, but is not valid JSON: write ${onePerLine}`,
  ],
  // `a.csv\nb.csv`, or `a.csv%0Ab.csv`
  [
    /(?<=^[^\\]*\.\w+)(?:\\n|%0A)/i,
    text`is no line break. For one in an expression, write \`fromJSON('"\\n"')\``,
  ],
  // `reports/.*\.csv`, or `[a-z]+.csv`.
  [
    /(?<![^/])\.[*+]|\.\*?[*+](?=[\w\\])|[\])]\+|\(\.\*|\\[wds]|\$$/,
    text`looks like a regular expression. In patterns, \`*\` alone stands for any characters`,
  ],
  // `- a.csv`, `not a.csv`, or `files: a.csv`.
  [
    /^(?:[-^]|(?:not|files:)(?=\s))/,
    text`has no meaning at the start of a line: remove it, or write \`!\` to exclude`,
  ],
  // `"docs/\303\234.csv"`, of `git diff --name-only`
  [
    /^"(?=.*"$).*[\\/][23]\d\d.*/,
    text`is a name as git quotes it: set \`core.quotePath\` to \`false\` in the step that lists it`,
  ],
  // `'*.csv'`, or `“*.csv”`.
  [
    /^(?:(["'`])(?:(?!\1).)*\1|[“„‘«][^“„‘«”’»]*[“”‘’»]),?$/,
    text`has quotes, which count as part of the name: remove them`,
  ],
  // `@(a|b).csv`, `a.csv && b.csv`, `a.csv > b.csv`, or the wide `＊.csv`.
  [/[!@+?]\(|\||&&|\s>\s|[“”„‘’«»／＊]/, text`has no special meaning here. ${wholeLanguage}`],
  // `*.{csv`
  [/\{[^}]*$|\[[^\]]*$/, text`is not closed. ${wholeLanguage}`],
  // `a.csv,`
  [/(?<=^[^\s,;]*)[,;]+$/, text`is taken as part of the name: remove it`],
  // `a.csv b.csv`, or `a.csv and b.csv`.
  [
    /^(?:(?:"[^"]*"|'[^']*'|(?!["'])[^\s,;]*[.*][^\s,;/.*]*)(?:(?:[\s,;]+(?:(?:and|or|\+|&)\s+)?)|$)){2,}$/,
    text`is one pattern. If several are meant, write ${onePerLine}`,
  ],
  // `a.csv,b c`
  [
    /^[^{},;]*[.*/]\w{0,9}[,;]/,
    text`with what follows is one pattern. If several are meant, write ${onePerLine}`,
  ],
  // `"logs\test.log"`, whose `\t` is a tab
  [
    /(?<![^/])[^/\p{Cc}]*\p{Cc}[^/]*/u,
    text`has a control character: in double quotes, YAML reads \`\\\` and a letter as one. Write \`/\` between folders`,
  ],
  // `The reports of this build`
  [
    /^(?=.*[\s,])(?!.*\.\w+$)[^\\/*?]+$/,
    text`is not a path. To post text, use \`comment\`. For several patterns, write ${onePerLine}`,
  ],
  // `reports\unit.csv`
  [
    /\\(?!n)|\\(?<=^[^.]{1,99})/,
    text`makes the character after it literal: write \`/\` between folders`,
  ],
]

export function otherLanguage({ isPath, pattern }: PatternLine): Text | undefined {
  if (isPath && /[*?]/.test(pattern))
    return text`An object names one file. For all that match, write a string, which starts at \`working-directory\`.`
  const written = pattern.replaceAll(path.sep, '/')
  return forms.flatMap(([form, why]) => {
    const [what] = form.exec(written) ?? []
    if (what === undefined) return []
    // The pattern was named before.
    return [text`${what === written ? text`It` : what.trim()} ${why}.`]
  })[0]
}
