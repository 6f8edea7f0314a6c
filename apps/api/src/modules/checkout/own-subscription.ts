import { type CustomerAction, can } from '@fixpoint/domain/subscription/subscription.ts';
import { type Refusal, refuse, refuseFields } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import { uncredited } from '../billing/index.ts';
import { isUnchangedSince, refuseAction, stateOf } from '../subscription/index.ts';

type Own = { customerId: string; subscriptionId: string };

/** A customer's own subscription; undefined for another's and for an unknown one alike (S29). */
export const ownSubscription = (db: Db, { customerId, subscriptionId }: Own) =>
  db
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', subscriptionId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst();

/** Why an offer for a subscription does not hold any more; undefined: it holds. */
export async function offerRefusal(
  db: Db,
  now: Date,
  of: Own,
  command: Extract<CustomerAction, 'upgrade' | 'replace'>,
  { version, invoices, left }: { version: number; invoices: readonly string[]; left: number },
): Promise<Refusal | undefined> {
  const row = await ownSubscription(db, of);
  if (!row) return refuse('subscriptionNotFound');
  const allowed = can(stateOf(row), command, now);
  if (!allowed.ok) return refuseAction(allowed.refusal);
  const same = (await isUnchangedSince(db, row, version)) && (await uncredited(db, invoices)).total === left;
  return same ? undefined : refuseFields({ price: 'form.price.changed' });
}
