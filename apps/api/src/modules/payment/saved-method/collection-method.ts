import { type CollectionMethod, collectionMethod } from '@fixpoint/domain/subscription/collection-method.ts';
import { sql } from 'kysely';
import type { Db } from '../../../ports/database.ts';
import { canBeCharged, type PaymentMethod } from '../../../ports/payment-gateway.ts';
import { lastPaidBy, unpaidRenewals } from '../../billing/index.ts';
import type { PaymentDeps } from '../deps.ts';

type Of = { customerId: string; subscriptionId: string };

/** How the renewal of a customer's subscription is paid, by what they have saved and what paid the last time. */
export const collectionMethodOf = async (
  { gateways }: Pick<PaymentDeps, 'gateways'>,
  tx: Db,
  of: Of,
): Promise<CollectionMethod> => collectionMethod(await payingOf(tx, of), canBeCharged(gateways));

/**
 * Whether the renewal after a payment will be charged by us. Asked when its receipt is written: the method that paid is saved
 * by a job of its own, and counts as saved already.
 */
export async function willBeCharged(
  { gateways }: Pick<PaymentDeps, 'gateways'>,
  db: Db,
  of: Of,
): Promise<boolean> {
  const paying = await payingOf(db, of);
  const saved = paying.saved ?? paying.last;
  return collectionMethod({ ...paying, saved }, canBeCharged(gateways)) === 'chargeAutomatically';
}

const payingOf = (tx: Db, { customerId, subscriptionId }: Of) =>
  tx
    .selectFrom('subscription')
    .leftJoin('saved_method as saved', join =>
      join.onRef('saved.customer_id', '=', 'subscription.customer_id').on('saved.is_default', '=', true),
    )
    .select(['saved.method as saved', 'is_gift as isGift'])
    .select(({ val }) => lastPaidBy(tx, val(subscriptionId)).as('last'))
    .where('subscription.id', '=', subscriptionId)
    .where('subscription.customer_id', '=', customerId)
    .executeTakeFirstOrThrow();

/**
 * Amounts past due that are charged at once when a customer saves a card or sets another default (`chargeAmountsDue` of
 * subscription, P11); the page shows them before. By currency, in integer hundredths.
 */
export async function amountsDue({ db, gateways }: Pick<PaymentDeps, 'db' | 'gateways'>, customerId: string) {
  const open = await unpaidRenewals(db, customerId)
    .select(eb => [
      'invoice.currency',
      sql<number>`total - credit_used - prepaid - prorated - carried_out + carried_in`.as('due'),
      'is_gift as isGift',
      lastPaidBy(db, eb.ref('subscription.id')).as('last'),
    ])
    .orderBy('invoice.currency')
    .execute();
  const sums = new Map<string, number>();
  for (const { currency, due, last, isGift } of open) {
    const paying = { saved: 'card' as const, last, isGift };
    if (collectionMethod<PaymentMethod>(paying, canBeCharged(gateways)) === 'sendInvoice') continue;
    sums.set(currency, (sums.get(currency) ?? 0) + Number(due));
  }
  return [...sums].map(([currency, amount]) => ({ currency, amount }));
}
