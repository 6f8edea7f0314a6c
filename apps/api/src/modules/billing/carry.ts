import { minimumByCard } from '@fixpoint/contract/minimum-charge.ts';
import { isCarried } from '@fixpoint/domain/billing/carry.ts';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { LockedInvoice } from './invoices.ts';
import { recordCarriedEnded } from './ledger.ts';

/**
 * SQL: what a customer owes for carried rests, in hundredths, less what an unpaid invoice collects already.
 * @param customer the column of the surrounding query, or its value
 */
const carriedRests = (
  customer: Expression<string>,
  currency: Expression<string>,
): RawBuilder<number> => sql<number>`(
  select coalesce(sum(case when status = 'paid' then carried_out - carried_ended else 0 end)
    - sum(case when status = 'void' then 0 else carried_in end), 0)::bigint
  from invoice where customer_id = ${customer} and currency = ${currency} and (carried_out > 0 or carried_in > 0))`;

/** SQL: the same, but nothing for a customer with credit, which pays in part for what the invoice sells. */
export const restsWithoutCredit = (customerId: string, currency: string): RawBuilder<number> => sql<number>`
  case when exists (select from account_credit where customer_id = ${customerId} and currency = ${currency} and amount > 0)
  then 0 else ${carriedRests(sql.val(customerId), sql.val(currency))} end`;

/** What a customer owes for carried rests, in hundredths. */
export async function carriedRestsOf(db: Db, customerId: string, currency: string): Promise<number> {
  const rests = carriedRests(sql.val(customerId), sql.val(currency));
  const { rows } = await sql<{ owed: number }>`select ${rests} as owed`.execute(db);
  return rows[0]!.owed;
}

/**
 * What the buyers with the email address of a guest's order owe for carried rests: its account, where there is one, and orders
 * that no account has yet. In hundredths.
 */
async function carriedRestsOfGuest(db: Db, orderId: string, currency: string): Promise<number> {
  const { rows } = await sql<{ owed: number }>`
    select coalesce((select ${carriedRests(sql.ref('customer.id'), sql.val(currency))} from customer
        where customer.email = guest.email and customer.status = 'active'), 0)::bigint
      + (select coalesce(sum(carried_out), 0) from invoice join shop_order on shop_order.id = invoice.order_id
        where shop_order.email = guest.email and shop_order.customer_id is null and invoice.status = 'paid'
          and invoice.customer_id is null and invoice.currency = ${currency})::bigint as owed
    from shop_order guest where guest.id = ${orderId}`.execute(db);
  return rows[0]?.owed ?? 0;
}

/** The part of a rest that a customer's invoice would carry: all or nothing. Amounts in hundredths. */
export async function restToCarry(
  db: Db,
  {
    customerId,
    orderId = null,
    currency,
    rest,
  }: { customerId: string | null; orderId?: string | null; currency: string; rest: number },
  takes: (amount: number) => boolean,
): Promise<number> {
  const least = minimumByCard(currency);
  if (rest <= 0 || rest >= least) return 0;
  const owed = customerId
    ? await carriedRestsOf(db, customerId, currency)
    : orderId
      ? await carriedRestsOfGuest(db, orderId, currency)
      : 0;
  return isCarried(rest, { least, owed, takes }) ? rest : 0;
}

/** Lets nobody else carry rests of the same buyer, a customer or a guest by email address, until the transaction ends. */
async function lockRests(
  tx: Db,
  { customerId, orderId }: Pick<LockedInvoice, 'customerId' | 'orderId'>,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('carried ' || coalesce(
    ${customerId}, (select email from shop_order where id = ${orderId}), ''), 0))`.execute(tx);
}

/**
 * Carries what is left of a locked invoice to a later one, where no payment method takes so little.
 * @param rest amount due, in hundredths
 * @param takes whether any payment method of the shop takes an amount
 * @returns the invoice with nothing due; undefined when its rest is to be paid
 */
export async function carryRest(
  tx: Db,
  invoice: LockedInvoice,
  rest: number,
  takes: (amount: number) => boolean,
): Promise<LockedInvoice | undefined> {
  // Before the others are read: payments that settle at the same moment would each find nothing owed.
  if (rest < minimumByCard(invoice.currency)) await lockRests(tx, invoice);
  if ((await restToCarry(tx, { ...invoice, rest }, takes)) === 0) return undefined;
  const { version } = await tx
    .updateTable('invoice')
    .set({ carried_out: rest, version: invoice.version + 1 })
    .where('id', '=', invoice.id)
    .where('version', '=', invoice.version)
    .returning('version')
    .executeTakeFirstOrThrow();
  return { ...invoice, version, carriedOut: rest, due: invoice.due! - rest };
}

/**
 * Corrects the rests that a new invoice collects, where another invoice collects the same ones: they were read before that one
 * was committed.
 */
export async function settleCarriedIn(
  tx: Db,
  of: { id: string; customerId: string; currency: string; carriedIn: number },
): Promise<void> {
  const { id, customerId, currency, carriedIn } = of;
  if (carriedIn === 0) return;
  await sql`select pg_advisory_xact_lock(hashtextextended('carried ' || ${customerId}, 0))`.execute(tx);
  const owed = await carriedRestsOf(tx, customerId, currency);
  if (owed >= 0) return;
  await tx
    .updateTable('invoice')
    .set({ carried_in: Math.max(0, carriedIn + owed) })
    .where('id', '=', id)
    .execute();
}

/** Writes off the rests of a customer who has no subscription to collect them with, as goodwill. */
export async function endCarriedRests(tx: Db, now: Date, customerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('carried ' || ${customerId}, 0))`.execute(tx);
  const invoices = await tx
    .selectFrom('invoice')
    .select(['id', 'currency', 'carried_out'])
    .where('customer_id', '=', customerId)
    .where('status', '=', 'paid')
    .where('carried_out', '>', 0)
    // One that was written off before has its transaction: what is left of it was collected.
    .where('carried_ended', '=', 0)
    .orderBy('paid_at', 'desc')
    .execute();
  for (const { id, currency, carried_out } of invoices) {
    const rest = Math.min(await carriedRestsOf(tx, customerId, currency), carried_out);
    if (rest <= 0) continue;
    await tx
      .updateTable('invoice')
      .set({ carried_ended: rest, carried_ended_at: now })
      .where('id', '=', id)
      .execute();
    await recordCarriedEnded(tx, now, { id, currency }, rest);
  }
}
