import { until } from '@fixpoint/testkit/buyer.ts';
import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { emptyShop } from '@fixpoint/testkit/size/empty.ts';
import { fillShop } from '@fixpoint/testkit/size/fill.ts';
import { sizeOf } from '@fixpoint/testkit/size/size.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** A day on which many subscriptions renew. */
let database: TestDatabase;
let shop: TestShop;
beforeAll(async () => {
  database = await createDatabase();
  await fillShop(database.urls.owner, sizeOf(1000), new Date());
  shop = await startTestShop({ LOG_LEVEL: 'silent' }, undefined, database);
});
afterAll(async () => {
  await emptyShop(shop.db);
  await shop.stop();
  await database.drop();
});

// Regression: 500 a minute, so a hundred thousand would have taken over three hours with any number of workers.
test('all renewals that are due at one moment are processed within the minute', async () => {
  const due = () =>
    shop.db.selectFrom('subscription').select('id').where('due_at', '<=', shop.clock.now()).execute();
  await sql`update subscription set due_at = ${shop.clock.now()} where status = 'active'`.execute(shop.db);
  expect((await due()).length).toBeGreaterThan(600);
  // The jobs follow at the provider's pace; this test does not wait for them.
  await shop.runTasks();
  await until(async () => (await due()).length === 0, 'all are looked at');
});
