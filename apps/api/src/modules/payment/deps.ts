import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { Limits } from '../../ports/limits.ts';
import type { Gateways, PaymentGateway, PaymentMethod } from '../../ports/payment-gateway.ts';
import type { LockedInvoice } from '../billing/index.ts';

/** What became of an invoice, told in the transaction that settles it. */
export type InvoiceNews = { invoiceId: string; orderId: string | null; subscriptionId: string | null } & (
  | { news: 'paid' }
  /** `unattended`: its customer was not there, as it renewed. */
  | { news: 'refused'; failure: string; unattended: boolean }
  /** Another try is made after one that was refused or given up. */
  | { news: 'retried' }
  /** Some of its money was seen, came, or went away again: nothing is settled by that. */
  | { news: 'moved' }
);

/** What an invoice is of, as news of it says. */
export const subjectsOf = ({ id, orderId, subscriptionId }: LockedInvoice) => ({
  invoiceId: id,
  orderId,
  subscriptionId,
});

export type PaymentDeps = {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  gateways: Gateways;
  limits: Limits;
  /** Factor on the numbers of limits; 1 in production. */
  scale: number;
  /** Whether the account has not ended; it does not before the transaction is over. */
  holdActive(tx: Db, customerId: string): Promise<boolean>;
  /** A payment of a subscription is disputed, or none is any more; nothing, where the operator lets service go on. */
  holdService(tx: Db, subscriptionId: string, held: boolean): Promise<void>;
  /** A customer has said what pays from now on: what he owes of renewals is charged by it (P11). */
  chargeOwed(tx: Db, customerId: string): Promise<void>;
  /** Checkout and subscription answer to it, each by its own reaction (against the order of modules, hence by event). */
  announce(tx: Db, news: InvoiceNews): Promise<void>;
};

/** The gateway of a method. @throws when the shop was started without it */
export function gatewayOf(gateways: Gateways, method: PaymentMethod): PaymentGateway {
  const gateway = gateways[method];
  if (!gateway) throw new Error(`This shop has no gateway for ${method}`);
  return gateway;
}
