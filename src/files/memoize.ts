/** The function, called once for each key. */
export function memoize<Item, Result>(look: (item: Item) => Result, keyOf: (item: Item) => string) {
  const results = new Map<string, Result>()
  return (item: Item) => {
    const key = keyOf(item)
    const result = results.get(key) ?? look(item)
    results.set(key, result)
    return result
  }
}
