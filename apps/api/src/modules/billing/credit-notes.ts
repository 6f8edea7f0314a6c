import { creditOf } from '@fixpoint/domain/billing/credit.ts';
import type { Totals } from '@fixpoint/domain/billing/invoice.ts';
import { dayIn } from '@fixpoint/domain/kernel/time-zone.ts';
import { sql } from 'kysely';
import { newId } from '../../crypto/secrets.ts';
import type { Db } from '../../ports/database.ts';
import type { LockedInvoice } from './invoices.ts';
import { recordCredit } from './ledger.ts';
import { nextNumber } from './numbers.ts';
import { payingAttempt } from './paying-attempt.ts';

/** Totals of invoices less their credit notes. */
export async function uncredited(db: Db, ids: readonly string[]): Promise<Totals> {
  const { rows } = await sql<Totals>`
    select coalesce(sum(net), 0)::bigint as net, coalesce(sum(vat), 0)::bigint as vat,
      coalesce(sum(total), 0)::bigint as total
    from (
      select net, vat, total from invoice where id = any(${[...ids]})
      union all
      select -net, -vat, -total from credit_note where invoice_id = any(${[...ids]})
    ) booked`.execute(db);
  return rows[0]!;
}

/**
 * Amount of an invoice's payment that credit notes have not reversed, in hundredths. Notes over a prorated part reverse no
 * money and are left out.
 */
export async function creditable(
  db: Db,
  { id }: { id: string },
  { received, unapplied }: { received: number; unapplied: number },
): Promise<number> {
  const { credited } = await db
    .selectFrom('credit_note')
    .select(sql<number>`coalesce(sum(total), 0)::bigint`.as('credited'))
    .where('invoice_id', '=', id)
    .where('prorated', '=', false)
    .executeTakeFirstOrThrow();
  return Math.max(received - unapplied - credited, 0);
}

/** Money that can still be refunded of an invoice, in hundredths; 0 where credit alone paid it. */
export async function moneyLeft(db: Db, invoice: { id: string }): Promise<number> {
  const attempt = await payingAttempt(db, invoice.id).select(['received', 'unapplied']).executeTakeFirst();
  return attempt ? creditable(db, invoice, attempt) : 0;
}

/**
 * Issues a credit note for a part of a paid invoice, which must be locked, and books it. The note names the seller of the
 * invoice and has its rate of VAT, as the tax office requires; its number is of the day in that seller's country.
 * @param amount gross, at most what is not credited yet
 * @param provider gateway that refunds the money; undefined: no money moves
 * @param credited whether the amount becomes the customer's credit
 * @param pays the invoice that the amount pays instead of becoming credit
 * @param dispute the lost dispute that took the money; `prorated`: its payment paid this invoice by unused days
 */
export async function issueCreditNote(
  tx: Db,
  now: Date,
  invoice: LockedInvoice & { customerId: string },
  {
    amount,
    reason,
    provider,
    credited = false,
    pays,
    dispute,
  }: {
    amount: number;
    reason: string;
    provider?: string;
    credited?: boolean;
    pays?: string | undefined;
    dispute?: { id: string; prorated: boolean };
  },
): Promise<{ id: string; number: string }> {
  const issued = await tx
    .selectFrom('invoice')
    .innerJoin('invoice_line as line', 'line.invoice_id', 'invoice.id')
    .select(['invoice.seller', 'invoice.language', 'line.vat_rate_bp'])
    .where('invoice.id', '=', invoice.id)
    .orderBy('line.position')
    .limit(1)
    .executeTakeFirstOrThrow();
  const { vat_rate_bp: rate, ...frozen } = issued;
  const totals = creditOf(invoice.currency, amount, rate, await uncredited(tx, [invoice.id]));
  const id = newId('crn');
  const numbered_on = dayIn(frozen.seller.country, now);
  const number = await nextNumber(tx, numbered_on, 'CN').executeTakeFirstOrThrow();
  await tx
    .insertInto('credit_note')
    .values({
      id,
      reason,
      credited,
      pays_invoice_id: pays ?? null,
      dispute_id: dispute?.id ?? null,
      prorated: dispute?.prorated ?? false,
      ...number,
      numbered_on,
      ...totals,
      ...frozen,
      invoice_id: invoice.id,
      customer_id: invoice.customerId,
      currency: invoice.currency,
      vat_rate_bp: rate,
      issued_at: now,
    })
    .execute();
  await tx.updateTable('invoice').set({ documents_due_at: now }).where('id', '=', invoice.id).execute();
  await recordCredit(tx, now, id, { ...totals, provider, currency: invoice.currency });
  return { id, number: number.number };
}
