import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import { voidUnpaid } from '../billing/index.ts';

const UNPAID = ['draft', 'awaitingPayment', 'failed'] as const;

/**
 * Ends the unpaid orders of an account that ends, and what was begun under its address as a guest: nobody would get what
 * they pay for. The sweep closes them at the provider within a minute; money that is faster is given back. Coins that come
 * late would pay even one that has expired.
 * @param customer its row must be locked
 * @returns false, and nothing is changed, while something is paid for and not delivered yet
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
  // Waits for whoever settles one of them: orders before their invoices, as everybody locks them.
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
