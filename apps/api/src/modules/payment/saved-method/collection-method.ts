import { type CollectionMethod, collectionMethod } from '@fixpoint/domain/subscription/collection-method.ts';
import { sql } from 'kysely';
import type { Db } from '../../../ports/database.ts';
import { canBeCharged, type PaymentMethod } from '../../../ports/payment-gateway.ts';
import { lastPaidBy, unpaidRenewals } from '../../billing/index.ts';
import type { PaymentDeps } from '../deps.ts';

/** How the renewal of a customer's subscription is paid, by what they have saved and what paid the last time. */
export async function collectionMethodOf(
  { gateways }: Pick<PaymentDeps, 'gateways'>,
  tx: Db,
  { customerId, subscriptionId }: { customerId: string; subscriptionId: string },
): Promise<CollectionMethod> {
  const paying = await tx
    .selectFrom('subscription')
    .leftJoin('saved_method as saved', join =>
      join.onRef('saved.customer_id', '=', 'subscription.customer_id').on('saved.is_default', '=', true),
    )
    .select(['saved.method as saved', 'is_gift as isGift'])
    .select(({ val }) => lastPaidBy(tx, val(subscriptionId)).as('last'))
    .where('subscription.id', '=', subscriptionId)
    .where('subscription.customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  return collectionMethod(paying, canBeCharged(gateways));
}

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
