import { sql } from 'kysely';
import type { ScheduledTask } from '../../../ports/jobs.ts';

const BATCH = 500;

export const deleteEndedIdentitiesTask: ScheduledTask = {
  name: 'forgetIdentities',
  interval: 'minute',
  description: 'Deletes the certificate authorities of ended subscriptions that no host serves any more.',
  async run({ db }) {
    const over = db
      .selectFrom('subscription_identity as identity')
      .select('subscription_id')
      .where('ended_at', 'is not', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('assignment')
              .select('id')
              .whereRef('assignment.subscription_id', '=', 'identity.subscription_id'),
          ),
        ),
      )
      .limit(BATCH);
    await db
      .deleteFrom('subscription_identity')
      .where('subscription_id', '=', sql<string>`any(array(${over}))`)
      // Asked again of the locked row: its customer may have reactivated the subscription meanwhile.
      .where('ended_at', 'is not', null)
      .execute();
  },
};
