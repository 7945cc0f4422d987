import leven from 'leven'

/**
 * Ignores case, punctuation, doubled letters, a number in only one of the names (unless numbers
 * count), and one letter or the order of all.
 */
export function isAlmost(typed: string, name: string, numbersCount = false): boolean {
  if (firstLetter(typed) !== firstLetter(name)) return false
  const [a = '', b = ''] = [typed, name].map((one) =>
    one.toLowerCase().replace(/\P{L}/gu, '').replace(/(.)\1/gu, '$1'),
  )
  const [digits, others] = [typed, name].map((one) => one.replace(/\D/g, ''))
  const otherNumber = digits !== others && (numbersCount || (digits && others))
  if (Math.min(a.length, b.length) < 3 || otherNumber) return false
  const sorted = (letters: string) => [...letters].sort().join('')
  return leven(a, b) < 2 || sorted(a) === sorted(b)
}

function firstLetter(name: string): string | undefined {
  return /[^\d._-]/.exec(name)?.[0].toLowerCase()
}
