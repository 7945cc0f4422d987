export interface Mutation {
  /** Index of a value in the JSON, modulo their number. */
  readonly node: number
  /** `null` removes the value. */
  readonly value: unknown
}

/** A copy of the JSON with some values replaced or removed. */
export function mutate(json: object, mutations: readonly Mutation[]): object {
  const copy = structuredClone(json)
  // Inserted values may be shared, and stay as they are.
  const places = placesIn(copy)
  for (const { node, value } of mutations) {
    const place = places[node % Math.max(1, places.length)]
    if (place === undefined) continue
    if (value === null) delete place.parent[place.key]
    else place.parent[place.key] = value
  }
  return copy
}

interface Place {
  readonly parent: Record<string, unknown>
  readonly key: string
}

const maxDepth = 8
const maxMembers = 50

function placesIn(json: unknown, depth = 0): readonly Place[] {
  if (typeof json !== 'object' || json === null || depth > maxDepth) return []
  const parent = json as Record<string, unknown>
  const keys = Object.keys(parent).slice(0, maxMembers)
  return keys.flatMap((key) => [{ parent, key }, ...placesIn(parent[key], depth + 1)])
}
