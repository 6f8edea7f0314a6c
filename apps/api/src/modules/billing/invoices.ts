import {
  type Covered,
  type InvoiceStatus,
  invoiceTransitions,
  restOf,
  takesMoney,
} from '@fixpoint/domain/billing/invoice.ts';
import { canMove } from '@fixpoint/domain/kernel/machine.ts';
import { type Selectable, sql } from 'kysely';
import { prepareQuery } from '../../database/prepared-queries.ts';
import type { Db } from '../../ports/database.ts';
import type { Seller } from '../../ports/json-columns.ts';
import type { Tables } from '../../ports/tables.ts';
import { buyerAtPayment } from './buyer-details.ts';
import { recordCredited } from './ledger.ts';
import { nextNumber } from './numbers.ts';
import { unappliedAt } from './paying-attempt.ts';

/** A buyer whose VPN takes longer gets the receipt first. */
const PERIOD_WAIT_MS = 60_000;

/** An invoice that is locked until the transaction ends. Amounts in hundredths. */
export type LockedInvoice = {
  id: string;
  customerId: string | null;
  orderId: string | null;
  subscriptionId: string | null;
  status: InvoiceStatus;
  version: number;
  reference: string;
  currency: string;
  net: number;
  vat: number;
  total: number;
  creditUsed: number;
  prepaid: number;
  /** Proration credit: paid by the unused days of another subscription. */
  prorated: number;
  /** The rest that a later invoice collects, and those of earlier ones that this one collects. */
  carriedOut: number;
  carriedIn: number;
  credited: number;
  seller: Seller;
  /** Amount due now; undefined when it takes no money any more. */
  due: number | undefined;
};

/** A locked invoice with the VAT of the day on which it gets its number, in its seller's country (`applyVatOfDay`). */
export type TaxedInvoice = LockedInvoice & { numberedOn: string };

/** The amounts that cover a part of an invoice, from its row. */
export const coveredOf = (row: {
  credit_used: number;
  prepaid: number;
  prorated: number;
  carried_out: number;
  carried_in: number;
}): Required<Covered> => ({
  creditUsed: row.credit_used,
  prepaid: row.prepaid,
  prorated: row.prorated,
  carriedOut: row.carried_out,
  carriedIn: row.carried_in,
});

const locked = (row: {
  id: string;
  customer_id: string | null;
  order_id: string | null;
  subscription_id: string | null;
  status: InvoiceStatus;
  version: number;
  reference: string;
  currency: string;
  net: number;
  vat: number;
  total: number;
  credit_used: number;
  prepaid: number;
  prorated: number;
  carried_out: number;
  carried_in: number;
  credited: number;
  seller: Seller;
}): LockedInvoice => ({
  id: row.id,
  customerId: row.customer_id,
  orderId: row.order_id,
  subscriptionId: row.subscription_id,
  status: row.status,
  version: row.version,
  reference: row.reference,
  currency: row.currency,
  net: row.net,
  vat: row.vat,
  total: row.total,
  ...coveredOf(row),
  credited: row.credited,
  seller: row.seller,
  due: amountDueOf(row),
});

/** Amount due of an invoice by its row, in hundredths; undefined when it takes no money any more. */
export const amountDueOf = (
  row: { status: InvoiceStatus; total: number } & Parameters<typeof coveredOf>[0],
): number | undefined => (takesMoney(row.status) ? restOf(row.total, coveredOf(row)) : undefined);

/** Reads the amount due of an invoice, in hundredths; `due` is undefined when it takes no money any more. */
export const readAmountDue = async (db: Db, id: string): Promise<Pick<LockedInvoice, 'currency' | 'due'>> =>
  locked(await db.selectFrom('invoice').selectAll().where('id', '=', id).executeTakeFirstOrThrow());

/**
 * What has come for an invoice and what is missing, in hundredths, coins that were only seen included. Undefined where nothing
 * or all has come, and where the invoice or its order takes no money any more.
 */
export async function readPartPaid(db: Db, id: string) {
  const row = await db
    .selectFrom('invoice')
    .leftJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .selectAll('invoice')
    .select('shop_order.status as order_status')
    .select(({ selectFrom }) =>
      selectFrom('attempt')
        .select(sql<number>`coalesce(sum(seen), 0)::int`.as('seen'))
        .whereRef('attempt.invoice_id', '=', 'invoice.id')
        .where('attempt.status', 'in', ['open', 'processing'])
        .as('seen'),
    )
    .where('invoice.id', '=', id)
    .executeTakeFirstOrThrow();
  const due = amountDueOf(row);
  const isOver = row.order_status !== null && !['awaitingPayment', 'failed'].includes(row.order_status);
  const seen = Number(row.seen);
  if (due === undefined || isOver || seen >= due || row.prepaid + seen === 0) return undefined;
  const { currency, order_id: orderId, subscription_id: subscriptionId } = row;
  return { currency, arrived: row.prepaid + seen, missing: due - seen, orderId, subscriptionId };
}

/**
 * Locks an invoice before its money moves. Lock order everywhere: customer, order, subscription, invoice; another order lets
 * a buyer who presses twice and the webhook deadlock. Code that changes a subscription together with invoices that paid for
 * it locks the subscription before the first invoice: their orders are delivered and do not change any more.
 */
export const lockInvoice = async (tx: Db, id: string): Promise<LockedInvoice> =>
  locked((await lockedRow(tx, { id }))[0]!);

/** Locks an invoice, and then one of its attempts, until the transaction ends. */
export async function lockWithAttempt(
  tx: Db,
  id: string,
  attemptId: string,
): Promise<{ invoice: LockedInvoice; attempt: Selectable<Tables['attempt']> }> {
  const [row] = await lockedAttempt(tx, { id, attemptId });
  const { of, ...attempt } = row!;
  return { invoice: locked(of), attempt };
}

const lockedAttempt = prepareQuery((db, { id, attemptId }: { id: string; attemptId: string }) =>
  locking(db, id)
    .innerJoin('attempt', join => join.on('attempt.id', '=', attemptId))
    .selectAll('attempt')
    .select(eb => eb.fn.toJson('invoice').as('of'))
    .forNoKeyUpdate('attempt'),
);

const lockedRow = prepareQuery((db, { id }: { id: string }) => locking(db, id).selectAll('invoice'));

const locking = (db: Db, id: string) =>
  db
    .with(
      cte => cte('its_order').materialized(),
      qb =>
        qb
          .selectFrom('shop_order')
          .select('id')
          .where('id', '=', eb => eb.selectFrom('invoice').select('order_id').where('id', '=', id))
          .forNoKeyUpdate(),
    )
    .with(
      cte => cte('its_subscription').materialized(),
      qb =>
        qb
          .selectFrom('subscription')
          .select('id')
          .where('id', '=', eb =>
            eb
              .selectFrom('invoice')
              .select('subscription_id')
              .where('id', '=', id)
              .where('purpose', '=', 'renewal'),
          )
          .forNoKeyUpdate(),
    )
    .selectFrom('invoice')
    .where('invoice.id', '=', id)
    // Evaluated before the row is looked up, so that the locks are taken in order.
    .where(eb => eb.selectFrom('its_order').select(eb.fn.countAll().as('locked')), '>=', 0)
    .where(eb => eb.selectFrom('its_subscription').select(eb.fn.countAll().as('locked')), '>=', 0)
    .forUpdate('invoice');

/** Changes the status of a locked invoice. @throws when its status does not allow it, or it has changed since */
export async function transitionInvoice(
  tx: Db,
  invoice: LockedInvoice,
  status: InvoiceStatus,
): Promise<void> {
  requireTransition(invoice, status);
  await tx
    .updateTable('invoice')
    .set({ status, version: invoice.version + 1 })
    .where('id', '=', invoice.id)
    .where('version', '=', invoice.version)
    .returning('id')
    .executeTakeFirstOrThrow();
}

function requireTransition(invoice: LockedInvoice, status: InvoiceStatus): void {
  if (!canMove<InvoiceStatus>(invoiceTransitions, invoice.status, status))
    throw new Error(`Invoice ${invoice.id} is ${invoice.status}, not to be ${status}`);
}

/** Adds money that does not pay a locked invoice in full. It counts once the rest has come. */
export async function prepayInvoice(tx: Db, invoice: LockedInvoice, amount: number): Promise<void> {
  await change(tx, invoice, { prepaid: invoice.prepaid + amount });
}

/**
 * Turns the unapplied payment of a locked invoice into its customer's credit, with what was prepaid unless the invoice is
 * paid.
 * @returns the name of the ledger transaction
 */
export async function creditUnapplied(
  tx: Db,
  now: Date,
  invoice: LockedInvoice,
  customerId: string,
  amount: number,
): Promise<string> {
  await change(tx, invoice, {
    credited: invoice.credited + amount,
    ...(invoice.status !== 'paid' && { prepaid: 0 }),
  });
  const credit = { customerId, currency: invoice.currency, amount };
  return recordCredited(tx, now, invoice, credit, await unappliedAt(tx, invoice.id));
}

/** Takes a part of a locked invoice's unapplied payment out of its customer's credit, because it is refunded. */
export async function endCreditedPart(tx: Db, invoice: LockedInvoice, amount: number): Promise<void> {
  await change(tx, invoice, { credited: invoice.credited - amount });
}

/** Clears the prepaid amount of a locked invoice whose unapplied payment was refunded, unless the invoice is paid. */
export async function endPrepaid(tx: Db, invoice: LockedInvoice): Promise<void> {
  if (invoice.status !== 'paid') await change(tx, invoice, { prepaid: 0 });
}

const change = (tx: Db, invoice: LockedInvoice, to: { prepaid?: number; credited?: number }) =>
  tx
    .updateTable('invoice')
    .set({ ...to, version: invoice.version + 1 })
    .where('id', '=', invoice.id)
    .where('version', '=', invoice.version)
    .returning('id')
    .executeTakeFirstOrThrow();

/**
 * Finalizes an invoice, whose VAT is that of the day, as paid. One statement also takes its number from the counter of the year: a rollback leaves no gap,
 * and the counter is locked for as short as possible.
 */
export async function payInvoice(tx: Db, now: Date, invoice: TaxedInvoice): Promise<void> {
  requireTransition(invoice, 'paid');
  await tx
    .with('next', () => nextNumber(tx, invoice.numberedOn))
    .updateTable('invoice')
    .from('next')
    .set(({ ref }) => ({
      series: ref('next.series'),
      serial: ref('next.serial'),
      number: ref('next.number'),
      buyer: buyerAtPayment,
      numbered_on: invoice.numberedOn,
      status: 'paid' as const,
      version: invoice.version + 1,
      // A purchase is issued when it is paid; a renewal was issued before and keeps that date.
      ...(invoice.status === 'draft' && { issued_at: now }),
      paid_at: now,
      // The receipt of an order waits for its period; without a host for that long, it is written without a period.
      documents_due_at: invoice.orderId === null ? now : new Date(now.getTime() + PERIOD_WAIT_MS),
    }))
    .where('invoice.id', '=', invoice.id)
    .where('invoice.version', '=', invoice.version)
    .returning('invoice.id')
    .executeTakeFirstOrThrow();
}
