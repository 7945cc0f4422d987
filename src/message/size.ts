const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** A count of bytes for people, in decimal units: `0 B`, `12 KB`, `1.2 MB`. */
export function formatSize(bytes: number): string {
  let value = bytes
  let unit = 0
  while (Number(short(value)) >= 1000 && unit < UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${short(value)} ${UNITS[unit]}`
}

function short(value: number): string {
  return value < 9.95 ? String(Math.round(value * 10) / 10) : String(Math.round(value))
}

/** `1 file`, `1,000 files`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** `1,000`. Not by `toLocaleString`, which loads the tables of all languages: 14 ms at the start of every run. */
export function formatNumber(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
