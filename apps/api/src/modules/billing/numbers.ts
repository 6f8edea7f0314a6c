import { bangkokDate } from '@fixpoint/domain/kernel/bangkok.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/**
 * The next number of a year's series, taken in the caller's transaction: one that is rolled back leaves no gap.
 * @param prefix tells the series of credit notes from that of invoices
 */
export async function nextNumber(
  tx: Db,
  now: Date,
  prefix = '',
): Promise<{ series: string; serial: number; number: string }> {
  const series = `${prefix}${bangkokDate(now).year}`;
  const { last } = await tx
    .insertInto('number_series')
    .values({ series, last: 1 })
    .onConflict(conflict =>
      conflict.column('series').doUpdateSet({ last: sql<number>`number_series.last + 1` }),
    )
    .returning('last')
    .executeTakeFirstOrThrow();
  return { series, serial: last, number: `${series}-${String(last).padStart(6, '0')}` };
}
