import { newId } from '../../crypto/secrets.ts';
import type { Db } from '../../ports/database.ts';
import { dropRenewal } from './close-renewal.ts';
import type { TransitionDeps } from './deps.ts';
import { lockSubscription } from './store.ts';
import { transitionSubscription } from './transition.ts';

export type SuspensionCause = 'dispute' | 'abuse' | 'staff';

/**
 * Suspends a subscription for a cause. While suspended its host refuses all keys, nothing is charged, and it ends with its
 * paid period. The same cause again changes nothing.
 * @param by `reason`: in the words of staff, whose customer is told
 * @returns whether there is such a subscription
 */
export async function suspend(
  deps: TransitionDeps,
  tx: Db,
  subscriptionId: string,
  { cause, reason = '' }: { cause: SuspensionCause; reason?: string },
): Promise<boolean> {
  const row = await lockSubscription(tx, subscriptionId);
  if (!row) return false;
  if (row.status === 'expired') return true;
  const { customer_id } = row;
  const opened = await tx
    .insertInto('suspension')
    .values({
      id: newId('sus'),
      subscription_id: row.id,
      customer_id,
      cause,
      reason,
      since: deps.clock.now(),
    })
    .onConflict(conflict =>
      conflict.columns(['subscription_id', 'cause']).where('lifted_at', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  await transitionSubscription(deps, tx, row, 'suspend', { cause });
  await dropRenewal(deps, tx, subscriptionId);
  if (opened && cause !== 'dispute')
    await deps.jobs.enqueue(tx, 'sendEmail', {
      template: 'serviceSuspended',
      customerId: customer_id,
      subjectId: row.id,
      copy: opened.id,
    });
  return true;
}

/**
 * Lifts one cause. The subscription works again once no other one is open.
 * @param byStaff a dispute that was lost before does not suspend it again
 * @returns the causes that are still open; undefined: there is no such subscription
 */
export async function liftSuspension(
  deps: TransitionDeps,
  tx: Db,
  subscriptionId: string,
  { cause, byStaff = false }: { cause: SuspensionCause; byStaff?: boolean },
): Promise<SuspensionCause[] | undefined> {
  const row = await lockSubscription(tx, subscriptionId);
  if (!row) return undefined;
  await tx
    .updateTable('suspension')
    .set({ lifted_at: deps.clock.now(), lifted_by_staff: byStaff })
    .where('subscription_id', '=', row.id)
    .where('cause', '=', cause)
    .where('lifted_at', 'is', null)
    .execute();
  const left = await openSuspensions(tx, row.id);
  if (left.length > 0) return left.map(open => open.cause);
  await transitionSubscription(deps, tx, row, 'restore', byStaff ? { byStaff } : {});
  if (byStaff && row.suspended)
    await deps.jobs.enqueue(tx, 'sendEmail', {
      template: 'serviceRestored',
      customerId: row.customer_id,
      subjectId: row.id,
      copy: String(row.version),
    });
  return [];
}

/** Causes for which a subscription is suspended, or may not be re-activated after its end. */
export const openSuspensions = (
  db: Db,
  subscriptionId: string,
): Promise<{ cause: SuspensionCause; reason: string; since: Date }[]> =>
  db
    .selectFrom('suspension')
    .select(['cause', 'reason', 'since'])
    .where('subscription_id', '=', subscriptionId)
    .where('lifted_at', 'is', null)
    .orderBy('since')
    .execute();

/**
 * Whether staff has suspended it. Its end does not lift that: only then its customer may re-activate it. A dispute does not
 * hold after the end, because re-activation costs a new payment.
 */
export const isHeldByStaff = async (db: Db, subscriptionId: string): Promise<boolean> =>
  (await openSuspensions(db, subscriptionId)).some(({ cause }) => cause !== 'dispute');

/** Erases the reasons, in the words of staff, of an ended account. */
export async function eraseSuspensions(tx: Db, customerId: string): Promise<void> {
  await tx.updateTable('suspension').set({ reason: '' }).where('customer_id', '=', customerId).execute();
}
