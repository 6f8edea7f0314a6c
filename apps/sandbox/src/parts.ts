import type { Clock } from './clock.ts';
import type { Faults } from './control/faults.ts';
import type { Ids } from './ids.ts';
import type { Schedule } from './schedule.ts';
import type { Store } from './store.ts';

/** Parts that all sandbox providers share. */
export type Parts = {
  store: Store;
  clock: Clock;
  ids: Ids;
  faults: Faults;
  schedule: Schedule;
  /** Address of the sandbox for browsers and the shop. */
  origin(): string;
};
