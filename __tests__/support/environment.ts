/** Runs `work` with these environment variables, then restores the old ones. */
export function withEnvironment<Result>(variables: NodeJS.ProcessEnv, work: () => Result): Result {
  const before = process.env
  process.env = { ...before, ...variables }
  const restore = () => {
    process.env = before
  }
  try {
    const result = work()
    if (result instanceof Promise) return result.finally(restore) as Result
    restore()
    return result
  } catch (error) {
    restore()
    throw error
  }
}
