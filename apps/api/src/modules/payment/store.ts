import { nextPoll } from '@fixpoint/domain/payment/attempt.ts';
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Buyer } from '../../ports/json-columns.ts';
import type { AttemptRef, PaymentMethod } from '../../ports/payment-gateway.ts';
import type { Tables } from '../../ports/tables.ts';
import { amountDueOf } from '../billing/index.ts';

/** The row of an attempt: one try to collect an invoice. Refunds, disputes and saved methods refer to it. */
export type Attempt = Selectable<Tables['attempt']>;

/** The attempt of an ID. */
export const attemptById = (db: Db, id: string): Promise<Attempt | undefined> =>
  db.selectFrom('attempt').selectAll().where('id', '=', id).executeTakeFirst();

/** Whether anybody has paid, or may still pay, by a method. */
export async function hasPayments(db: Db, method: PaymentMethod): Promise<boolean> {
  const any = await db
    .selectFrom('attempt')
    .select('id')
    .where('method', '=', method)
    .where('status', 'not in', ['failed', 'closed'])
    .limit(1)
    .executeTakeFirst();
  return any !== undefined;
}

/** When the offer of an attempt ends. No webhook tells that a cardholder has answered their bank. */
export const offerOf = ({ expires_at, method }: { expires_at?: Date | null; method?: string }) =>
  expires_at ? { ends: expires_at, isSilent: method === 'card' } : undefined;

/** Schedules the next poll of an attempt or refund, unless it has changed meanwhile. */
export async function askLater(
  db: Db,
  table: 'attempt' | 'refund',
  now: Date,
  row: { id: string; version: number; updated_at: Date } & Parameters<typeof offerOf>[0],
): Promise<void> {
  await db
    .updateTable(table)
    .set({ ask_at: nextPoll(row.updated_at, now, offerOf(row)) })
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .execute();
}

/** Attempts joined with their invoices, gateway customers and saved methods. */
const joined = (db: Db) =>
  db
    .selectFrom('attempt')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .leftJoin('gateway_customer', 'gateway_customer.id', 'attempt.gateway_customer_id')
    .leftJoin('saved_method', 'saved_method.id', 'attempt.saved_method_id')
    .selectAll('attempt')
    .select([
      'invoice.status as invoiceStatus',
      'invoice.total',
      'invoice.credit_used',
      'invoice.prepaid',
      'invoice.prorated',
      'invoice.carried_out',
      'invoice.carried_in',
      'invoice.reference',
      'invoice.buyer',
      'invoice.language',
      'gateway_customer.provider_ref as gatewayCustomerRef',
      'saved_method.provider_ref as savedRef',
    ]);

type JoinedRow = Awaited<ReturnType<ReturnType<typeof joined>['execute']>>[number];

/** `ref`: what its gateway needs. `due`: the invoice's amount due in hundredths; undefined: it takes no money any more. */
export type AttemptWithRef = { attempt: Attempt; ref: AttemptRef; due: number | undefined; language: string };

function toAttemptWithRef(row: JoinedRow): AttemptWithRef {
  const { invoiceStatus, total, credit_used, prepaid, prorated, carried_out, carried_in, ...rest } = row;
  const covered = { credit_used, prepaid, prorated, carried_out, carried_in };
  const { reference, buyer, language, gatewayCustomerRef, savedRef, ...own } = rest;
  return {
    attempt: own,
    ref: toAttemptRef(own, { reference, buyer, gatewayCustomerRef, savedRef }),
    due: amountDueOf({ status: invoiceStatus, total, ...covered }),
    language,
  };
}

/** The first attempt that fits a condition, with what its gateway needs. */
export async function attemptWithRef(
  db: Db,
  fits: (eb: ExpressionBuilder<Tables, 'attempt'>) => Expression<SqlBool>,
): Promise<AttemptWithRef | undefined> {
  const row = await joined(db)
    .where('attempt.id', '=', eb => eb.selectFrom('attempt').select('attempt.id').where(fits).limit(1))
    .executeTakeFirst();
  return row && toAttemptWithRef(row);
}

/** All attempts of an invoice, likewise, by their numbers. */
export const attemptsWithRef = async (db: Db, invoiceId: string): Promise<AttemptWithRef[]> =>
  (await joined(db).where('attempt.invoice_id', '=', invoiceId).orderBy('attempt_no').execute()).map(
    toAttemptWithRef,
  );

/** An attempt as its gateway needs it. */
export async function attemptRef(db: Db, attempt: Attempt): Promise<AttemptRef> {
  return toAttemptRef(attempt, await gatewayFacts(db, attempt.id).executeTakeFirstOrThrow());
}

/** What a gateway needs of an attempt beside its row. */
export const gatewayFacts = (db: Db, attemptId: string) =>
  db
    .selectFrom('attempt')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .innerJoin('gateway_customer', 'gateway_customer.id', 'attempt.gateway_customer_id')
    .leftJoin('saved_method', 'saved_method.id', 'attempt.saved_method_id')
    .select([
      'invoice.reference',
      'invoice.buyer',
      'gateway_customer.provider_ref as gatewayCustomerRef',
      'saved_method.provider_ref as savedRef',
    ])
    .where('attempt.id', '=', attemptId);

export type GatewayFacts = {
  reference: string;
  buyer: Buyer;
  gatewayCustomerRef: string | null;
  savedRef: string | null;
};

/** An attempt as its gateway needs it, from a row and those facts. The key is the gateway's idempotency key of this try. */
export const toAttemptRef = (
  attempt: Attempt,
  { reference, buyer, gatewayCustomerRef, savedRef }: GatewayFacts,
): AttemptRef => ({
  id: attempt.id,
  number: attempt.attempt_no,
  invoiceId: attempt.invoice_id,
  invoiceReference: reference,
  currency: attempt.currency,
  amount: attempt.amount,
  key: `${attempt.id}-${Math.max(attempt.tries, 1)}`,
  gatewayCustomerRef: gatewayCustomerRef ?? '',
  email: buyer.email ?? null,
  savedRef,
  bySaved: attempt.by_saved,
  byLink: attempt.by_link,
  providerRef: attempt.provider_ref,
});
