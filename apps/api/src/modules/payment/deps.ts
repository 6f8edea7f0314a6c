import type { Publish } from '../../kernel/domain-event.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { Limits } from '../../ports/limits.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { Gateways, PaymentGateway, PaymentMethod } from '../../ports/payment-gateway.ts';
import type { InvoiceEvent } from '../billing/index.ts';

/**
 * Domain events of payment, beside those of invoices.
 * `paymentDisputed`: money that paid for a subscription is disputed, or was lost to a dispute. `disputeResolved`: none of it is
 * any more. `defaultMethodSet`: a customer has chosen another default method.
 */
export type PaymentEvent =
  | { type: 'paymentDisputed'; subscriptionId: string }
  | { type: 'disputeResolved'; subscriptionId: string }
  | { type: 'defaultMethodSet'; customerId: string };

export type PaymentDeps = {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  live: LiveBus;
  gateways: Gateways;
  limits: Limits;
  /** Factor on the numbers of limits; 1 in production. */
  scale: number;
  /** Banks whose debit cards are not taken. */
  unsupportedDebitIssuers: readonly string[];
  /** Whether a card, by its fingerprint, or a PayPal account, by its ID there, may pay no more. */
  isBlocked(db: Db, kind: 'card' | 'paypal', value: string): Promise<boolean>;
  /** Locks an active account against its end until the transaction is over. False when it has ended. */
  holdActive(tx: Db, customerId: string, exclusive?: boolean): Promise<boolean>;
  publish: Publish<InvoiceEvent | PaymentEvent>;
};

/** The gateway of a method. @throws when the shop was started without it */
export function gatewayOf(gateways: Gateways, method: PaymentMethod): PaymentGateway {
  const gateway = gateways[method];
  if (!gateway) throw new Error(`This shop has no gateway for ${method}`);
  return gateway;
}
