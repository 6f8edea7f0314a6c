import { until } from '@fixpoint/testkit/buyer.ts';
import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { inParallel } from '@fixpoint/testkit/load-test/load-test.ts';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShopDatabase, type ShopDatabase } from '../../src/database/database.ts';
import { asApplication, asCaller, asCustomer } from '../../src/database/scope.ts';
import { ANNA, BEN, columnsOf, fill } from './two-customers.ts';

let database: TestDatabase;
let admin: Client;
let shop: ShopDatabase;

beforeAll(async () => {
  database = await createDatabase();
  admin = new Client({ connectionString: database.url });
  await admin.connect();
  await fill(admin, await columnsOf(admin));
  shop = openShopDatabase(database.urls);
});
afterAll(async () => {
  await shop?.close();
  await admin?.end();
  await database?.drop();
});

const owners = async (db = shop.db) =>
  (await db.selectFrom('subscription').select('customer_id').orderBy('customer_id').execute()).map(
    row => row.customer_id,
  );
const who = async () =>
  (await sql<{ name: string }>`select current_user as name`.execute(shop.db)).rows[0]!.name;

test('S30 a customer’s call sees their rows even when a query has no condition on the owner', async () => {
  const inTransaction = () => shop.db.transaction().execute(owners);
  expect(await asApplication(owners)).toEqual([ANNA, BEN]);
  expect(await asCustomer(ANNA, owners)).toEqual([ANNA]);
  expect(await asCustomer(BEN, inTransaction)).toEqual([BEN]);
  expect(await asCustomer('cus_unknown', owners)).toEqual([]);
  expect(await asCustomer(ANNA, who)).toBe('fixpoint_customer');
  expect(await asApplication(who)).toBe('fixpoint_app');
  const member = { customerId: ANNA, userId: 'usr_mia' };
  expect(await asCaller(member, who)).toBe('fixpoint_member');
  expect(
    await asCaller(member, () => sql<{ user: string }>`select acting_user() as user`.execute(shop.db)),
  ).toMatchObject({
    rows: [{ user: 'usr_mia' }],
  });
});

test('S30 concurrent calls of many customers, some of which fail, each see their own rows', async () => {
  const call = (customer: string, index: number) =>
    asCustomer(customer, async () => {
      if (index % 7 === 0) await sql`select 1 from nothing_like_that`.execute(shop.db).catch(() => {});
      const both = await Promise.all([owners(), shop.db.transaction().execute(owners)]);
      return both.flat().every(owner => owner === customer);
    });
  // Three times the number of connections; more would exceed the timeout on a busy machine.
  const seen: boolean[] = [];
  await inParallel(30, [...Array(300).keys()], async index => {
    seen.push(await call(index % 2 ? ANNA : BEN, index));
  });
  expect(seen).toHaveLength(300);
  expect(seen.every(Boolean)).toBe(true);
});

test('FS4 a query outside any scope is refused, and a customer’s scope cannot be left', async () => {
  await expect(owners()).rejects.toThrow('outside of asApplication and asCaller');
  await asCustomer(ANNA, async () => {
    expect(() => asApplication(owners)).toThrow('stays confined');
    expect(() => asCustomer(BEN, owners)).toThrow('inside another’s');
    expect(() => asCaller({ customerId: ANNA, userId: BEN }, owners)).toThrow('inside another’s');
    await new Promise(setImmediate);
    expect(await owners()).toEqual([ANNA]);
  });
  // Work outside of calls has its own handle.
  expect(await asCustomer(ANNA, () => owners(shop.application))).toEqual([ANNA, BEN]);
});

test('FP1 statements of a customer’s call are planned once per connection and cached', async () => {
  const one = openShopDatabase(database.urls);
  const byId = (id: string) =>
    asCustomer(ANNA, () =>
      one.db.selectFrom('vpn_key').select('name').where('id', '=', id).executeTakeFirst(),
    );
  for (const id of ['a', 'b', 'c']) await byId(id);
  const { rows } = await asCustomer(ANNA, () =>
    sql<{
      statement: string;
    }>`select statement from pg_prepared_statements where ${true}::bool order by 1`.execute(one.db),
  );
  expect(rows.filter(({ statement }) => statement.includes('"vpn_key"'))).toHaveLength(1);
  await one.close();
});

test('FP1 a table that changes under a prepared statement costs one call per connection, not all later ones', async () => {
  const read = () =>
    asApplication(() => shop.db.selectFrom('vendor').selectAll().where('id', '<>', 'x').execute());
  await read();
  await admin.query('alter table vendor add column note text');
  const outcomes: string[] = [];
  for (let time = 0; time < 10; time++)
    outcomes.push(
      await read().then(
        () => 'fine',
        () => 'refused',
      ),
    );
  expect(outcomes.slice(-3)).toEqual(['fine', 'fine', 'fine']);
});

test('FM5 connections that are cut, idle or in use, are replaced', async () => {
  const held = asCustomer(ANNA, () => sql`select pg_sleep(10)`.execute(shop.db));
  const lost = expect(held).rejects.toThrow();
  await Promise.all([asApplication(owners), asCustomer(BEN, owners)]);
  const atWork = `select from pg_stat_activity
    where datname = current_database() and state = 'active' and query like 'select pg_sleep%'`;
  await expect.poll(async () => (await admin.query(atWork)).rowCount).toBe(1);
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await lost;
  await expect.poll(() => asCustomer(ANNA, owners).catch(() => 'not yet')).toEqual([ANNA]);
  await expect.poll(() => asApplication(owners).catch(() => 'not yet')).toEqual([ANNA, BEN]);
});

test('only who gets no connection at once counts as waiting', async () => {
  const own = openShopDatabase(database.urls);
  const ask = (times: number, seconds: number) =>
    Promise.all(
      Array.from({ length: times }, () => sql`select pg_sleep(${seconds}::float8)`.execute(own.application)),
    );
  await ask(1, 0);
  const seen = new Set<number>();
  let isOver = false;
  const over = ask(8, 0).then(() => {
    isOver = true;
  });
  while (!isOver) {
    seen.add(own.pools().application!.waiting);
    await new Promise(setImmediate);
    await Promise.resolve().then(() => seen.add(own.pools().application!.waiting));
  }
  await over;
  expect([...seen]).toEqual([0]);
  const many = ask(40, 0.2);
  await until(async () => own.pools().application!.waiting > 0, 'callers who wait');
  await many;
  await own.close();
});
