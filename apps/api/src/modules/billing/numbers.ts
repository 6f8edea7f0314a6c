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

/** A number as {@link nextNumber} writes it. */
export const numberOf = (series: string, serial: number): string =>
  `${series}-${String(serial).padStart(6, '0')}`;

/** How far the numbers of a series were given. */
export async function standOf(db: Db, series: string): Promise<number> {
  const row = await db
    .selectFrom('number_series')
    .select('last')
    .where('series', '=', series)
    .executeTakeFirst();
  return row?.last ?? 0;
}

/**
 * Numbers up to this one were given before the shop was restored from a backup, which does not know of them: customers have
 * them, so nobody gets them again.
 */
export async function passOver(db: Db, series: string, last: number): Promise<void> {
  await sql`
    insert into number_series (series, last, lost) values (${series}, ${last}, ${last})
    on conflict (series) do update
      set lost = number_series.lost + excluded.last - number_series.last, last = excluded.last
      where number_series.last < excluded.last`.execute(db);
}
