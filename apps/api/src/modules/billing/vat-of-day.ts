import { lineTotals, sumOf } from '@fixpoint/domain/billing/invoice.ts';
import { dayIn } from '@fixpoint/domain/kernel/time-zone.ts';
import { sql } from 'kysely';
import { prepareQuery } from '../../database/prepared-queries.ts';
import type { Db } from '../../ports/database.ts';
import type { LockedInvoice, TaxedInvoice } from './invoices.ts';

/**
 * Gives a locked invoice the rate of VAT of the day on which it gets its number, whatever day it was drafted on (M4): its
 * prices stay, net and VAT change. Must precede whatever books or reads its net.
 */
export async function applyVatOfDay(tx: Db, now: Date, invoice: LockedInvoice): Promise<TaxedInvoice> {
  const { id, currency, version, seller } = invoice;
  const numberedOn = dayIn(seller.country, now);
  if (seller.country === undefined) return { ...invoice, numberedOn };
  const lines = await taxedLines(tx, { id, country: seller.country, day: numberedOn });
  if (lines.every(line => line.rate === null || line.rate === line.vat_rate_bp))
    return { ...invoice, numberedOn };
  const taxed = lines.map(line => ({
    position: line.position,
    vat_rate_bp: line.rate!,
    ...lineTotals(currency, line.total, line.rate!),
  }));
  for (const { position, ...amounts } of taxed)
    await tx
      .updateTable('invoice_line')
      .set(amounts)
      .where('invoice_id', '=', id)
      .where('position', '=', position)
      .execute();
  const { net, vat } = sumOf(taxed);
  await tx
    .updateTable('invoice')
    .set({ net, vat, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...invoice, net, vat, version: version + 1, numberedOn };
}

const taxedLines = prepareQuery((db, { id, country, day }: { id: string; country: string; day: string }) =>
  db
    .selectFrom('invoice_line')
    .select([
      'position',
      'total',
      'vat_rate_bp',
      sql<number | null>`vat_rate_on(${country}, ${day}::date)`.as('rate'),
    ])
    .where('invoice_id', '=', id),
);
