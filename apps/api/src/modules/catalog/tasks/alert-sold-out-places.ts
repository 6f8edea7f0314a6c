import type { ScheduledTask } from '../../../ports/jobs.ts';
import { syncAlerts } from '../../alert/index.ts';
import { soldOutPlaces } from '../free-addresses.ts';

export const alertSoldOutPlacesTask: ScheduledTask = {
  name: 'alertSoldOutPlaces',
  interval: 'minute',
  description: 'Raises an alert for each place at which no host can take a customer.',
  async run({ db, clock }) {
    const now = clock.now();
    await syncAlerts(db, now, 'addresses.soldOut', await soldOutPlaces(db, now));
  },
};
