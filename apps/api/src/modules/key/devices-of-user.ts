import type { Db } from '../../ports/database.ts';
import { userOfDevice } from '../subscription/index.ts';
import { endKey, type KeyDeps } from './keys.ts';

/** Locks all subscriptions of customers, so that a call under way adds no device afterwards. */
const lockSubscriptions = (tx: Db, customers: readonly string[]) =>
  tx
    .selectFrom('subscription')
    .select('id')
    .where('customer_id', 'in', [...customers])
    .where('status', '<>', 'expired')
    .orderBy('id')
    .forUpdate()
    .execute();

/** Ends the devices of somebody who no longer works for a customer, as if each had been deleted. */
export async function endDevicesOf(
  deps: Pick<KeyDeps, 'clock' | 'live' | 'jobs'>,
  tx: Db,
  { customerId, userId }: { customerId: string; userId: string },
): Promise<void> {
  await lockSubscriptions(tx, [customerId]);
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

/** Moves a user's devices, ended ones too, to the new ID that they get. */
export async function moveDevices(
  tx: Db,
  { from, to, customers }: { from: string; to: string; customers: readonly string[] },
): Promise<void> {
  await lockSubscriptions(tx, customers);
  await tx
    .updateTable('vpn_key')
    .set({ user_id: to })
    .where('customer_id', 'in', [...customers])
    .where(userOfDevice, '=', from)
    .execute();
}

/** The devices of a customer, by the user whose they are. */
export async function devicesByUser(db: Db, customerId: string) {
  const rows = await db
    .selectFrom('vpn_key')
    .select(['id', 'name', 'label', 'subscription_id as subscriptionId'])
    .select(userOfDevice.as('userId'))
    .where('customer_id', '=', customerId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const byUser = Map.groupBy(rows, ({ userId }) => userId);
  return (userId: string) =>
    (byUser.get(userId) ?? []).map(({ id, name, label, subscriptionId }) => ({
      id,
      name,
      ...(label && { label }),
      subscriptionId,
    }));
}
