const STEPS = 10;

/**
 * Calls back after a time unless cancelled. Counted in steps: after a suspended machine resumes,
 * timers fire before pending input is read, and only one step is lost.
 * @returns cancels it
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
