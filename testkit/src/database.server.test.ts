import pg from 'pg';
import { expect, test } from 'vitest';
import { createDatabase } from './database.ts';

async function query(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(sql).finally(() => client.end());
}

test('each database is migrated and separate, and can be dropped while connected', async () => {
  const [one, two] = await Promise.all([createDatabase(), createDatabase()]);
  await query(one.url, 'CREATE TABLE only_here ()');
  const { rows } = await query(
    two.url,
    "SELECT to_regclass('only_here') AS absent, to_regclass('plan') AS present",
  );
  expect(rows[0]).toEqual({ absent: null, present: 'plan' });
  const connected = new pg.Client({ connectionString: one.url });
  connected.on('error', () => {});
  await connected.connect();
  await one.drop();
  await two.drop();
  await expect(query(one.url, 'SELECT 1')).rejects.toThrow(/does not exist/);
});
