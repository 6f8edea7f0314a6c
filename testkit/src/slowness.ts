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

const TICK_MS = 50;

/**
 * Watches from now on for the machine standing still, which a look at it afterwards does not show.
 * @returns how long that may have taken by now which takes so many milliseconds at most on a quiet machine
 */
export function watchSlowness(): (quietMs: number) => number {
  let [seen, stoodMs] = [performance.now(), 0];
  const tick = () => {
    const now = performance.now();
    stoodMs += Math.max(0, now - seen - TICK_MS);
    seen = now;
  };
  setInterval(tick, TICK_MS).unref();
  return quietMs => {
    tick();
    return quietMs * slowness() + stoodMs;
  };
}
