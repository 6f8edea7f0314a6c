import { type AttemptStatus, nextAsk, openAttempt } from '@fixpoint/domain/payment/attempt.ts';
import type { RefundStatus } from '@fixpoint/domain/payment/refund.ts';
import type { Selectable } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type {
  AttemptRef,
  Gateways,
  PaymentGateway,
  PaymentMethod,
  RefundRef,
} from '../../ports/payment-gateway.ts';
import type { Tables } from '../../ports/tables.ts';
import { newId } from '../../secrets.ts';

export type Attempt = Selectable<Tables['attempt']>;
export type Refund = Selectable<Tables['refund']>;

export const attemptById = (db: Db, id: string): Promise<Attempt | undefined> =>
  db.selectFrom('attempt').selectAll().where('id', '=', id).executeTakeFirst();

export const attemptsOf = (db: Db, invoiceId: string): Promise<Attempt[]> =>
  db.selectFrom('attempt').selectAll().where('invoice_id', '=', invoiceId).orderBy('attempt_no').execute();

export const refundById = (db: Db, id: string): Promise<Refund | undefined> =>
  db.selectFrom('refund').selectAll().where('id', '=', id).executeTakeFirst();

/** The gateway of a method. @throws when the shop was started without it */
export function gatewayOf(gateways: Gateways, method: PaymentMethod): PaymentGateway {
  const gateway = gateways[method];
  if (!gateway) throw new Error(`This shop has no gateway for ${method}`);
  return gateway;
}

/** A new attempt, its intent written before anybody is asked. The invoice must be locked. */
export const insertAttempt = (
  tx: Db,
  now: Date,
  attempt: {
    invoice: { id: string; customerId: string | null; currency: string; due: number };
    method: PaymentMethod;
    payerId: string;
    number: number;
  },
): Promise<Attempt> =>
  tx
    .insertInto('attempt')
    .values({
      id: newId('att'),
      invoice_id: attempt.invoice.id,
      customer_id: attempt.invoice.customerId,
      attempt_no: attempt.number,
      method: attempt.method,
      payer_id: attempt.payerId,
      status: 'created',
      currency: attempt.invoice.currency,
      amount: attempt.invoice.due,
      created_at: now,
      updated_at: now,
      ask_at: nextAsk(now, now),
    })
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * Moves an attempt as compare-and-set, under the lock of its invoice. It is news: the provider is asked again a minute
 * later, unless nothing can change any more.
 * @throws when somebody else has moved it
 */
export async function moveAttempt(
  tx: Db,
  now: Date,
  attempt: Attempt,
  status: AttemptStatus,
  change: Partial<
    Pick<Attempt, 'provider_ref' | 'failure' | 'received' | 'excess' | 'fee' | 'paid_with'>
  > = {},
): Promise<void> {
  const feeKnown = (change.fee ?? attempt.fee) !== null;
  const settled = status === 'closed' || (status === 'succeeded' && feeKnown);
  await tx
    .updateTable('attempt')
    .set({
      ...change,
      status,
      version: attempt.version + 1,
      updated_at: now,
      ask_at: settled ? null : nextAsk(now, now),
    })
    .where('id', '=', attempt.id)
    .where('version', '=', attempt.version)
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** Moves a refund, likewise. */
export async function moveRefund(
  tx: Db,
  now: Date,
  refund: Refund,
  status: RefundStatus,
  change: Partial<Pick<Refund, 'provider_ref' | 'failure'>> = {},
): Promise<void> {
  await tx
    .updateTable('refund')
    .set({
      ...change,
      status,
      version: refund.version + 1,
      updated_at: now,
      ask_at: status === 'failed' ? null : nextAsk(now, now),
    })
    .where('id', '=', refund.id)
    .where('version', '=', refund.version)
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** Asked, and nothing new: when it is asked next. */
export async function askLater(
  db: Db,
  table: 'attempt' | 'refund',
  now: Date,
  row: { id: string; version: number; updated_at: Date },
): Promise<void> {
  await db
    .updateTable(table)
    .set({ ask_at: nextAsk(row.updated_at, now) })
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .execute();
}

/** An attempt as its gateway is told of it. */
export async function attemptRef(db: Db, attempt: Attempt): Promise<AttemptRef> {
  const { reference, payerRef } = await db
    .selectFrom('invoice')
    .innerJoin('payer', join => join.on('payer.id', '=', attempt.payer_id))
    .select(['invoice.reference', 'payer.provider_ref as payerRef'])
    .where('invoice.id', '=', attempt.invoice_id)
    .executeTakeFirstOrThrow();
  return {
    id: attempt.id,
    invoiceId: attempt.invoice_id,
    invoiceReference: reference,
    currency: attempt.currency,
    amount: attempt.amount,
    key: `${attempt.id}-${Math.max(attempt.tries, 1)}`,
    payerRef: payerRef ?? '',
    providerRef: attempt.provider_ref,
  };
}

export const refundRef = (refund: Refund, attempt: Attempt): RefundRef => ({
  id: refund.id,
  key: `${refund.id}-${Math.max(refund.tries, 1)}`,
  paymentRef: attempt.provider_ref!,
  currency: refund.currency,
  amount: refund.amount,
  providerRef: refund.provider_ref,
});

/** Whether it is being paid: at most one of an invoice is. */
export const isOpen = (attempt: Attempt): boolean => openAttempt.includes(attempt.status);
