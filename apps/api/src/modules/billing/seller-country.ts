import { sql } from 'kysely';
import type { Backfill } from '../../jobs/backfill.ts';

const BATCH = 500;

/** Names the seller's country on unpaid invoices of version 0.2, so that they are paid at the rate of the day (M4). */
export const sellerCountry = (country: string): Backfill => ({
  name: 'seller_country',
  async move(tx, place) {
    const rows = await tx
      .selectFrom('invoice')
      .select('id')
      .where('id', '>', place)
      .where('status', 'in', ['draft', 'open'])
      .where(sql<boolean>`not seller ? 'country'`)
      .orderBy('id')
      .limit(BATCH)
      .forUpdate()
      .execute();
    const last = rows.at(-1);
    if (!last) return undefined;
    await tx
      .updateTable('invoice')
      .set({ seller: sql`seller || jsonb_build_object('country', ${country}::text)` })
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute();
    return { place: last.id, moved: rows.length };
  },
});
