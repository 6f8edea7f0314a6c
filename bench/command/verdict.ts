/** Text for a goal, reached or missed. A missed goal makes the benchmark exit with 1. */
export function verdict(goal: string, reached: boolean): string {
  if (!reached) process.exitCode = 1;
  return `goal ${goal}: ${reached ? 'reached' : 'missed'}`;
}
