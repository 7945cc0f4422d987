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
