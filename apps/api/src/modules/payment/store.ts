import { nextAsk } from '@fixpoint/domain/payment/attempt.ts';
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Buyer } from '../../ports/json-columns.ts';
import type { AttemptRef, PaymentMethod } from '../../ports/payment-gateway.ts';
import type { Tables } from '../../ports/tables.ts';
import { askedBy } from '../billing/index.ts';

export type Attempt = Selectable<Tables['attempt']>;

export const attemptById = (db: Db, id: string): Promise<Attempt | undefined> =>
  db.selectFrom('attempt').selectAll().where('id', '=', id).executeTakeFirst();

/** Whether anybody has paid by a method, or may have: of what is over without money nothing can come. */
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

/** Asked, and nothing new: when it is asked next. */
export async function askLater(
  db: Db,
  table: 'attempt' | 'refund',
  now: Date,
  row: { id: string; version: number; updated_at: Date; expires_at?: Date | null },
): Promise<void> {
  await db
    .updateTable(table)
    .set({ ask_at: nextAsk(row.updated_at, now, row.expires_at) })
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .execute();
}

/** Attempts with what their gateways are told of them, and how their invoices stand. */
const asked = (db: Db) =>
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
      'invoice.reference',
      'invoice.buyer',
      'invoice.language',
      'gateway_customer.provider_ref as gatewayCustomerRef',
      'saved_method.provider_ref as savedRef',
    ]);

type AskedRow = Awaited<ReturnType<ReturnType<typeof asked>['execute']>>[number];

/** `due`: what its invoice asks for; undefined when that takes no money any more. `language`: its invoice's. */
export type Asked = { attempt: Attempt; ref: AttemptRef; due: number | undefined; language: string };

function toAsked(row: AskedRow): Asked {
  const { invoiceStatus, total, credit_used, prepaid, prorated, ...rest } = row;
  const { reference, buyer, language, gatewayCustomerRef, savedRef, ...own } = rest;
  return {
    attempt: own,
    ref: refOf(own, { reference, buyer, gatewayCustomerRef, savedRef }),
    due: askedBy({ status: invoiceStatus, total, credit_used, prepaid, prorated }),
    language,
  };
}

/** The first attempt that fits a condition, as it is asked about. */
export async function askedAttempt(
  db: Db,
  fits: (eb: ExpressionBuilder<Tables, 'attempt'>) => Expression<SqlBool>,
): Promise<Asked | undefined> {
  const row = await asked(db)
    .where('attempt.id', '=', eb => eb.selectFrom('attempt').select('attempt.id').where(fits).limit(1))
    .executeTakeFirst();
  return row && toAsked(row);
}

/** All attempts of an invoice, likewise, by their numbers. */
export const askedOf = async (db: Db, invoiceId: string): Promise<Asked[]> =>
  (await asked(db).where('attempt.invoice_id', '=', invoiceId).orderBy('attempt_no').execute()).map(toAsked);

/** An attempt as its gateway is told of it. */
export async function attemptRef(db: Db, attempt: Attempt): Promise<AttemptRef> {
  return refOf(attempt, await told(db, attempt.id).executeTakeFirstOrThrow());
}

export const told = (db: Db, attemptId: string) =>
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

export type Told = {
  reference: string;
  buyer: Buyer;
  gatewayCustomerRef: string | null;
  savedRef: string | null;
};

export const refOf = (
  attempt: Attempt,
  { reference, buyer, gatewayCustomerRef, savedRef }: Told,
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
  providerRef: attempt.provider_ref,
});
