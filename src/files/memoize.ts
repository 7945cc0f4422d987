/** The function, called once for all items with the same JSON. */
export function memoize<Item, Result>(look: (item: Item) => Result) {
  const results = new Map<string, Result>()
  return (item: Item) => {
    const key = JSON.stringify(item)
    const result = results.get(key) ?? look(item)
    results.set(key, result)
    return result
  }
}
