/**
 * The lines, and what is shown of each below it, unless it is the same. `⏎` is a line break, `¦` a
 * character of no width, and others that print nothing are shown by their number.
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

export function visible(text: string): string {
  return text
    .replaceAll('\n', '⏎')
    .replaceAll('\u200b', '¦')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}]|\u0301/gu, (sign) => `<${sign.codePointAt(0)?.toString(16)}>`)
}
