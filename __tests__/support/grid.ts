/**
 * The lines, and what is shown of each below it, unless it is the same. In a line and in what is
 * shown, `⏎` is a line break, and `¦` a character of no width.
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
      const text = typeof shown === 'string' ? shown : (JSON.stringify(shown) ?? 'nothing')
      const visible = text.replaceAll('\n', '⏎').replaceAll('\u200b', '¦')
      return visible === line ? line : `${line}\n    ${visible}`
    })
  return (await Promise.all(rows)).join('\n')
}
