/** In decimal units. */
export function size(bytes: number): string {
  const exponent = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3))
  const value = (bytes / 1000 ** exponent).toLocaleString('en', {
    maximumFractionDigits: exponent === 0 ? 0 : 1,
  })
  return `${value} ${['B', 'KB', 'MB', 'GB', 'TB'][exponent]}`
}

export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}
