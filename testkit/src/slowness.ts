/** So much work of the processor shows how busy the machine is. */
const WORK_US = 100_000;

/**
 * How many times longer work takes just now than on a machine that has nothing else to do; 1 or more. A limit of time that
 * is promised for a quiet machine is multiplied by it.
 */
export function slowness(): number {
  const begun = performance.now();
  const cpu = process.threadCpuUsage();
  let spent = 0;
  while (spent < WORK_US) {
    const { user, system } = process.threadCpuUsage(cpu);
    spent = user + system;
  }
  return Math.max(1, ((performance.now() - begun) * 1000) / spent);
}
