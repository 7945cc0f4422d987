export interface Mutation {
  /** The place of a value in the JSON, counted round. */
  readonly node: number
  /** `null`: the value is removed. */
  readonly value: unknown
}

/** A copy of the JSON in which some values are replaced or removed. */
export function mutate(json: object, mutations: readonly Mutation[]): object {
  const copy = structuredClone(json)
  for (const { node, value } of mutations) {
    const places = placesIn(copy)
    const place = places[node % Math.max(1, places.length)]
    if (place === undefined) continue
    if (value === null) delete place.parent[place.key]
    // A copy: a later change may be inside it, and the value itself may come again, in this case or in another.
    else place.parent[place.key] = structuredClone(value)
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
