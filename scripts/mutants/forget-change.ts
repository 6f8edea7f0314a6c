import { afterAll } from 'vitest';

/** The next file of this worker is loaded without the change of this one. */
afterAll(() => {
  const stryker = (globalThis as { __stryker__?: { activeMutant?: string } }).__stryker__;
  if (stryker) stryker.activeMutant = undefined;
});
