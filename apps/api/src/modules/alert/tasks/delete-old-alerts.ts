import type { ScheduledTask } from '../../../ports/jobs.ts';

const KEPT_MS = 90 * 24 * 60 * 60_000;

export const deleteOldAlertsTask: ScheduledTask = {
  name: 'deleteOldAlerts',
  interval: 'day',
  description: 'Deletes alerts that were resolved 90 days ago, and messages about alerts that are as old.',
  async run({ db, clock }) {
    const before = new Date(clock.now().getTime() - KEPT_MS);
    await db.deleteFrom('alert').where('resolved_at', '<', before).execute();
    // That of an alert that is still open says that it was told.
    await db
      .deleteFrom('alert_delivery')
      .where('created_at', '<', before)
      .where('event', 'in', ['summary', 'digest'])
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('alert_delivery as told')
              .select('told.id')
              .whereRef('told.summary_id', '=', 'alert_delivery.id'),
          ),
        ),
      )
      .execute();
  },
};
