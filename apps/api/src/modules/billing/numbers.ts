import { bangkokDate } from '@fixpoint/domain/kernel/bangkok.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/**
 * Takes the next number of a year's series, in the caller's transaction: one that is rolled back leaves no gap.
 * @param prefix tells the series of credit notes from that of invoices
 */
export const nextNumber = (tx: Db, now: Date, prefix = '') =>
  tx
    .insertInto('number_series')
    .values({ series: `${prefix}${bangkokDate(now).year}`, last: 1 })
    .onConflict(conflict =>
      conflict.column('series').doUpdateSet({ last: sql<number>`number_series.last + 1` }),
    )
    .returning([
      'series',
      'last as serial',
      sql<string>`series || '-' || lpad(last::text, greatest(6, length(last::text)), '0')`.as('number'),
    ]);
