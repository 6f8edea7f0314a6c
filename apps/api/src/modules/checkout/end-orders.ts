import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import { voidUnpaid } from '../billing/index.ts';

const UNPAID = ['draft', 'awaitingPayment', 'failed'] as const;

/**
 * Cancels the unpaid orders of an account that is deleted, and those that a guest began under its address. Within a minute
 * a task closes them at their gateways; money that is faster is refunded. Expired orders are included, because late coins
 * can still pay them.
 * @param customer its row must be locked
 * @returns false, with nothing changed, while a paid order is not delivered yet
 */
export async function endOrders(
  { clock }: { clock: Clock },
  tx: Db,
  customer: { id: string; email: string },
): Promise<boolean> {
  const orders = tx
    .selectFrom('shop_order')
    .select('id')
    .where(({ or, and, eb }) =>
      or([
        eb('customer_id', '=', customer.id),
        and([eb('customer_id', 'is', null), eb('email', '=', customer.email)]),
      ]),
    );
  // Waits for concurrent settlements. Lock order: orders before their invoices.
  const open = orders
    .where('status', 'in', [...UNPAID, 'expired'])
    .orderBy('id')
    .forUpdate();
  const unpaid = (await open.execute()).map(({ id }) => id);
  if (unpaid.length > 0 && (await voidUnpaid(tx, clock.now(), unpaid)).length > 0) return false;
  const paid = await orders.where('status', '=', 'paid').limit(1).executeTakeFirst();
  if (paid) return false;
  if (unpaid.length === 0) return true;
  await tx
    .updateTable('shop_order')
    .set({ expires_at: clock.now() })
    .where('id', 'in', unpaid)
    .where('status', 'in', [...UNPAID])
    .execute();
  return true;
}
