/** Calls the function once for equal strings, or items with the same JSON. */
export function memoize<Item, Result>(look: (item: Item) => Result) {
  const results = new Map<string, Result>()
  return (item: Item) => {
    const key = typeof item === 'string' ? item : JSON.stringify(item)
    if (!results.has(key)) results.set(key, look(item))
    return results.get(key) as Result
  }
}
