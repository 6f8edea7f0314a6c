import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { beginOrder, until } from '@fixpoint/testkit/buyer.ts';
import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { variants } from '@fixpoint/testkit/test-gate.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { advanceClock as advanceStack } from '../../../../e2e/advance-clock.ts';
import { startJobs } from '../../src/adapters/jobs/runner.ts';
import { openShopClock, type ShopClock } from '../../src/adapters/shop-clock.ts';
import { advanceClock } from '../../src/compose/advance-clock.ts';
import { nextDue } from '../../src/compose/next-due.ts';
import { createLogger } from '../../src/log/logger.ts';
import { runShop, shopCommand } from '../helpers/shop-command.ts';
import { expectWithoutGap, followed } from '../subscription/renewing.ts';

const DAY_MS = 24 * 60 * 60_000;

let database: TestDatabase;
let shop: TestShop;
let customer: Awaited<ReturnType<TestShop['customer']>>;
beforeAll(async () => {
  database = await createDatabase();
  shop = await startTestShop({}, undefined, database);
  customer = await shop.customer('clock');
});
afterAll(async () => {
  await shop?.stop();
  await database?.drop();
});

const shopTime = async () => {
  const { stdout } = await shopCommand(shop, 'clock');
  return Date.parse(stdout.trim());
};
const providersTime = async () => (await shop.sandbox.control<{ now: number }>('clock')).now;

test('the operator lets days pass: everything due on the way happens, and nobody is logged out', async () => {
  const { metadata } = await beginOrder(shop.client);
  const [before, there] = [await shopTime(), await providersTime()];
  const { stdout, stderr } = await shopCommand(shop, 'clock', '+3d');
  expect(stderr).toBe('');
  expect(stdout).toMatch(/The shop clock shows .+, after [2-9]\d* stops/);
  expect((await shopTime()) - before).toBeGreaterThanOrEqual(3 * DAY_MS);
  expect((await providersTime()) - there).toBe(3 * DAY_MS);
  const { data } = await shop.client.order.purchaseData({ body: { metadata } });
  expect(data?.status).toBe('expired');
  const listed = await customer.client.subscription.mySubscription({ body: {} });
  expect(listed.data?.items).toMatchObject([{ status: 'active', id: customer.subscriptionId }]);
});

test('a file that is created later than now is valid now, because devices use the system clock', async () => {
  const subscriptionId = customer.subscriptionId;
  const key = await customer.client.subscription.addKey({ body: { subscriptionId, name: 'phone' } });
  const body = { subscriptionId, keyId: key.data!.id };
  const file = await customer.client.subscription.downloadKey({ body });
  const days = (Date.parse(file.data!.validUntil) - shop.clock.now().getTime()) / DAY_MS;
  expect(Math.round(days)).toBe(394);
});

test("the sandbox's page advances the clock, and a page of another site does not", async () => {
  const before = await providersTime();
  const press = (origin: string) =>
    fetch(`${shop.sandboxUrl}/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
      body: 'days=1',
      redirect: 'manual',
    });
  expect((await press('https://elsewhere.example')).status).toBe(403);
  expect((await press(shop.sandboxUrl)).status).toBe(303);
  expect((await providersTime()) - before).toBe(DAY_MS);
  expect(await (await fetch(shop.sandboxUrl)).text()).toContain(
    new Date(await providersTime()).toISOString().slice(0, 10),
  );
  const stranger = await fetch(`${shop.url}/_sandbox/clock`, { method: 'POST' });
  expect(stranger.status).toBe(401);
});

test("the sandbox's page shows the shop's records beside its own", async () => {
  const [row] = await shop.db
    .selectFrom('attempt')
    .select(['id', 'received'])
    .where('status', '=', 'succeeded')
    .execute();
  const pageText = async () => (await fetch(`${shop.sandboxUrl}/stripe`)).text();
  const tableRow = `<td>${row!.id}</td><td>succeeded, THB ${row!.received} received</td>`;
  expect(await pageText()).toContain(tableRow);
  expect((await fetch(`${shop.url}/_sandbox/beliefs`)).status).toBe(401);
  // Payments that the shop has forgotten or never knew are shown too.
  await shop.stripe.paymentIntents.create({
    amount: 100_00,
    currency: 'thb',
    metadata: { attempt_id: 'att_nobody' },
  });
  expect(await pageText()).toContain('<td>att_nobody</td><td>nothing</td>');
});

/** Advances the clock in this process, with this timeout. */
async function moveBy(ms: number, patienceMs: number, look?: (time: ShopClock) => Promise<void>) {
  const { db, sandboxUrl, sandbox, clock } = shop;
  const jobs = await startJobs(shop.databaseUrls.app, createLogger('silent'));
  const time = await openShopClock(db, clock);
  const deps = { db, clock: time, jobs, sandbox: { url: sandboxUrl, token: sandbox.controlToken } };
  try {
    await advanceClock(deps, ms, patienceMs);
  } finally {
    await look?.(time);
    await jobs.stop();
  }
}

test('the clock stops while due work fails, says so, and continues when it succeeds', async () => {
  const { subscriptionId: id } = customer;
  const dueAt = async () =>
    (await shop.db.selectFrom('subscription').select('due_at').where('id', '=', id).executeTakeFirstOrThrow())
      .due_at!;
  const due = await dueAt();
  let now = await shopTime();
  const checkStill = async (time: ShopClock) => {
    now = time.now().getTime();
  };
  await shop.db.transaction().execute(async tx => {
    await tx.selectFrom('subscription').select('id').where('id', '=', id).forUpdate().execute();
    // On a busy machine scheduled tasks exceed the timeout, and the clock stops for them first.
    const message = await until(async () => {
      const move = moveBy(due.getTime() + DAY_MS - now, 1_000, checkStill);
      const what = await move.then(
        () => 'it went on',
        (error: Error) => error.message,
      );
      return (what === 'it went on' || what.includes('renewSubscription')) && what;
    }, 'it stands still for the renewal');
    expect(message).toMatch(/^The clock stopped at \S+: .* do not finish: .*renewSubscription/);
    expect(now).toBeGreaterThanOrEqual(due.getTime());
    expect(now).toBeLessThan(due.getTime() + DAY_MS);
  });
  await moveBy(DAY_MS, 60_000);
  expect((await dueAt()).getTime()).toBeGreaterThan(due.getTime() + DAY_MS);
});

test.each(variants([31, 60, 365], 1))(
  '%i days at once: each month on the way is charged on time',
  async days => {
    const someone = await followed(shop, await shop.customer(`for-${days}-days`));
    // Month by month, because each answer takes up to five minutes.
    for (let left = days; left > 0; left -= 30)
      await advanceStack(
        { url: shop.url, controlToken: shop.sandbox.controlToken },
        Math.min(left, 30) * DAY_MS,
      );
    const periods = await someone.periods();
    expect(periods.length).toBeGreaterThanOrEqual(1 + Math.floor(days / 31));
    expectWithoutGap(periods);
    const renewals = (await someone.invoices()).filter(({ purpose }) => purpose === 'renewal');
    expect(renewals.map(({ status }) => status)).toEqual(renewals.map(() => 'paid'));
    for (const [n, { issued_at }] of renewals.entries())
      expect(Math.abs(issued_at!.getTime() - (periods[n]!.ends_at.getTime() - DAY_MS))).toBeLessThan(
        60 * 60_000,
      );
    expect(await someone.taken()).toHaveLength(periods.length);
  },
  900_000,
);

test('the clock stops at the time to poll a dispute', async () => {
  const { db } = shop;
  const { provider_ref } = await db
    .selectFrom('attempt')
    .select('provider_ref')
    .where('status', '=', 'succeeded')
    .executeTakeFirstOrThrow();
  await shop.sandbox.control('disputes/open', { payment_intent: provider_ref });
  await shop.sweep();
  const { ask_at } = await db.selectFrom('dispute').select('ask_at').executeTakeFirstOrThrow();
  expect(await nextDue(db, new Date(ask_at!.getTime() - 1))).toEqual(ask_at);
});

test('the clock stops at each instant at which a scheduled task has work', async () => {
  const { db } = shop;
  await beginOrder(shop.client);
  // Later than all present work.
  const end = shop.clock.now().getTime() + 1000 * DAY_MS;
  const rolledBack = db.transaction().execute(async tx => {
    const paid = sql`(select id from attempt where status = 'succeeded' limit 1)`;
    await sql`insert into refund (id, attempt_id, currency, amount, reason, status, created_at, updated_at)
      values ('ref_due', ${paid}, 'THB', 1, 'unapplied', 'pending', now(), now())`.execute(tx);
    const waits = [
      ['attempt', 'ask_at'],
      ['refund', 'ask_at'],
      ['dispute', 'ask_at'],
      ['subscription', 'due_at'],
      ['invoice', 'documents_due_at'],
      ['static_ip', 'reserved_until', 'subscription_id is not null'],
      ['static_ip', 'notify_at', 'subscription_id is not null'],
      // A subscription that waits in a full place gets the address then.
      ['static_ip', 'cooldown_until', 'subscription_id is null'],
      ['saved_method', 'notify_at'],
      ['shop_order', 'expires_at', "status = 'draft'"],
    ] as const;
    for (const [n, [table, column, which = 'true']] of waits.entries()) {
      const due = new Date(end + n * DAY_MS);
      const { numAffectedRows } = await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${due}
        where ctid = (select ctid from ${sql.table(table)} where ${sql.raw(which)} limit 1)`.execute(tx);
      expect([table, column, numAffectedRows]).toEqual([table, column, 1n]);
      expect([table, column, await nextDue(tx, new Date(due.getTime() - 1))]).toEqual([table, column, due]);
    }
    throw new Error('as before');
  });
  await expect(rolledBack).rejects.toThrow('as before');
});

const withoutSandbox = (...args: string[]) => runShop(databaseSettings(database.urls), 'clock', ...args);

test('the clock never advances with real providers, and a shop whose clock was advanced never starts with them', async () => {
  expect(await withoutSandbox('+3d')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('with sandbox providers'),
  });
  await expect(startTestShop({ SANDBOX_URL: '' }, undefined, database)).rejects.toThrow(/was moved/);
});

test.each(['3d', '+0d', '+3', '+3m', '+99y', '-3d'])('%s is not a duration', async given => {
  expect(await withoutSandbox(given)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not a duration'),
  });
});
