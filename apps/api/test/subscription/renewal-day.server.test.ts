import { until } from '@fixpoint/testkit/buyer.ts';
import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { fillShop } from '@fixpoint/testkit/size/fill.ts';
import { sizeOf } from '@fixpoint/testkit/size/size.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** A day on which many renew. */
let database: TestDatabase;
let shop: TestShop;
beforeAll(async () => {
  database = await createDatabase();
  await fillShop(database.urls.owner, sizeOf(1000), new Date());
  shop = await startTestShop({ LOG_LEVEL: 'silent' }, undefined, database);
});
afterAll(async () => {
  // A shop that stops is searched row by row for what should not be in it; the filler's rows hold nothing.
  await sql`truncate customer, provider_event, limit_count cascade`.execute(shop.db);
  await shop.stop();
  await database.drop();
});

// Then: 500 in a minute, and a hundred thousand would have taken more than three hours, however many workers there were.
test('all that fall due at one moment are looked at within the minute', async () => {
  const due = () =>
    shop.db.selectFrom('subscription').select('id').where('due_at', '<=', shop.clock.now()).execute();
  await sql`update subscription set due_at = ${shop.clock.now()} where status = 'active'`.execute(shop.db);
  expect((await due()).length).toBeGreaterThan(600);
  // What follows goes at the provider's pace: nobody waits for it here.
  await shop.runTasks();
  await until(async () => (await due()).length === 0, 'all are looked at');
});
