import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { Gateways } from '../../ports/payment-gateway.ts';

/** What became of an invoice, told in the transaction that settles it. */
export type InvoiceNews = { invoiceId: string; orderId: string | null; subscriptionId: string | null } & (
  | { news: 'paid' }
  /** `byUs`: a renewal was charged without its customer's hand. */
  | { news: 'refused'; failure: string; byUs: boolean }
  /** Some of its money was seen, came, or went away again: nothing is settled by that. */
  | { news: 'moved' }
);

export type PaymentDeps = {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  gateways: Gateways;
  /** Whether the account has not ended; it does not before the transaction is over. */
  holdActive(tx: Db, customerId: string): Promise<boolean>;
  /** Checkout and subscription answer to it, each by its own reaction (against the order of modules, hence by event). */
  announce(tx: Db, news: InvoiceNews): Promise<void>;
};
