import type { Db } from '../../../ports/database.ts';
import type { Jobs } from '../../../ports/jobs.ts';
import { paysItsInvoice } from '../../billing/index.ts';

/**
 * A guest's payment becomes that of the account which it made or was for. What it was made with is kept for the account, or
 * else forgotten at its provider: a card that stays attached there could be charged by whoever gets at our key.
 * @param keepsGatewayCustomer whether the account is the payer's own: made by this purchase, not one that was there before
 * @returns whether some of it went by a dispute that was lost before
 */
export async function claimGuestPayment(
  { jobs }: { jobs: Jobs },
  tx: Db,
  invoiceId: string,
  customerId: string,
  keepsGatewayCustomer: boolean,
): Promise<boolean> {
  const to = { customer_id: customerId };
  const given = await tx
    .with('given', cte =>
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
        .where('attempt_id', 'in', eb => eb.selectFrom('given').select('id')),
    )
    .with('receipts', cte =>
      cte
        .updateTable('receipt')
        .set(to)
        .where('attempt_id', 'in', eb => eb.selectFrom('given').select('id')),
    )
    .with('paybacks', cte =>
      cte.updateTable('out_of_band_refund').set(to).where('invoice_id', '=', invoiceId),
    )
    .selectFrom('given')
    .select(['id', 'gateway_customer_id', 'pays'])
    .select(eb =>
      eb
        .exists(
          eb
            .selectFrom('dispute')
            .select('dispute.id')
            .whereRef('dispute.attempt_id', '=', 'given.id')
            .where('dispute.status', '=', 'lost'),
        )
        .as('lost'),
    )
    .execute();
  const lost = given.some(attempt => attempt.lost);
  const paid = given.find(attempt => attempt.pays);
  if (!paid?.gateway_customer_id) return lost;
  const isHis =
    keepsGatewayCustomer && (await claimGatewayCustomer(tx, paid.gateway_customer_id, customerId));
  if (isHis) await jobs.enqueue(tx, 'saveMethod', { attemptId: paid.id, customerId });
  else await jobs.enqueue(tx, 'forgetUnsaved', { attemptId: paid.id });
  return lost;
}

/** @returns whether the payer is his; who paid as a guest before he logged in keeps the one that he has had at that provider */
async function claimGatewayCustomer(tx: Db, gatewayCustomerId: string, customerId: string): Promise<boolean> {
  const given = await tx
    .updateTable('gateway_customer')
    .set({ customer_id: customerId })
    .where('id', '=', gatewayCustomerId)
    .where('customer_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('gateway_customer as his')
            .select('his.id')
            .where('his.customer_id', '=', customerId)
            .whereRef('his.provider', '=', 'gateway_customer.provider'),
        ),
      ),
    )
    .returning('id')
    .executeTakeFirst();
  if (given) return true;
  const gatewayCustomer = await tx
    .selectFrom('gateway_customer')
    .select('customer_id')
    .where('id', '=', gatewayCustomerId)
    .executeTakeFirstOrThrow();
  return gatewayCustomer.customer_id === customerId;
}
