import { minute } from '../../../kernel/minute.ts';
import type { ScheduledTask } from '../../../ports/jobs.ts';
import { syncAlerts } from '../../alert/index.ts';
import { placeId } from '../../catalog/index.ts';
import { longWaits } from '../long-waits.ts';

export const alertLongWaitsTask: ScheduledTask = {
  name: 'tellLongWaits',
  interval: 'minute',
  description:
    'Raises an alert for each place at which a paid subscription waits for an address, or for a host for three days.',
  async run({ db, clock }) {
    const alerts = (await longWaits(db, clock.now())).map(({ waiting, since, ...place }) => ({
      subject: placeId(place),
      what: { waiting, since: minute(since) },
    }));
    await syncAlerts(db, clock.now(), 'subscription.waiting', alerts);
  },
};
