import { isChargedByUs } from '@fixpoint/domain/subscription/renewal.ts';
import { sql } from 'kysely';
import type { PaymentMethod } from '../../../ports/payment-gateway.ts';
import { lastPaidBy, unpaidRenewals } from '../../billing/index.ts';
import type { PaymentDeps } from '../deps.ts';

/**
 * What is charged at once to the card that a customer saves, or to what he makes the default (`chargeOwed` of subscription,
 * P11), by currency: he is told before.
 */
export async function amountsDue({ db, gateways }: Pick<PaymentDeps, 'db' | 'gateways'>, customerId: string) {
  const open = await unpaidRenewals(db, customerId)
    .select(eb => [
      'invoice.currency',
      sql<number>`total - credit_used - prepaid - prorated`.as('due'),
      'is_gift as isGift',
      lastPaidBy(db, eb.ref('subscription.id')).as('last'),
    ])
    .orderBy('invoice.currency')
    .execute();
  const chargeable = (method: PaymentMethod) => gateways[method]?.renewsByItself === true;
  const sums = new Map<string, number>();
  for (const { currency, due, last, isGift } of open) {
    if (!isChargedByUs<PaymentMethod>({ saved: 'card', last, isGift }, chargeable)) continue;
    sums.set(currency, (sums.get(currency) ?? 0) + Number(due));
  }
  return [...sums].map(([currency, amount]) => ({ currency, amount }));
}
