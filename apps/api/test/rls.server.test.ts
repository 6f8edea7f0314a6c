import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asCustomer } from '../src/adapters/database/customer-scope.ts';
import { openDatabase } from '../src/adapters/database/database.ts';

let shop: TestShop;
let a: Awaited<ReturnType<TestShop['customer']>>;
let b: Awaited<ReturnType<TestShop['customer']>>;
let idOfA: string;
beforeAll(async () => {
  shop = await startTestShop();
  [a, b] = [await shop.customer('rls-a'), await shop.customer('rls-b')];
  for (const { client, subscriptionId } of [a, b]) {
    const { data } = await client.subscription.addKey({ body: { subscriptionId, name: 'phone' } });
    await client.subscription.downloadKey({ body: { subscriptionId, keyId: data!.id } });
  }
  idOfA = (await a.client.auth.profile()).data!.id;
});
afterAll(() => shop?.stop());

/** Tables that say whose a row is, or hang on one that does. Found in the database, so that a new one cannot be forgotten. */
async function ownedTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with recursive owned as (
      select 'customer'::regclass::oid as id
      union
      select conrelid from pg_constraint join owned on confrelid = owned.id
      where contype = 'f' and conrelid <> 'static_ip'::regclass
    ) select relname as name from pg_class join owned on pg_class.oid = owned.id order by relname`.execute(
    shop.db,
  );
  return rows.map(({ name }) => name);
}

test('S30 every table of customers has its policy', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relrowsecurity and exists (select from pg_policy where polrelid = pg_class.oid)`.execute(shop.db);
  const guarded = rows.map(({ name }) => name);
  const tables = await ownedTables();
  expect(tables).toEqual(
    expect.arrayContaining(['customer', 'session', 'vpn_key', 'certificate', 'attempt']),
  );
  const open = tables.filter(name => !guarded.includes(name));
  expect(open, 'enable row level security and create a policy `own` in a migration').toEqual([]);
});

test('S30 the role of customers’ calls owns nothing, cannot log in and does not pass by the policies', async () => {
  const { rows } = await sql`
    select rolsuper, rolbypassrls, rolcanlogin, rolcreaterole,
      exists (select from pg_class where relowner = pg_roles.oid) as owns
    from pg_roles where rolname = 'fixpoint_customer'`.execute(shop.db);
  expect(rows).toEqual([
    { rolsuper: false, rolbypassrls: false, rolcanlogin: false, rolcreaterole: false, owns: false },
  ]);
});

test('S30 a query without the setting sees no row; with it, the customer’s own', async () => {
  const client = new Client({ connectionString: shop.databaseUrl });
  await client.connect();
  const count = async (table: string) =>
    Number((await client.query(`select count(*) as n from "${table}"`)).rows[0].n);
  const tables = ['customer', 'session', 'shop_order', 'invoice', 'invoice_line', 'attempt', 'saved_card'];
  const all = [...tables, 'subscription', 'vpn_key', 'certificate', 'assignment'];
  const everything = new Map<string, number>();
  for (const table of all) everything.set(table, await count(table));
  await client.query('set role fixpoint_customer');
  for (const table of await ownedTables()) expect(await count(table), table).toBe(0);
  await client.query("select set_config('app.customer', $1, false)", [idOfA]);
  for (const table of all) {
    expect(await count(table), table).toBeGreaterThan(0);
    expect(await count(table), table).toBeLessThan(everything.get(table)!);
  }
  // Nor can he write himself into another's rows.
  await client.query('begin');
  const moved = await client.query('update subscription set customer_id = $1 where id = $2', [
    idOfA,
    b.subscriptionId,
  ]);
  expect(moved.rowCount).toBe(0);
  await expect(client.query('select ca_key_sealed from host_authority')).resolves.toMatchObject({ rows: [] });
  await expect(
    client.query("update subscription set customer_id = 'cus_x' where id = $1", [a.subscriptionId]),
  ).rejects.toThrow(/row-level security/);
  await client.query('rollback');
  await client.end();
});

test('S30 a customer’s call sees his rows even where a query forgets to ask whose they are', async () => {
  const { db, close } = openDatabase(shop.databaseUrl, 2);
  const ids = () => db.selectFrom('subscription').select('id').execute();
  const inTransaction = () =>
    db.transaction().execute(tx => tx.selectFrom('subscription').select('id').execute());
  expect(await ids()).toHaveLength(2);
  expect(await asCustomer(idOfA, ids)).toEqual([{ id: a.subscriptionId }]);
  expect(await asCustomer(idOfA, inTransaction)).toEqual([{ id: a.subscriptionId }]);
  expect(await asCustomer('cus_nobody', ids)).toEqual([]);
  await expect(asCustomer(idOfA, () => sql`select 1 from nothing_like_that`.execute(db))).rejects.toThrow(
    /does not exist/,
  );
  // The same two connections afterwards belong to nobody again.
  expect(await Promise.all([ids(), ids(), ids(), ids()])).toEqual(
    Array.from({ length: 4 }, () => expect.objectContaining({ length: 2 })),
  );
  await close();
});
