import {
  type Covered,
  type InvoiceStatus,
  invoiceTransitions,
  restOf,
  sumOf,
  takesMoney,
} from '@fixpoint/domain/billing/invoice.ts';
import { canMove } from '@fixpoint/domain/kernel/machine.ts';
import { type Selectable, sql } from 'kysely';
import { newId, newPaymentReference } from '../../crypto/secrets.ts';
import { prepareQuery } from '../../database/prepared-queries.ts';
import type { Db } from '../../ports/database.ts';
import type { Buyer, LineText, Seller } from '../../ports/json-columns.ts';
import type { Tables } from '../../ports/tables.ts';
import { recordCredited } from './ledger.ts';
import { nextNumber } from './numbers.ts';
import { unappliedAt } from './paying-attempt.ts';

const PERIOD_WAIT_MS = 10 * 60_000;

/** An invoice as whoever settles it holds it: locked until the transaction ends. */
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
  /** What of it the unused days of another subscription pay. */
  prorated: number;
  credited: number;
  /** What it asks for now; undefined when it takes no money any more. */
  due: number | undefined;
};

export type InvoiceLine = { text: LineText; net: number; vat: number; vatRateBp: number; total: number };

/** What an invoice says. A draft can be said again; what is issued stays as it is. */
export type InvoiceContent = {
  customerId: string | null;
  currency: string;
  lines: readonly InvoiceLine[];
  /** What of it the unused days of another subscription pay. */
  prorated?: number;
  buyer: Buyer;
  seller: Seller;
  language: string;
};

/**
 * The invoice of an order: drafted at its first submission, said again at each later one, since the buyer may correct
 * himself until the money is there.
 * @param of `subscriptionId`: the one that it takes up again, or changes the plan of; null: a new one
 * @returns its id; undefined when it takes no money any more
 */
export async function draftInvoice(
  tx: Db,
  now: Date,
  {
    orderId,
    subscriptionId,
    upgrades,
  }: { orderId: string; subscriptionId: string | null; upgrades: boolean },
  content: InvoiceContent,
): Promise<string | undefined> {
  const { lines, customerId, ...frozen } = content;
  const said = { ...frozen, ...sumOf(lines), customer_id: customerId };
  const id = newId('inv');
  const row = await tx
    .insertInto('invoice')
    .values({
      ...said,
      id,
      purpose: upgrades ? 'upgrade' : subscriptionId ? 'reactivation' : 'purchase',
      order_id: orderId,
      subscription_id: subscriptionId,
      status: 'draft',
      reference: newPaymentReference(),
      created_at: now,
    })
    .onConflict(conflict =>
      conflict
        .column('order_id')
        .doUpdateSet({ ...said, version: sql<number>`invoice.version + 1` })
        .where('invoice.status', '=', 'draft'),
    )
    .returning('id')
    .executeTakeFirst();
  if (!row) return undefined;
  // One that was inserted just now has no lines to replace.
  if (row.id !== id) await tx.deleteFrom('invoice_line').where('invoice_id', '=', row.id).execute();
  await insertLines(tx, row.id, customerId, lines);
  return row.id;
}

/** What an invoice lists. */
export const insertLines = (
  tx: Db,
  invoiceId: string,
  customerId: string | null,
  lines: readonly InvoiceLine[],
) =>
  tx
    .insertInto('invoice_line')
    .values(
      lines.map(({ text, net, vat, vatRateBp, total }, i) => ({
        invoice_id: invoiceId,
        customer_id: customerId,
        position: i + 1,
        text,
        net,
        vat,
        vat_rate_bp: vatRateBp,
        total,
      })),
    )
    .execute();

/** As the table names them. */
export const coveredOf = (row: { credit_used: number; prepaid: number; prorated: number }): Covered => ({
  creditUsed: row.credit_used,
  prepaid: row.prepaid,
  prorated: row.prorated,
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
  credited: number;
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
  due: askedBy(row),
});

/** What an invoice asks for, by its row in the table; undefined when it takes no money any more. */
export const askedBy = (
  row: { status: InvoiceStatus; total: number } & Parameters<typeof coveredOf>[0],
): number | undefined => (takesMoney(row.status) ? restOf(row.total, coveredOf(row)) : undefined);

/** What an invoice asks for as it stands, in integer hundredths; `due` is undefined when it takes no money any more. */
export const dueOf = async (db: Db, id: string): Promise<Pick<LockedInvoice, 'currency' | 'due'>> =>
  locked(await db.selectFrom('invoice').selectAll().where('id', '=', id).executeTakeFirstOrThrow());

/**
 * Locks an invoice: whoever moves its money waits here for the others. The order that it is of, or the subscription that
 * it renews, is locked before it, as by everybody: customer, order, subscription, invoice. In another order a buyer who
 * presses again and his webhook would wait for each other. Whoever moves a subscription together with invoices that have paid
 * for it locks the subscription before the first of them: their orders are delivered, and nobody moves those any more.
 */
export const lockInvoice = async (tx: Db, id: string): Promise<LockedInvoice> =>
  locked((await lockedRow(tx, { id }))[0]!);

/**
 * The same together with one of its attempts, which is locked after it: what both say is true until the transaction ends.
 */
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
    // Asked for before the row is looked up, and so locked before it.
    .where(eb => eb.selectFrom('its_order').select(eb.fn.countAll().as('locked')), '>=', 0)
    .where(eb => eb.selectFrom('its_subscription').select(eb.fn.countAll().as('locked')), '>=', 0)
    .forUpdate('invoice');

/** Moves a locked invoice. @throws when its state does not allow it, or somebody else has moved it */
export async function moveInvoice(tx: Db, invoice: LockedInvoice, status: InvoiceStatus): Promise<void> {
  refuseMove(invoice, status);
  await tx
    .updateTable('invoice')
    .set({ status, version: invoice.version + 1 })
    .where('id', '=', invoice.id)
    .where('version', '=', invoice.version)
    .returning('id')
    .executeTakeFirstOrThrow();
}

function refuseMove(invoice: LockedInvoice, status: InvoiceStatus): void {
  if (!canMove<InvoiceStatus>(invoiceTransitions, invoice.status, status))
    throw new Error(`Invoice ${invoice.id} is ${invoice.status}, not to be ${status}`);
}

/** Money came for a locked invoice that is too little by itself: it counts once the rest is there. */
export async function prepayInvoice(tx: Db, invoice: LockedInvoice, amount: number): Promise<void> {
  await change(tx, invoice, { prepaid: invoice.prepaid + amount });
}

/**
 * What came beyond a locked invoice becomes its payer's credit; with it goes what was to count for it, unless it is paid.
 * @returns the name of the ledger's transaction
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

/** What came beyond a locked invoice has gone back: with it goes what was to count for it, unless it is paid. */
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
 * Finalises an invoice as paid: its number is taken from the counter of its year in the same statement, so a payment
 * that is rolled back leaves no gap, and nobody waits for the next number longer than he must.
 */
export async function payInvoice(tx: Db, now: Date, invoice: LockedInvoice): Promise<void> {
  refuseMove(invoice, 'paid');
  await tx
    .with('next', () => nextNumber(tx, now))
    .updateTable('invoice')
    .from('next')
    .set(({ ref }) => ({
      series: ref('next.series'),
      serial: ref('next.serial'),
      number: ref('next.number'),
      status: 'paid' as const,
      version: invoice.version + 1,
      // A purchase is issued with its payment; what was issued before keeps its day.
      ...(invoice.status === 'draft' && { issued_at: now }),
      paid_at: now,
      // The receipt of an order waits for the period; who waits long for a host gets one without.
      documents_due_at: invoice.orderId === null ? now : new Date(now.getTime() + PERIOD_WAIT_MS),
    }))
    .where('invoice.id', '=', invoice.id)
    .where('invoice.version', '=', invoice.version)
    .returning('invoice.id')
    .executeTakeFirstOrThrow();
}

/** A guest's paid invoice becomes that of the account and subscription which it was for. */
export async function giveInvoice(
  tx: Db,
  orderId: string,
  to: { customerId: string; subscriptionId: string },
): Promise<string> {
  const { id } = await tx
    .with('given', cte =>
      cte
        .updateTable('invoice')
        .set({ customer_id: to.customerId, subscription_id: to.subscriptionId })
        .where('order_id', '=', orderId)
        .returning('id'),
    )
    .with('lines', cte =>
      cte
        .updateTable('invoice_line')
        .set({ customer_id: to.customerId })
        .where('invoice_id', '=', eb => eb.selectFrom('given').select('id')),
    )
    .selectFrom('given')
    .select('id')
    .executeTakeFirstOrThrow();
  return id;
}
