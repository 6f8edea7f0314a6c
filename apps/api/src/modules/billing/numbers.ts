import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/**
 * Takes the next number of a year's series in the caller's transaction, so that a rollback leaves no gap.
 * @param day of the document in its seller's country, `2026-12-31`
 * @param prefix separates the series of credit notes from that of invoices
 */
export const nextNumber = (tx: Db, day: string, prefix = '') =>
  tx
    .insertInto('number_series')
    .values({ series: `${prefix}${day.slice(0, 4)}`, last: 1 })
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

/** Last number that a series has given; 0 for none. */
export async function lastNumber(db: Db, series: string): Promise<number> {
  const row = await db
    .selectFrom('number_series')
    .select('last')
    .where('series', '=', series)
    .executeTakeFirst();
  return row?.last ?? 0;
}

/** The next number of every series. */
export async function nextNumbers(db: Db): Promise<{ series: string; next: string }[]> {
  const rows = await db.selectFrom('number_series').select(['series', 'last']).orderBy('series').execute();
  return rows.map(({ series, last }) => ({ series, next: numberOf(series, last + 1) }));
}

/**
 * Skips numbers up to this one. Before the shop was restored from a backup it gave them to customers, and the backup does not
 * know that; they must not be given twice.
 */
export async function skipNumbers(db: Db, series: string, last: number): Promise<void> {
  await sql`
    insert into number_series (series, last, lost) values (${series}, ${last}, ${last})
    on conflict (series) do update
      set lost = number_series.lost + excluded.last - number_series.last, last = excluded.last
      where number_series.last < excluded.last`.execute(db);
}
