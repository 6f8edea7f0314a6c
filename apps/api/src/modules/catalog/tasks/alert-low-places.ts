import type { Clock } from '../../../ports/clock.ts';
import type { Db } from '../../../ports/database.ts';
import type { ScheduledTask } from '../../../ports/jobs.ts';
import { syncAlerts } from '../../alert/index.ts';
import { lowPlaces } from '../free-addresses.ts';

type Deps = { db: Db; clock: Clock; leastFreeAddresses: number };

export const alertLowPlacesTask: ScheduledTask<Deps> = {
  name: 'alertLowPlaces',
  interval: 'hour',
  description:
    'Raises an alert for each place that has few free addresses, or runs out of them within 14 days.',
  async run({ db, clock, leastFreeAddresses }) {
    const now = clock.now();
    await syncAlerts(db, now, 'addresses.low', await lowPlaces(db, now, leastFreeAddresses));
  },
};
