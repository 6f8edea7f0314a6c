import { sql } from 'kysely';
import type { Backfill } from '../../jobs/backfill.ts';

/** Customers of a batch. */
const BATCH = 300;

/** Tables whose rows belong to a user. */
const LOG_IN = ['link_token', 'challenge', 'totp', 'recovery_code', 'passkey', 'ceremony'] as const;

/**
 * Gives each customer that has none a user of the same ID who owns it, and each row of a log-in its user. Triggers do so for
 * what is written since.
 */
export const users: Backfill = {
  name: 'users',
  async move(tx, place) {
    const customers = tx
      .selectFrom('customer')
      .where('id', '>', place)
      .where('founder_id', 'is', null)
      .orderBy('id')
      .limit(BATCH);
    const rows = await customers.select('id').execute();
    const last = rows.at(-1);
    if (!last) return undefined;
    const ids = rows.map(({ id }) => id);
    const made = await tx
      .insertInto('app_user')
      .columns(['id', 'email', 'language', 'password_hash', 'status', 'created_at'])
      .expression(eb =>
        eb
          .selectFrom('customer')
          .select(['id', 'email', 'language', 'password_hash', 'status', 'created_at'])
          .where('id', 'in', ids),
      )
      .onConflict(on => on.column('id').doNothing())
      .executeTakeFirst();
    await tx
      .insertInto('membership')
      .columns(['customer_id', 'user_id', 'role', 'since'])
      .expression(eb =>
        eb
          .selectFrom('customer')
          .select(['id as customer_id', 'id as user_id', sql`'owner'`.as('role'), 'created_at'])
          .where('id', 'in', ids),
      )
      .onConflict(on => on.doNothing())
      .execute();
    for (const table of LOG_IN)
      await tx
        .updateTable(table)
        .set({ user_id: sql<string>`customer_id` })
        .where('customer_id', 'in', ids)
        .where('user_id', 'is', null)
        .execute();
    await tx
      .updateTable('session')
      .set({ user_id: sql<string>`customer_id`, role: 'owner' })
      .where('customer_id', 'in', ids)
      .where('user_id', 'is', null)
      .execute();
    return { place: last.id, moved: Number(made.numInsertedOrUpdatedRows ?? 0) };
  },
};
