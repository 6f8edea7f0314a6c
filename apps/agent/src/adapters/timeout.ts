const STEPS = 10;

/**
 * Calls when so much time has passed, unless it is ended before. Counted in steps: on a machine that stood still all timers are
 * over before what has come meanwhile is read, and then one step is.
 * @returns ends it
 */
export function afterTimeout(ms: number, late: () => void): () => void {
  let left = STEPS;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    late();
  }, ms / STEPS);
  return () => clearInterval(timer);
}
