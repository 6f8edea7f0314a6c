import type { Db } from '../../ports/database.ts';

/**
 * Closes at its provider what can still take money for a customer's next period, before that is sold as another plan:
 * nobody is charged for both. Money that is faster counts.
 * @throws NamedFault when the provider does not answer
 */
export async function closeRenewal(
  deps: { db: Db; close(invoiceId: string): Promise<void> },
  of: { customerId: string; subscriptionId: string },
): Promise<void> {
  const open = await deps.db
    .selectFrom('invoice')
    .select('id')
    .where('subscription_id', '=', of.subscriptionId)
    .where('customer_id', '=', of.customerId)
    .where('purpose', '=', 'renewal')
    .where('status', '=', 'open')
    .executeTakeFirst();
  if (open) await deps.close(open.id);
}
