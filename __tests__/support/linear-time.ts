/**
 * Whether a task takes linear time: sixteen times as much takes about 16 times as long, and 256
 * times if the time grows with the square of the size. What else the machine does only lengthens a
 * run, so one of twenty pairs is enough.
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
