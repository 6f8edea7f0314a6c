/** A goal beside what was measured: reached or missed, each for itself. A bench that misses one ends with 1. */
export function verdict(goal: string, reached: boolean): string {
  if (!reached) process.exitCode = 1;
  return `goal ${goal}: ${reached ? 'reached' : 'missed'}`;
}
