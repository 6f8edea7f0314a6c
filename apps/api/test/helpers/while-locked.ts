import { until } from '@fixpoint/testkit/buyer.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { Client } from 'pg';

/**
 * Waits until so many queries wait for a lock. On a connection of its own: inside a transaction pg_stat_activity stays as at
 * its first read.
 */
export async function lockWaits(shop: Pick<TestShop, 'db'>, count: number, what = 'a lock'): Promise<void> {
  const waits = sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => (await waits.execute(shop.db)).rows.length >= count, `${count} at ${what}`);
}

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
    await lockWaits(shop, waiting, lock);
    await meanwhile(holder);
    await holder.query('commit');
    return await answer;
  } finally {
    await holder.end();
  }
}
