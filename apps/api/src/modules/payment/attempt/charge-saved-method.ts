import { amountDueOf, hardDeclineOf } from '../../billing/index.ts';
import type { PaymentDeps } from '../deps.ts';
import { openPayment } from './open-payment.ts';

/**
 * Charges an open invoice to its customer's default method while they are away. Attempts that may still take money are
 * polled or closed first: an unknown outcome is never charged again.
 * @param most limit of such charges of the invoice, this one included
 * @returns false where nothing can be charged: the customer must pay the invoice themselves
 */
export async function chargeSaved(deps: PaymentDeps, invoiceId: string, most: number): Promise<boolean> {
  const { db, gateways } = deps;
  const { customerId, savedId, method, gatewayCustomerId, made, spent, ...invoice } = await db
    .selectFrom('invoice')
    .leftJoin('saved_method as saved', join =>
      join.onRef('saved.customer_id', '=', 'invoice.customer_id').on('saved.is_default', '=', true),
    )
    .select(['invoice.customer_id as customerId', 'invoice.currency', 'status', 'total'])
    .select(['credit_used', 'prepaid', 'prorated', 'carried_out', 'carried_in'])
    .select(['saved.id as savedId', 'saved.method'])
    .select('saved.gateway_customer_id as gatewayCustomerId')
    .select(({ selectFrom, exists, ref }) => [
      selectFrom('attempt')
        .whereRef('attempt.invoice_id', '=', 'invoice.id')
        .where('unattended', '=', true)
        .select(({ fn }) => fn.countAll<number>().as('made'))
        .as('made'),
      exists(hardDeclineOf(db, ref('invoice.id'))).as('spent'),
    ])
    .where('invoice.id', '=', invoiceId)
    .executeTakeFirstOrThrow();
  const gateway = method ? gateways[method] : undefined;
  const chargeable = gateway?.renewsByItself && gateway.takes(invoice.currency, amountDueOf(invoice));
  if (made! < most && (!chargeable || spent)) return false;
  if (savedId) {
    const owner = { customerId: customerId!, gatewayCustomerId: gatewayCustomerId! };
    await openPayment(deps, invoiceId, method!, { id: savedId, owner, most });
  }
  return true;
}
