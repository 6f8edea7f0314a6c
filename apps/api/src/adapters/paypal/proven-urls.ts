import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { ProvenUrls } from './certificates.ts';

/** Stored in PostgreSQL, so that all nodes share it across restarts. */
export const createProvenUrls = (db: Db, clock: Clock): ProvenUrls => ({
  has: async address =>
    (await db
      .selectFrom('paypal_certificate')
      .select('address')
      .where('address', '=', address)
      .executeTakeFirst()) !== undefined,
  async add(address) {
    await db
      .insertInto('paypal_certificate')
      .values({ address, proved_at: clock.now() })
      .onConflict(conflict => conflict.column('address').doNothing())
      .execute();
  },
});
