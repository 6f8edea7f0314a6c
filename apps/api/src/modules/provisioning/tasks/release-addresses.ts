import { eachRow } from '../../../jobs/each-row.ts';
import type { Db } from '../../../ports/database.ts';
import type { ScheduledTask } from '../../../ports/jobs.ts';
import { releaseAddress } from '../address-reservation.ts';

const BATCH = 500;

export const releaseAddressesTask: ScheduledTask = {
  name: 'giveUpAddresses',
  interval: 'minute',
  description: 'Releases the reserved addresses of ended subscriptions when their time is over.',
  async run(deps) {
    const { db, clock } = deps;
    const over = await db
      .selectFrom('static_ip')
      .select('subscription_id')
      .where('reserved_until', '<=', clock.now())
      .orderBy('reserved_until')
      .limit(BATCH)
      .execute();
    const subscriptions = over.map(row => row.subscription_id!);
    await eachRow(subscriptions, String, id =>
      db.transaction().execute(async tx => {
        if (await isOver(tx, clock.now(), id)) await releaseAddress(deps, tx, id);
      }),
    );
  },
};

/** Locks the address: its customer may be reactivating the subscription at this moment. */
async function isOver(tx: Db, now: Date, subscriptionId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('static_ip')
    .select('address')
    .where('subscription_id', '=', subscriptionId)
    .where('reserved_until', '<=', now)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
