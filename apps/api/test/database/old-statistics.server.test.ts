import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { fillShop } from '@fixpoint/testkit/size/fill.ts';
import { mostRows } from '@fixpoint/testkit/size/query-rules.ts';
import { sizeOf } from '@fixpoint/testkit/size/size.ts';
import { explainSettings, watchQueries } from '@fixpoint/testkit/size/watch-queries.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BY_INDEX, openDatabase } from '../../src/database/database.ts';
import { subscriptionsView, subscriptionView, type ViewDeps } from '../../src/modules/subscription/view.ts';

/** Rows that a customer's page may read: those of some twenty subscriptions, not of the whole shop. */
const MOST_ROWS = 1_500;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await fillShop(database.urls.owner, { ...sizeOf(3_000), hosts: 60 }, new Date());
  await forgetGrowth(database.url);
}, 300_000);
afterAll(() => database?.drop());

/** Statistics of a shop with three customers, which claim that each has a third of all rows. */
async function forgetGrowth(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ relname: string }>(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  for (const { relname } of rows)
    await client.query(`alter table ${relname} set (autovacuum_enabled = false)`);
  await client.query(`update pg_statistic set stadistinct = 3, stakind1 = 0, stakind2 = 0, stakind3 = 0
    from pg_attribute where attrelid = starelid and attnum = staattnum and attname ~ '(^|_)id$'
      and starelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`);
  // Same settings as customers' calls.
  const settings = { ...explainSettings, ...BY_INDEX };
  for (const [name, value] of Object.entries(settings))
    await client.query(`alter database ${client.database} set ${name} = '${value}'`);
  await client.end();
}

/** Runs a read. @returns its answer, and the number of rows that its statements read */
async function measureRead(read: (deps: ViewDeps, customerId: string, id: string) => Promise<unknown>) {
  const watch = watchQueries();
  const { db, close } = openDatabase(database.url, 1);
  try {
    const { rows } = await sql<{ customer_id: string; id: string }>`
      select customer_id, min(id) as id from subscription group by customer_id
      order by count(*) desc limit 1`.execute(db);
    watch.queries.clear();
    const deps = {
      db,
      clock: { now: () => new Date() },
      gateways: {},
      withdrawal: {},
      fileVersion: () => 'x',
    };
    const answer = await read(deps as unknown as ViewDeps, rows[0]!.customer_id, rows[0]!.id);
    return { answer, most: mostRows(watch.queries.values()) };
  } finally {
    watch.stop();
    await close();
  }
}

test('PE1 a customer’s list costs in proportion to their rows, whatever the statistics say of the shop', async () => {
  const page = { sort: 'newest', page: 1, size: 20 } as const;
  const { answer, most } = await measureRead((deps, customerId) =>
    subscriptionsView(deps, customerId, 'en', page),
  );
  expect((answer as { items: unknown[] }).items.length).toBeGreaterThan(10);
  expect(most).toBeLessThan(MOST_ROWS);
});

test('PE1 one subscription costs in proportion to its rows', async () => {
  const { answer, most } = await measureRead((deps, customerId, id) =>
    subscriptionView(deps, { customerId, userId: customerId }, id),
  );
  expect(answer).toBeDefined();
  expect(most).toBeLessThan(MOST_ROWS);
});
