import { until } from '@fixpoint/testkit/buyer.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { Client } from 'pg';

/**
 * Makes concurrent calls meet: blocks `call` where it needs what `lock` locks, runs something meanwhile, and releases it.
 * @param lock a statement that takes the lock
 * @param waiting number of the call's queries that must wait before it continues
 */
export async function whileLocked<T>(
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
    // A refusal may arrive before the reply to `commit`, when nobody awaits it yet.
    answer.catch(() => undefined);
    // On another connection: inside the lock's transaction pg_stat_activity would stay as at its first read.
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
