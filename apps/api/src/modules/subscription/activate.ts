import type { Db } from '../../ports/database.ts';
import { isUp, leaveUnusableHost } from '../provisioning/index.ts';
import type { MoveDeps, SubscriptionDeps } from './deps.ts';
import { moveSubscription } from './move.ts';
import { lockWithReplaced, type SubscriptionRow } from './store.ts';

/**
 * A host runs the subscription: the paid period begins now — nobody pays for days of waiting — and the customer is
 * told. Only the first time; later reports change nothing. One that was not shown to work there goes to another host
 * first, if one can have it: else it begins all the same, for what failed may be the probe (decision 45).
 */
export async function activate(deps: SubscriptionDeps, subscriptionId: string): Promise<void> {
  const { db, jobs, live } = deps;
  await live.transaction(db, async tx => {
    const row = await lockWithReplaced(tx, subscriptionId);
    if (row?.status !== 'provisioning') return;
    const stands = row.started_at
      ? (await isUp(tx, row.id)) && 'up'
      : await leaveUnusableHost(deps, tx, row.id);
    if (stands === 'left') {
      await jobs.enqueue(tx, 'placeSubscription', { subscriptionId });
      return;
    }
    // It may have left its host since somebody was told that it runs.
    if (stands !== 'up') return;
    const moved = await moveSubscription(deps, tx, row, 'activate');
    if (moved.ok) await grantWaiting(deps, tx, moved.row, moved.unused);
    await live.publish(tx, `customer:${row.customer_id}`, 'NOTIFICATION', {
      message: 'SUBSCRIPTION_CREATE',
      status: 'success',
      code: '0000',
    });
    for (const id of await ordersOf(tx, row)) {
      await live.publish(tx, `order:${id}`, 'STATUS', { status: 'fulfilled' });
      // The last that its page waits for.
      await live.disconnect(tx, `order:${id}`);
    }
    const again = row.started_at && moved.ok && { copy: String(moved.row.version) };
    await jobs.enqueue(tx, 'sendEmail', {
      template: again ? 'reactivated' : 'ready',
      customerId: row.customer_id,
      subjectId: row.id,
      ...again,
    });
  });
}

/** The orders whose pages may wait for it: the one that made it, and those that took it up again. */
async function ordersOf(tx: Db, { id, order_id, version }: SubscriptionRow): Promise<string[]> {
  // It has never moved: nobody has taken it up again.
  if (version === 0) return [order_id];
  const again = await tx
    .selectFrom('shop_order')
    .select('id')
    .where('subscription_id', '=', id)
    .where('status', '=', 'fulfilled')
    .where('upgrade', 'is', null)
    .execute();
  return [order_id, ...again.map(order => order.id)];
}

/** Taken up again and paid twice, it has the periods after the first one too, from when that begins. */
async function grantWaiting(
  deps: MoveDeps,
  tx: Db,
  row: SubscriptionRow,
  unused: readonly string[],
): Promise<void> {
  let latest = row;
  for (const _ of unused) {
    const moved = await moveSubscription(deps, tx, latest, 'renew');
    if (!moved.ok) throw new Error(`Subscription ${row.id} cannot be renewed`);
    latest = moved.row;
  }
}
