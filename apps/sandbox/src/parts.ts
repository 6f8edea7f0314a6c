import type { Clock } from './clock.ts';
import type { Faults } from './control/faults.ts';
import type { Ids } from './ids.ts';
import type { Schedule } from './schedule.ts';
import type { Store } from './store.ts';

/** What all stand-ins share. */
export type Parts = {
  store: Store;
  clock: Clock;
  ids: Ids;
  faults: Faults;
  schedule: Schedule;
  /** Where browsers and the shop reach the sandbox. */
  origin(): string;
};
