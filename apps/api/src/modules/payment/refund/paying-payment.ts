import type { Db } from '../../../ports/database.ts';
import { payingAttempt } from '../../billing/index.ts';
import { NotRefundable } from '../plan-code.ts';

/** The attempt that pays an invoice, with its gateway. @throws NotRefundable when there is none */
export const paymentOf = (db: Db, invoiceId: string) =>
  paidBy(db, invoiceId).executeTakeFirstOrThrow(
    () => new NotRefundable('no payment counts for this invoice'),
  );

/** The same as a query; no row where credit alone has paid it. */
export const paidBy = (db: Db, invoiceId: string) =>
  payingAttempt(db, invoiceId)
    .innerJoin('gateway_customer', 'gateway_customer.id', 'attempt.gateway_customer_id')
    .select([
      'attempt.id',
      'attempt.customer_id',
      'attempt.currency',
      'received',
      'unapplied',
      'gateway_customer.provider',
    ]);
