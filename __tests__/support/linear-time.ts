/**
 * Does 16 times the input take about 16 times as long, not 256 times, as with quadratic time? Other
 * load only lengthens a run, so one good pair of twenty is enough.
 */
export async function takesLinearTime(
  task: (size: number) => unknown,
  size: number,
): Promise<boolean> {
  for (let round = 0; round < 20; round += 1) {
    if ((await duration(task, 16 * size)) < 100 * (await duration(task, size))) return true
  }
  return false
}

async function duration(task: (size: number) => unknown, size: number): Promise<number> {
  const begin = performance.now()
  await task(size)
  return performance.now() - begin
}
