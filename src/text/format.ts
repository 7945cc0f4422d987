const units = ['B', 'KB', 'MB', 'GB'] as const

/** Bytes in decimal units: `0 B`, `12 KB`, `1.2 MB`. */
export function formatSize(bytes: number): string {
  let value = bytes
  let unit = 0
  while (Number(round(value)) >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${round(value)} ${units[unit]}`
}

function round(value: number): string {
  return value < 9.95 ? String(Math.round(value * 10) / 10) : String(Math.round(value))
}

/** `1 file`, `1,000 files` */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** `1,000`. `toLocaleString` takes 14 ms to load its tables. */
export function formatNumber(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `a, b and 3 more`, with at most `max` items. */
export function formatList(items: readonly string[], max: number): string {
  const more = items.length - max
  return items.slice(0, max).join(', ') + (more > 0 ? ` and ${formatNumber(more)} more` : '')
}

/** Milliseconds as `0.4 s`, `12 s`, `185 s`. */
export function formatDuration(milliseconds: number): string {
  return `${round(milliseconds / 1000)} s`
}
