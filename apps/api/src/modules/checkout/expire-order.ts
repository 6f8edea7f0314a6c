import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { ScheduledTask } from '../../ports/jobs.ts';
import { lockInvoice, releaseCredit } from '../billing/index.ts';
import { creditUnappliedTask } from './credit-unapplied.ts';
import type { CheckoutDeps } from './deps.ts';
import { forgetGuests } from './forget-guests.ts';
import { holdForOrder } from './reactivation.ts';
import { lockOrder, moveOrder, type Order } from './store.ts';

const BATCH = 500;
/** A paid order that is not fulfilled after this long lost its job. */
const STUCK_MS = 60_000;
/** An order whose money is on its way is looked at again after this long. */
const AGAIN_MS = 60 * 60_000;

/** What was promised with it waits, too, longer than for an order that nobody has paid. */
async function waitLonger(tx: Db, order: Order, now: Date): Promise<void> {
  const expires_at = new Date(now.getTime() + AGAIN_MS);
  await tx.updateTable('shop_order').set({ expires_at }).where('id', '=', order.id).execute();
  if (order.keeps_address) await holdForOrder(tx, { ...order, expires_at });
}

/**
 * An order whose time is over: what is open at the provider is closed, then the order expires. One that was paid in time
 * waits for that money: without the credit that it has set aside, what comes would be too little for it.
 */
export async function expireOrder(
  { db, clock, payment, live }: CheckoutDeps,
  orderId: string,
): Promise<void> {
  const due = await db
    .selectFrom('shop_order')
    .leftJoin('invoice', 'invoice.order_id', 'shop_order.id')
    .select('invoice.id as invoiceId')
    .where('shop_order.id', '=', orderId)
    .where('shop_order.expires_at', '<=', clock.now())
    .executeTakeFirst();
  if (!due) return;
  if (due.invoiceId) await payment.close(due.invoiceId);
  await db.transaction().execute(async tx => {
    const order = await lockOrder(tx, orderId);
    const invoice = due.invoiceId ? await lockInvoice(tx, due.invoiceId) : undefined;
    // What takes no money any more, as its account has ended, waits for none.
    if (invoice?.due !== undefined && (await payment.isOnItsWay(tx, invoice.id))) {
      return waitLonger(tx, order, clock.now());
    }
    if (!(await moveOrder(tx, order, 'expire'))) return;
    if (invoice) await releaseCredit(tx, clock.now(), invoice);
    await live.disconnect(tx, `order:${orderId}`);
  });
}

/** What checkout looks after every minute: orders that ran out, paid ones that are stuck, money that nobody needs, guests who never paid. */
export function checkoutTasks(deps: CheckoutDeps): ScheduledTask[] {
  const { db, clock, jobs, live } = deps;
  return [
    {
      name: 'expireOrders',
      async run() {
        // Nobody asked a provider for a draft's money: many of them in one statement.
        const drafts = db
          .selectFrom('shop_order')
          .select('id')
          .where('status', '=', sql.lit('draft'))
          .where('expires_at', '<=', clock.now())
          .orderBy('expires_at')
          .limit(BATCH);
        await db.transaction().execute(async tx => {
          const expired = await tx
            .updateTable('shop_order')
            .set(eb => ({ status: 'expired' as const, version: eb('version', '+', 1) }))
            .where('id', '=', sql<string>`any(array(${drafts}))`)
            .where('status', '=', 'draft')
            .returning('id')
            .execute();
          for (const { id } of expired) await live.disconnect(tx, `order:${id}`);
        });
        const due = await db
          .selectFrom('shop_order')
          .select('id')
          .where(sql<boolean>`status in ('awaitingPayment', 'failed')`)
          .where('expires_at', '<=', clock.now())
          .orderBy('expires_at')
          .limit(BATCH)
          .execute();
        for (const { id } of due) await jobs.enqueue(db, 'expireOrder', { orderId: id });
      },
    },
    {
      name: 'fulfilStuck',
      async run() {
        const stuck = await db
          .selectFrom('shop_order')
          .select('id')
          .where('status', '=', sql.lit('paid'))
          .where('paid_at', '<', new Date(clock.now().getTime() - STUCK_MS))
          .orderBy('paid_at')
          .limit(BATCH)
          .execute();
        for (const { id } of stuck) await jobs.enqueue(db, 'fulfilOrder', { orderId: id });
      },
    },
    creditUnappliedTask(deps),
    { name: 'forgetGuests', run: () => forgetGuests({ db, clock }) },
  ];
}
