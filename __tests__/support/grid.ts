/**
 * Each line, and below it the result, unless it is the same. `⏎` is a line break, `¦` a character
 * without width, and other invisible ones are shown by number.
 */
export async function grid(
  lines: string,
  show: (line: string) => unknown | Promise<unknown>,
): Promise<string> {
  const rows = lines
    .trim()
    .split('\n')
    .map(async (line) => {
      const shown = await show(line.replaceAll('⏎', '\n'))
      const text = visible(typeof shown === 'string' ? shown : (JSON.stringify(shown) ?? 'nothing'))
      return text === visible(line) ? text : `${visible(line)}\n    ${text}`
    })
  return (await Promise.all(rows)).join('\n')
}

/** Each result, and below it the lines that have it. */
export async function groups(
  lines: string,
  say: (line: string) => Promise<string>,
): Promise<string> {
  const said = lines
    .trim()
    .split('\n')
    .map(async (line) => ({
      line: visible(line),
      text: await say(line.replaceAll('⏎', '\n')),
    }))
  const alike = Map.groupBy(await Promise.all(said), ({ text }) => text)
  return Array.from(alike, ([text, those]) =>
    [text, ...those.map(({ line }) => line)].join('\n    '),
  ).join('\n')
}

export function visible(text: string): string {
  return text
    .replaceAll('\n', '⏎')
    .replaceAll('\u200b', '¦')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}]|\u0301/gu, (sign) => `<${sign.codePointAt(0)?.toString(16)}>`)
}
