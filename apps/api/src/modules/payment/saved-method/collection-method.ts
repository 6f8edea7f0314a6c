import { isChargedByUs } from '@fixpoint/domain/subscription/renewal.ts';
import type { Db } from '../../../ports/database.ts';
import { lastPaidBy } from '../../billing/index.ts';
import type { PaymentDeps } from '../deps.ts';

/** Whether a subscription's renewal is charged by us. */
export async function renewsByItself(
  { gateways }: Pick<PaymentDeps, 'gateways'>,
  tx: Db,
  { customerId, subscriptionId }: { customerId: string; subscriptionId: string },
): Promise<boolean> {
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
  return isChargedByUs(paying, method => gateways[method]?.renewsByItself === true);
}
