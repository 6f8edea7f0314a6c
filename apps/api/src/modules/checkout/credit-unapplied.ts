import { wholeUnitsIn } from '@fixpoint/domain/kernel/money.ts';
import { sql } from 'kysely';
import { isPseudonym } from '../../kernel/pseudonym.ts';
import type { Db } from '../../ports/database.ts';
import type { Prices } from '../../ports/payment-gateway.ts';
import { raiseAlert } from '../alert/index.ts';
import {
  creditUnapplied as creditInvoice,
  type LockedInvoice,
  lockInvoice,
  unappliedAt,
} from '../billing/index.ts';
import { endDue, type FindDue, NotRefundable } from '../payment/index.ts';
import type { CheckoutDeps } from './deps.ts';

/** After this long an unsettled payment has an alert, and the query need not look at it any more. */
const LOOKED_AT_MS = 30 * 24 * 60 * 60_000;
const BATCH = 500;

/**
 * Amount paid beyond an invoice, without refunds of any kind, in hundredths. A prepaid amount belongs to the invoice once
 * that is paid.
 */
const beyond = sql<number>`coalesce((
    select sum(unapplied) from attempt where attempt.invoice_id = invoice.id
  ), 0) - coalesce((
    select sum(refund.amount) from refund join attempt on attempt.id = refund.attempt_id
    where attempt.invoice_id = invoice.id and refund.reason = 'unapplied'
      and not exists (select from ledger_entry where txn = 'notes-ended:' || attempt.id)
      and not (refund.status = 'failed' and exists (
      select from refund again where again.attempt_id = refund.attempt_id and again.created_at > refund.created_at))
  ), 0) - coalesce((
    select sum(amount) from out_of_band_refund where invoice_id = invoice.id and refund_id is null
  ), 0) - case when invoice.status = 'paid' then invoice.prepaid else 0 end`;

/** The part of it that is not credit yet. */
const notYetCredited = sql<number>`${beyond} - invoice.credited`;

/** SQL condition: nobody can pay the invoice any more, because its order was delivered or has expired. */
const isOver = sql<boolean>`case when shop_order.id is null then invoice.status not in ('draft', 'open')
  else shop_order.status in ('fulfilled', 'expired', 'refunded') end`;

const surplus = (db: Db) =>
  db
    .selectFrom('invoice')
    .leftJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .where(isOver)
    .where(notYetCredited, '>', 0);

/** Amount paid beyond the price of a paid order, in hundredths: its customer's credit, or soon to be. */
export async function surplusOf(db: Db, orderId: string): Promise<number> {
  const paid = await db
    .selectFrom('invoice')
    .select(beyond.as('amount'))
    .where('order_id', '=', orderId)
    .where('status', '=', 'paid')
    .executeTakeFirst();
  return Number(paid?.amount ?? 0);
}

/** Invoices with an unapplied payment that nobody has settled, the oldest first. */
export async function unsettledInvoices(db: Db, now: Date): Promise<{ invoiceId: string }[]> {
  const recent = db
    .selectFrom('attempt')
    .select(({ fn }) => ['invoice_id as invoiceId', fn.min('updated_at').as('since')])
    .where(sql<boolean>`unapplied > 0`)
    .where('updated_at', '>', new Date(now.getTime() - LOOKED_AT_MS))
    .groupBy('invoice_id');
  const unsettled = surplus(db)
    .select('invoice.id')
    .where('invoice.id', '=', sql.ref<string>('recent.invoiceId'));
  // Settled ones are filtered out before the limit, so that they do not starve the others.
  return db
    .selectFrom(recent.as('recent'))
    .select('invoiceId')
    .where(({ exists }) => exists(unsettled))
    .orderBy('since')
    .limit(BATCH)
    .execute();
}

/**
 * Turns an invoice's unapplied payment into credit of its customer. A guest gets an account for it. The rate of an offer
 * holds for what it asks for. Coins beyond that count at today's, if that is lower: an old address would buy twice as much
 * once the price has halved.
 */
export async function creditUnapplied(deps: CheckoutDeps, invoiceId: string): Promise<void> {
  const { db, clock, jobs, account, payment } = deps;
  // Before the transaction: it asks the gateway.
  const fallen = await payment.fallenPrice(invoiceId);
  await db.transaction().execute(async tx => {
    // Lock order: the account before the order.
    const owner = await ownerOf(deps, tx, invoiceId);
    const active = owner !== undefined && (await account.holdActive(tx, owner.id));
    const invoice = await lockInvoice(tx, invoiceId);
    const found = await surplus(tx)
      .select(notYetCredited.as('amount'))
      .where('invoice.id', '=', invoiceId)
      .executeTakeFirst();
    if (!found) return;
    let amount = Number(found.amount);
    if (!active) {
      const what = { currency: invoice.currency, amount };
      return raiseAlert(tx, clock.now(), { kind: 'payment.unapplied', subject: invoiceId, what });
    }
    const lost = fallen ? lostBy(fallen, invoice, amount) : 0;
    if (lost > 0) {
      const due = { refundId: null, provider: await unappliedAt(tx, invoiceId), currency: invoice.currency };
      const end = { reason: 'The price of bitcoin had fallen', writtenOff: true };
      await endDue(deps, tx, invoice, { ...due, amount: lost }, end);
      amount -= lost;
    }
    if (amount === 0) return;
    const txn = await creditInvoice(tx, clock.now(), invoice, owner.id, amount);
    const to = { customerId: owner.id };
    await jobs.enqueue(tx, 'sendEmail', { template: 'credit', subjectId: txn, ...to });
    if (!owner.hasPassword)
      await jobs.enqueue(tx, 'sendEmail', { template: 'welcome', subjectId: txn, ...to });
  });
}

/** What coins have lost of their value since their offer, in hundredths. What was prepaid in time keeps its rate. */
function lostBy(
  { then, now }: Prices,
  { currency, status, prepaid }: Pick<LockedInvoice, 'currency' | 'status' | 'prepaid'>,
  amount: number,
): number {
  const late = Math.max(0, amount - (status === 'paid' ? 0 : prepaid));
  return late - wholeUnitsIn(currency, Number((BigInt(late) * BigInt(now)) / BigInt(then)));
}

/** Finds an unapplied payment that has no active account to be credited to: staff refunds it out of band. */
export const unclaimedPayment: FindDue = async (db, invoiceId) => {
  const found = await surplus(db)
    .select(['invoice.currency', notYetCredited.as('amount')])
    .where('invoice.id', '=', invoiceId)
    .executeTakeFirst();
  if (!found) throw new NotRefundable(`${invoiceId} has no unapplied payment to refund`);
  const due = { ...found, amount: Number(found.amount), provider: await unappliedAt(db, invoiceId) };
  return { ...due, invoiceId, refundId: null, alerts: [invoiceId] };
};

/** The account of an invoice; a guest's is found or created by address. Undefined where the address was erased. */
async function ownerOf({ account }: CheckoutDeps, tx: Db, invoiceId: string) {
  const of = await tx
    .selectFrom('invoice')
    .leftJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .select(['invoice.customer_id', 'shop_order.email', 'shop_order.language'])
    .where('invoice.id', '=', invoiceId)
    .executeTakeFirstOrThrow();
  if (of.customer_id) return account.byId(tx, of.customer_id);
  if (!of.email || !of.language || isPseudonym(of.email)) return undefined;
  return account.ensure(tx, of.email, of.language);
}
