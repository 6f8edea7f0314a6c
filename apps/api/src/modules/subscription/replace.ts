import { replaceableAt } from '@fixpoint/domain/subscription/replacement-chain.ts';
import { can } from '@fixpoint/domain/subscription/subscription.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { ReplacementOffer } from '../../ports/json-columns.ts';
import { voidRenewal } from '../billing/index.ts';
import type { TransitionDeps } from './deps.ts';
import { isUnchangedSince, lockOwn, type SubscriptionRow, stateOf } from './store.ts';
import { transitionSubscription } from './transition.ts';

/**
 * Locks the subscription that a paid order replaces.
 * @returns undefined where it has renewed, ended, been cancelled or changed since the offer
 */
export async function lockReplaceable(
  deps: TransitionDeps,
  tx: Db,
  customerId: string,
  offer: ReplacementOffer,
): Promise<SubscriptionRow | undefined> {
  const row = await lockOwn(tx, customerId, offer.subscriptionId);
  if (!row || !(await isUnchangedSince(tx, row, offer.version))) return undefined;
  const now = deps.clock.now();
  if (replaceableAt(await replacementsBefore(tx, row.id), now)) return undefined;
  return can(stateOf(row), 'replace', now).ok ? row : undefined;
}

/** When the subscriptions of a chain were replaced that ends with this one: each by the next, all of one customer. */
export async function replacementsBefore(db: Db, subscriptionId: string): Promise<Date[]> {
  const { rows } = await sql<{ at: Date }>`
    with recursive chain (id) as (
      select ${subscriptionId}::text
      union
      select replaced.id from subscription replaced join chain on replaced.replaced_by = chain.id
    )
    select history.at from chain join subscription_history history
      on history.subscription_id = chain.id and history.command = 'replace'`.execute(db);
  return rows.map(({ at }) => at);
}

/**
 * Replaces a locked subscription: it does not renew any more, serves until the other one runs, and ends then.
 * @param by ID of the other one, which exists already
 */
export async function replaceSubscription(
  deps: TransitionDeps,
  tx: Db,
  row: SubscriptionRow,
  by: string,
): Promise<void> {
  await tx.updateTable('subscription').set({ replaced_by: by }).where('id', '=', row.id).execute();
  const moved = await transitionSubscription(deps, tx, row, 'replace', { by });
  if (!moved.ok) throw new Error(`Subscription ${row.id} is ${row.status}, not to be replaced`);
  await voidRenewal(tx, deps.clock.now(), row.id);
}
