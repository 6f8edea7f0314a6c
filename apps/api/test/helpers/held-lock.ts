import { until } from '@fixpoint/testkit/buyer.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { Client } from 'pg';

/**
 * Lets calls meet: holds `call` up where it needs what `lock` locks, does something meanwhile, and lets it go on.
 * @param lock a statement that takes the lock
 * @param waiting how many of the call's queries are to wait before it goes on
 */
export async function held<T>(
  shop: Pick<TestShop, 'db' | 'databaseUrl'>,
  lock: string,
  call: () => Promise<T>,
  meanwhile: (holder: Client) => Promise<unknown> = async () => {},
  waiting = 1,
): Promise<T> {
  const holder = new Client({ connectionString: shop.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query(lock);
    const answer = call();
    // On another connection: inside the transaction of the lock the first look would be repeated for ever.
    const waits = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await waits.execute(shop.db)).rows.length >= waiting, `${waiting} at ${lock}`);
    await meanwhile(holder);
    await holder.query('commit');
    return await answer;
  } finally {
    await holder.end();
  }
}
