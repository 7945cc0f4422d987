const modulus = 2 ** 31 - 1

/** Numbers from 0 to 1 that look random and are the same for the same seed. */
export function seeded(seed: number): () => number {
  // A Lehmer generator; its first numbers would tell small seeds apart badly.
  let state = (Math.imul(seed, 0x9e3779b1) >>> 1) % modulus || 1
  return () => {
    state = (state * 48_271) % modulus
    return state / modulus
  }
}

/** Choices by a source of numbers from 0 to 1. */
export function choices(random: () => number) {
  /** Both ends included. */
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  return {
    whole,
    chance: (probability: number) => random() < probability,
    pick: <T>(list: readonly T[]): T => list[whole(0, list.length - 1)] as T,
    /** At least one of the list, at most `max`, in any order. */
    someOf: <T>(list: readonly T[], max: number): readonly T[] =>
      list
        .map((one) => ({ one, at: random() }))
        .sort((a, b) => a.at - b.at)
        .slice(0, whole(1, max))
        .map(({ one }) => one),
  }
}
