import type { Db } from '../../../ports/database.ts';
import type { Jobs } from '../../../ports/jobs.ts';
import { paysItsInvoice } from '../../billing/index.ts';

/**
 * Assigns a guest's payment to the account that it made or was for. What it was made with is saved for that account, or
 * else forgotten at its gateway: a card that stays attached there could be charged by whoever gets our key.
 * @param keepsGatewayCustomer whether the account is the payer's own, made by this purchase
 * @returns whether a dispute about it was lost before
 */
export async function claimGuestPayment(
  { jobs }: { jobs: Jobs },
  tx: Db,
  invoiceId: string,
  customerId: string,
  keepsGatewayCustomer: boolean,
): Promise<boolean> {
  const to = { customer_id: customerId };
  const claimed = await tx
    .with('claimed', cte =>
      cte
        .updateTable('attempt')
        .set(to)
        .where('invoice_id', '=', invoiceId)
        .returning(['id', 'gateway_customer_id', paysItsInvoice.as('pays')]),
    )
    .with('refunds', cte =>
      cte
        .updateTable('refund')
        .set(to)
        .where('attempt_id', 'in', eb => eb.selectFrom('claimed').select('id')),
    )
    .with('receipts', cte =>
      cte
        .updateTable('receipt')
        .set(to)
        .where('attempt_id', 'in', eb => eb.selectFrom('claimed').select('id')),
    )
    .with('outOfBandRefunds', cte =>
      cte.updateTable('out_of_band_refund').set(to).where('invoice_id', '=', invoiceId),
    )
    .with('gatewayCustomers', cte =>
      cte
        .updateTable('gateway_customer')
        .set(to)
        .where('id', 'in', eb =>
          eb.selectFrom('claimed').select('gateway_customer_id').where('pays', '=', true),
        )
        .where('customer_id', 'is', null)
        .where(({ val }) => val(keepsGatewayCustomer))
        // One that has another at that gateway keeps that one.
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('gateway_customer as own')
                .select('own.id')
                .where('own.customer_id', '=', customerId)
                .whereRef('own.provider', '=', 'gateway_customer.provider'),
            ),
          ),
        )
        .returning('id'),
    )
    .selectFrom('claimed')
    .leftJoin('gateway_customer as before', 'before.id', 'claimed.gateway_customer_id')
    .select(['claimed.id', 'claimed.gateway_customer_id', 'claimed.pays', 'before.customer_id as owner'])
    .select(eb => eb.exists(eb.selectFrom('gatewayCustomers').select('gatewayCustomers.id')).as('becomesOwn'))
    .select(eb =>
      eb
        .exists(
          eb
            .selectFrom('dispute')
            .select('dispute.id')
            .whereRef('dispute.attempt_id', '=', 'claimed.id')
            .where('dispute.status', '=', 'lost'),
        )
        .as('lost'),
    )
    .execute();
  const lost = claimed.some(attempt => attempt.lost);
  const paid = claimed.find(attempt => attempt.pays);
  if (!paid?.gateway_customer_id) return lost;
  const isOwn = keepsGatewayCustomer && (paid.becomesOwn || paid.owner === customerId);
  if (isOwn) await jobs.enqueue(tx, 'saveMethod', { attemptId: paid.id, customerId });
  else await jobs.enqueue(tx, 'forgetUnsaved', { attemptId: paid.id });
  return lost;
}
