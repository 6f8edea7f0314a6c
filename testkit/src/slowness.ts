/** Amount of work whose duration shows how busy the machine is. */
const WORK_US = 100_000;

/**
 * Factor by which work takes longer now than on an idle machine, at least 1. Multiply a time limit that is promised for an
 * idle machine by it.
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
 * Watches from now on for pauses of the whole machine, which a measurement afterwards does not show.
 * @returns the time that may have passed by now for something that takes `quietMs` on an idle machine
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
