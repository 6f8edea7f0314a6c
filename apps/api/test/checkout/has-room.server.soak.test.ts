import { createDatabase } from '@fixpoint/testkit/database.ts';
import { fillShop } from '@fixpoint/testkit/size/fill.ts';
import { mostRows } from '@fixpoint/testkit/size/query-rules.ts';
import { sizeOf } from '@fixpoint/testkit/size/size.ts';
import { explainSettings, watchQueries } from '@fixpoint/testkit/size/watch-queries.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { offered } from '../../src/modules/catalog/index.ts';
import { placesView } from '../../src/modules/catalog/view.ts';

const THIRTY = 30;

/** Rows that listing a region's places and starting an order read, in a shop whose addresses are nearly all taken. */
async function rowsRead(customers: number, hosts: number): Promise<{ places: number; order: number }> {
  const database = await createDatabase();
  const now = new Date();
  await fillShop(database.urls.owner, { ...sizeOf(customers), hosts, addresses: 40 }, now);
  const admin = openDatabase(database.url, 1);
  const name = new URL(database.url).pathname.slice(1);
  for (const [setting, value] of Object.entries(explainSettings))
    await sql.raw(`alter database ${name} set ${setting} = '${value}'`).execute(admin.db);
  // Each machine has its own addresses.
  await sql`update host set own_addresses = array['198.18.0.1'::inet + n, '198.19.0.1'::inet + n]
    from (select id, row_number() over () as n from host) each where each.id = host.id`.execute(admin.db);
  await sql`update offer set waiting_list = false`.execute(admin.db);
  await sql`analyze`.execute(admin.db);
  const product = await admin.db.selectFrom('product').select(['id', 'region_id']).executeTakeFirstOrThrow();
  await admin.close();
  const watch = watchQueries();
  const { db, close } = openDatabase(database.urls.app, 1);
  try {
    const seen = async (ask: () => Promise<unknown>) => {
      watch.queries.clear();
      expect(await ask()).toBeDefined();
      return mostRows(watch.queries.values());
    };
    return {
      places: await seen(() => placesView(db, now, { region: product.region_id })),
      order: await seen(() => offered(db, now, 'TH', 'THB', product.id)),
    };
  } finally {
    watch.stop();
    await close();
    await database.drop();
  }
}

test('PE2 checking a place for room costs the same with three times the hosts and customers', async () => {
  const small = await rowsRead(2_000, 10 * THIRTY);
  const large = await rowsRead(6_000, 30 * THIRTY);
  for (const cost of [small, large]) expect(Math.max(cost.places, cost.order)).toBeLessThan(150);
  expect(large.places).toBeLessThan(small.places * 1.5 + 20);
  expect(large.order).toBeLessThan(small.order * 1.5 + 20);
}, 300_000);
