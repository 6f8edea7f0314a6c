import type { Alerting } from '../../../ports/alert-channel.ts';
import type { Db } from '../../../ports/database.ts';
import type { ScheduledTask } from '../../../ports/jobs.ts';

type Deps = { db: Db; alerting: Alerting };

export const sendHeartbeatTask: ScheduledTask<Deps> = {
  name: 'sendHeartbeat',
  interval: 'minute',
  description:
    'Fetches the heartbeat address once the database was read, so that somebody outside notices silence.',
  async run({ db, alerting }) {
    if (!alerting.beat) return;
    await db.selectFrom('open_alert').select('kind').orderBy('kind').limit(1).execute();
    await alerting.beat();
  },
};
