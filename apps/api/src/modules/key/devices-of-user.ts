import type { Db } from '../../ports/database.ts';
import { userOfDevice } from '../subscription/index.ts';
import { endKey, type KeyDeps } from './keys.ts';

/**
 * Ends the devices of somebody who no longer works for a customer, as if each had been deleted. Locks all subscriptions of the
 * customer, so that a call under way adds none afterwards.
 */
export async function endDevicesOf(
  deps: Pick<KeyDeps, 'clock' | 'live' | 'jobs'>,
  tx: Db,
  { customerId, userId }: { customerId: string; userId: string },
): Promise<void> {
  await tx
    .selectFrom('subscription')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('status', '<>', 'expired')
    .orderBy('id')
    .forUpdate()
    .execute();
  const keys = await tx
    .selectFrom('vpn_key')
    .select(['id', 'subscription_id as subscriptionId'])
    .where('customer_id', '=', customerId)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  // Their own email says that their devices stop.
  for (const { id, subscriptionId } of keys)
    await endKey(deps, tx, { subscriptionId, customerId, knownTo: userId }, id);
}

/** The devices of a customer with the user whose they are, for the list of the people. */
export const devicesByUser = (db: Db, customerId: string) =>
  db
    .selectFrom('vpn_key')
    .select(['id', 'name', 'label', 'subscription_id as subscriptionId'])
    .select(userOfDevice.as('userId'))
    .where('customer_id', '=', customerId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
