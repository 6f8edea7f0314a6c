import { afterAll } from 'vitest';

/** Deactivates the mutant before the worker, which is reused, loads the next file. */
afterAll(() => {
  const stryker = (globalThis as { __stryker__?: { activeMutant?: string } }).__stryker__;
  if (stryker) stryker.activeMutant = undefined;
});
