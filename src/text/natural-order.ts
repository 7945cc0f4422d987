/**
 * The items in the order that people expect: `part-2` before `part-10`. Not by locale: the order must not depend on the
 * machine.
 */
export function sortNaturally<Item>(items: readonly Item[], textOf: (item: Item) => string): readonly Item[] {
  return items
    .map((item) => ({ item, parts: textOf(item).split(/(\d+)/) }))
    .sort((a, b) => compareParts(a.parts, b.parts))
    .map(({ item }) => item)
}

/** Every second part is a number. */
function compareParts(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const [first = '', second = ''] = [a[index], b[index]]
    const difference = index % 2 === 0 ? compare(first, second) : compareNumbers(first, second)
    if (difference !== 0) return difference
  }
  return a.length - b.length || compare(a.join(''), b.join(''))
}

/** Whatever their length: a number of JavaScript does not hold all digits. */
function compareNumbers(a: string, b: string): number {
  const [first = '', second = ''] = [a, b].map((digits) => digits.replace(/^0+(?=\d)/, ''))
  return first.length - second.length || compare(first, second)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
