const modulus = 2 ** 31 - 1

/** Pseudorandom numbers from 0 to 1. */
export function seeded(seed: number): () => number {
  // A Lehmer generator. Small seeds are spread, because its first numbers would be alike.
  let state = (Math.imul(seed, 0x9e3779b1) >>> 1) % modulus || 1
  return () => {
    state = (state * 48_271) % modulus
    return state / modulus
  }
}

/** Random choices, from numbers from 0 to 1. */
export function choices(random: () => number) {
  /** Both ends included. */
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  return {
    whole,
    chance: (probability: number) => random() < probability,
    pick: <T>(list: readonly T[]): T => list[whole(0, list.length - 1)] as T,
    /** One to `max` items, in random order. */
    someOf: <T>(list: readonly T[], max: number): readonly T[] =>
      list
        .map((one) => ({ one, at: random() }))
        .sort((a, b) => a.at - b.at)
        .slice(0, whole(1, max))
        .map(({ one }) => one),
  }
}
