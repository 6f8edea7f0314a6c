import { sql } from 'kysely';
import type { Backfill } from '../../jobs/backfill.ts';

/** Invoices of a batch, of which most are paid and stay as they are. */
const BATCH = 2_000;

/** Names the seller's country on unpaid invoices of version 0.2, so that they are paid at the rate of the day (M4). */
export const sellerCountry = (country: string): Backfill => ({
  name: 'seller_country',
  async move(tx, place) {
    const rows = await tx
      .selectFrom('invoice')
      .select('id')
      .where('id', '>', place)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    const last = rows.at(-1);
    if (!last) return undefined;
    const { numUpdatedRows } = await tx
      .updateTable('invoice')
      .set({ seller: sql`seller || jsonb_build_object('country', ${country}::text)` })
      .where('id', '>', place)
      .where('id', '<=', last.id)
      .where('status', 'in', ['draft', 'open'])
      .where(sql<boolean>`not seller ? 'country'`)
      .executeTakeFirst();
    return { place: last.id, moved: Number(numUpdatedRows) };
  },
});
