import { can } from '@fixpoint/domain/subscription/subscription.ts';
import type { Db } from '../../ports/database.ts';
import type { ReplacementOffer } from '../../ports/json-columns.ts';
import { voidRenewal } from '../billing/index.ts';
import type { MoveDeps } from './deps.ts';
import { moveSubscription } from './move.ts';
import { isAsOffered, lockOwn, type SubscriptionRow, stateOf } from './store.ts';

/**
 * Locks the subscription whose place another one is paid for to take.
 * @returns undefined where it is no longer the one that this was offered for: renewed, ended, turned off or changed since
 */
export async function lockReplaceable(
  deps: MoveDeps,
  tx: Db,
  customerId: string,
  offer: ReplacementOffer,
): Promise<SubscriptionRow | undefined> {
  const row = await lockOwn(tx, customerId, offer.subscriptionId);
  if (!row || !(await isAsOffered(tx, row, offer.version))) return undefined;
  return can(stateOf(row), 'replace', deps.clock.now()).ok ? row : undefined;
}

/**
 * Another subscription takes the place of a locked one: this does not renew any more, serves until that runs, and ends then.
 * @param by that one, which is there already
 */
export async function replaceSubscription(
  deps: MoveDeps,
  tx: Db,
  row: SubscriptionRow,
  by: string,
): Promise<void> {
  await tx.updateTable('subscription').set({ replaced_by: by }).where('id', '=', row.id).execute();
  const moved = await moveSubscription(deps, tx, row, 'replace', { by });
  if (!moved.ok) throw new Error(`Subscription ${row.id} is ${row.status}, not to be replaced`);
  await voidRenewal(tx, deps.clock.now(), row.id);
}
