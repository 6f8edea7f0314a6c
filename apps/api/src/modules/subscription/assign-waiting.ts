import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { Signer } from '../../ports/signer.ts';
import { assign } from '../provisioning/index.ts';
import { waitingForHost } from './store.ts';

/** Gives hosts to paid subscriptions that wait for one: after a host came, or an address became free. */
export async function assignWaiting(deps: {
  db: Db;
  clock: Clock;
  signer: Signer;
  live: LiveBus;
}): Promise<void> {
  for (const id of await waitingForHost(deps.db, 200)) {
    await deps.db.transaction().execute(async tx => {
      const row = await tx
        .selectFrom('subscription')
        .innerJoin('product', 'product.id', 'subscription.product_id')
        .select([
          'subscription.id',
          'product.provider_id as providerId',
          'product.region_id as regionId',
          'product.vendor_id as vendorId',
        ])
        .where('subscription.id', '=', id)
        .where('subscription.status', '=', 'provisioning')
        .forUpdate('subscription')
        .executeTakeFirst();
      if (row) await assign(deps, tx, row);
    });
  }
}
