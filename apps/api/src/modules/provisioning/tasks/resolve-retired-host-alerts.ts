import type { ScheduledTask } from '../../../ports/jobs.ts';
import { resolveAlert } from '../../alert/index.ts';

/** Alerts that a host's own reports raise and resolve. */
const RAISED_BY_REPORTS = [
  'entitlement.drift',
  'delivery.failed',
  'delivery.unchecked',
  'host.clock',
] as const;

export const resolveRetiredHostAlertsTask: ScheduledTask = {
  name: 'mendRetired',
  interval: 'minute',
  description: 'Resolves alerts about retired hosts: no report will do so any more.',
  async run({ db, clock }) {
    const retired = await db.selectFrom('host').select('id').where('status', '=', 'retired').execute();
    for (const kind of RAISED_BY_REPORTS)
      await resolveAlert(db, clock.now(), kind, ...retired.map(({ id }) => id));
  },
};
