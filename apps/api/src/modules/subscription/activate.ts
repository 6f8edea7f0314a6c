import type { Db } from '../../ports/database.ts';
import { sendWithReady } from '../billing/index.ts';
import { isUp, leaveUnusableHost } from '../provisioning/index.ts';
import type { SubscriptionDeps, TransitionDeps } from './deps.ts';
import { lockWithReplaced, type SubscriptionRow } from './store.ts';
import { transitionSubscription } from './transition.ts';

/**
 * Activates a subscription when a host reports that it runs: the paid period begins now, and the customer is notified. Later
 * reports change nothing. After a failed delivery check it moves to another host first, if one has room; else it begins
 * anyway, since the probe itself may have failed (decision 45).
 * @returns since when its customer has waited, at its first activation; else undefined
 */
export async function activate(deps: SubscriptionDeps, subscriptionId: string): Promise<Date | undefined> {
  const { db, jobs, live } = deps;
  return live.transaction(db, async tx => {
    const row = await lockWithReplaced(tx, subscriptionId);
    if (row?.status !== 'provisioning') return undefined;
    const stands = row.started_at
      ? (await isUp(tx, row.id)) && 'up'
      : await leaveUnusableHost(deps, tx, row.id);
    if (stands === 'left') {
      await jobs.enqueue(tx, 'placeSubscription', { subscriptionId });
      return undefined;
    }
    // It may have left its host since the report.
    if (stands !== 'up') return undefined;
    const waitedSince = row.started_at ? undefined : row.created_at;
    const moved = await transitionSubscription(deps, tx, row, 'activate');
    if (moved.ok) await grantRemaining(deps, tx, moved.row, moved.unused);
    await live.publish(tx, `customer:${row.customer_id}`, 'NOTIFICATION', {
      message: 'SUBSCRIPTION_CREATE',
      status: 'success',
      code: '0000',
    });
    for (const id of await ordersOf(tx, row)) {
      await live.publish(tx, `order:${id}`, 'STATUS', { status: 'fulfilled' });
      // The page waits for nothing more.
      await live.disconnect(tx, `order:${id}`);
    }
    // A buyer gets one email: this one, with the receipt.
    if (!row.started_at && (await sendWithReady(tx, row.order_id))) return waitedSince;
    const again = row.started_at && moved.ok && { copy: String(moved.row.version) };
    await jobs.enqueue(tx, 'sendEmail', {
      template: again ? 'reactivated' : 'ready',
      customerId: row.customer_id,
      subjectId: row.id,
      ...again,
    });
    return waitedSince;
  });
}

/** The orders whose pages may wait for it: the one that created it, and those that reactivated it. */
async function ordersOf(tx: Db, { id, order_id, version }: SubscriptionRow): Promise<string[]> {
  // It has never changed, so it was never reactivated.
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

/** Grants the further periods of a subscription that was reactivated and paid more than once, after the first one. */
async function grantRemaining(
  deps: TransitionDeps,
  tx: Db,
  row: SubscriptionRow,
  unused: readonly string[],
): Promise<void> {
  let latest = row;
  for (const _ of unused) {
    const moved = await transitionSubscription(deps, tx, latest, 'renew');
    if (!moved.ok) throw new Error(`Subscription ${row.id} cannot be renewed`);
    latest = moved.row;
  }
}
