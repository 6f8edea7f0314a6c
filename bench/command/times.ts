/**
 * Prints the median and the slowest of the runs of a task.
 * @returns the slowest, in milliseconds
 */
export async function printTimes(name: string, runs: number, task: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const begun = performance.now();
    await task();
    times.push(performance.now() - begun);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const [median, most] = [sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!];
  console.log(`${name.padEnd(18)} median ${median.toFixed(1)} ms, slowest ${most.toFixed(1)} ms`);
  return most;
}
