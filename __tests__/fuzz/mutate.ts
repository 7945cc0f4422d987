export interface Mutation {
  /** Index of a value in the JSON, modulo their number. */
  readonly node: number
  /** `null` removes the value. */
  readonly value: unknown
}

/** A copy of the JSON with some values replaced or removed. */
export function mutate(json: object, mutations: readonly Mutation[]): object {
  const text = JSON.stringify(json)
  let places = 0
  JSON.parse(text, () => void places++)
  // The last is the whole.
  places -= 1
  let at = 0
  return JSON.parse(text, (_, value) => {
    const mutation = mutations.find(({ node }) => node % places === at)
    at += 1
    return mutation === undefined ? value : (mutation.value ?? undefined)
  })
}
