import type { Logger } from 'pino';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { Signer } from '../../ports/signer.ts';
import type { createAccount } from '../account/index.ts';
import type { Payment } from '../payment/index.ts';
import { forgetGuests } from './forget-guests.ts';
import { fulfilOrder } from './fulfil-order.ts';
import { lockOrder, moveOrder } from './store.ts';

export type CheckoutDeps = {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  live: LiveBus;
  signer: Signer;
  payment: Payment;
  log: Logger;
  account: ReturnType<typeof createAccount>;
  saleCountry: string;
  /** Version of the terms that a buyer must have ticked. */
  termsVersion: string;
};

export function createCheckout(deps: CheckoutDeps) {
  const { db, clock, payment, log } = deps;
  return {
    fulfil: (orderId: string) => fulfilOrder(deps, orderId),
    forgetGuests: () => forgetGuests(deps),

    /** Orders whose time is over: what is open at the provider is closed, then the order expires. */
    async expireOrders(): Promise<void> {
      const due = await db
        .selectFrom('shop_order')
        .leftJoin('invoice', 'invoice.order_id', 'shop_order.id')
        .select(['shop_order.id', 'invoice.id as invoiceId'])
        .where('shop_order.status', 'in', ['draft', 'awaitingPayment', 'failed'])
        .where('shop_order.expires_at', '<=', clock.now())
        .limit(200)
        .execute();
      for (const { id, invoiceId } of due) {
        try {
          if (invoiceId) await payment.close(invoiceId);
          await db.transaction().execute(async tx => {
            await moveOrder(tx, await lockOrder(tx, id), 'expire');
          });
        } catch (error) {
          // One order that cannot be closed now must not keep the others open; it is tried again in a minute.
          log.warn({ err: error, orderId: id }, 'order not expired yet');
        }
      }
    },
  };
}
export type Checkout = ReturnType<typeof createCheckout>;
