import { emailTo } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { transactionalJobs } from '../../src/adapters/jobs/requests.ts';
import { liveBus } from '../../src/adapters/postgres-bus.ts';
import { systemClock } from '../../src/adapters/system-clock.ts';
import { joined } from '../../src/database/joined.ts';
import { asApplication } from '../../src/database/scope.ts';
import { checkDatabase, revenueOf } from '../../src/modules/books/index.ts';
import { replacementOf } from '../../src/modules/checkout/replacement.ts';
import { giveDays } from '../../src/modules/subscription/index.ts';
import { shopCommand } from '../helpers/shop-command.ts';
import { subscriber } from '../subscription/renewing.ts';

const DAY_MS = 24 * 60 * 60_000;
const later = (at: Date, days: number) => new Date(at.getTime() + days * DAY_MS);
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterEach(async () => {
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});
afterAll(() => shop?.stop());

/** Runs a command at the time of the shop. */
async function run(...args: string[]) {
  const ahead_ms = Math.max(0, shop.clock.now().getTime() - systemClock.now().getTime());
  await shop.db.updateTable('shop_clock').set({ ahead_ms }).execute();
  return shopCommand(shop, ...args);
}
const give = (to: string, days: number, ...more: string[]) =>
  run('days', 'give', to, String(days), '--reason', 'an outage of the host', ...more);
const openInvoice = (subscriptionId: string) =>
  shop.db
    .selectFrom('invoice')
    .select(['id', 'period_start'])
    .where('subscription_id', '=', subscriptionId)
    .where('purpose', '=', 'renewal')
    .where('status', '=', 'open')
    .executeTakeFirst();

test('everybody on a host is given free days once: the renewal and all later periods move by them', async () => {
  const [one, other] = [await subscriber(shop, 'outage-one'), await subscriber(shop, 'outage-other')];
  const shown = await give('bkk-1', 5, '--json');
  const { preview, plan } = JSON.parse(shown.stdout);
  const ids = plan.given.map(({ subscription }: { subscription: string }) => subscription);
  expect(ids).toEqual([one.subscriptionId, other.subscriptionId].sort());
  expect((await one.row()).period_end).toEqual(one.firstEnd);

  for (let times = 0; times < 2; times += 1)
    expect(await give('bkk-1', 5, '--confirm', preview)).toMatchObject({
      code: 0,
      stdout: 'Subscriptions with more days: 2, 5 each. An email tells each customer.\n',
    });
  const end = later(one.firstEnd, 5);
  expect((await one.row()).period_end).toEqual(end);
  expect((await other.row()).period_end).toEqual(later(other.firstEnd, 5));
  // The log of each customer has their own days alone, and its reason goes with the account.
  for (const person of [one, other]) {
    const { customer_id } = await person.row();
    const { entries } = JSON.parse((await run('audit', 'list', customer_id, '--json')).stdout);
    expect(entries).toEqual([
      expect.objectContaining({
        operation: 'days give',
        after: { days: 5, subscriptions: person.subscriptionId },
        detail: { reason: 'an outage of the host' },
      }),
    ]);
  }
  expect((await run('audit', 'verify')).code).toBe(0);
  const { Text, Subject } = await emailTo(shop, one.email, /free days/);
  expect([Subject, Text]).toEqual([
    expect.stringMatching(/5 free days for your .* plan$/),
    expect.stringMatching(/added 5 free days/),
  ]);
  const history = (await one.client.subscription.getSubscription({ query: { id: one.subscriptionId } })).data!
    .history;
  expect(history[0]).toMatchObject({ event: 'giveDays', day: end.toISOString() });
  expect(await give('bkk-1', 5, '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Nobody is given days'),
  });

  // Charged a day before the new end, not the old one.
  await one.liveUntil(later(one.firstEnd, 3.9));
  expect(await one.periods()).toHaveLength(1);
  await one.liveUntil(later(one.firstEnd, 4.1));
  const [, next, ...more] = await one.periods();
  expect(more).toEqual([]);
  expect(next!.starts_at).toEqual(end);
  expect(next!.ends_at.getUTCHours()).toBe(end.getUTCHours());
  expect(next!.ends_at.getUTCDate()).toBe(end.getUTCDate());
});

test('an open invoice of the renewal is void, and one of the moved period is opened later', async () => {
  const person = await subscriber(shop, 'pays-alone');
  await person.forgetCard();
  await person.liveUntil(later(person.firstEnd, -6.5));
  const before = (await openInvoice(person.subscriptionId))!;
  expect(before.period_start).toEqual(person.firstEnd);
  expect((await give(person.email, 10, '--yes')).code).toBe(0);
  expect(await openInvoice(person.subscriptionId)).toBeUndefined();
  expect((await emailTo(shop, person.email, /10 free days/)).Text).toContain('no longer applies');
  await person.liveUntil(later(person.firstEnd, 3.5));
  const after = (await openInvoice(person.subscriptionId))!;
  expect(after.period_start).toEqual(later(person.firstEnd, 10));
});

test('free days are no money: a replacement is credited the same, and the revenue of past days stays', async () => {
  const person = await subscriber(shop, 'no-money');
  await person.liveUntil(later(person.firstEnd, -20));
  const { customer_id: customerId } = await person.row();
  const offered = async () => {
    const of = { customerId, subscriptionId: person.subscriptionId };
    const answer = await replacementOf(shop.db, shop.clock.now(), of);
    if ('refusal' in answer) throw new Error(answer.refusal);
    const { version: _, ...offer } = answer.offer;
    return offer;
  };
  const month = shop.clock.now().toISOString().slice(0, 7);
  const before = [await offered(), await revenueOf(shop.db, shop.clock.now(), month)];
  expect((await give(person.subscriptionId, 31, '--yes')).code).toBe(0);
  expect([await offered(), await revenueOf(shop.db, shop.clock.now(), month)]).toEqual(before);
});

test('what cannot have more days is skipped with the reason', async () => {
  const person = await subscriber(shop, 'suspended');
  await run('subscription', 'suspend', person.subscriptionId, '--reason', 'open question', '--yes');
  expect((await give(person.subscriptionId, 5)).stdout).toContain(`${person.subscriptionId}: suspended`);
  expect(await give(person.subscriptionId, 32)).toMatchObject({ code: 64 });
  expect(await give('bkk-99', 5)).toMatchObject({ code: 1, stderr: 'bkk-99 has no subscription.\n' });
  const { entries } = JSON.parse((await run('audit', 'list', 'bkk-1', '--json')).stdout);
  expect(entries.map(({ operation }: { operation: string }) => operation)).toEqual(['days give']);
});

test('many subscriptions are given days in as many statements as one', async () => {
  const rows = await shop.db
    .selectFrom('subscription')
    .select(['id', 'period_end'])
    .where('status', '=', 'active')
    .where('suspended', '=', false)
    .execute();
  expect(rows.length).toBeGreaterThan(2);
  const given = rows.map(({ id, period_end }) => ({ id, until: later(period_end!, 1) }));
  expect(await statementsFor(given)).toBe(await statementsFor(given.slice(0, 1)));
});

/** How many statements it takes to give days; they are not kept. */
async function statementsFor(given: { id: string; until: Date }[]): Promise<number> {
  const { query } = pg.Client.prototype;
  let count = 0;
  const undone = shop.db.transaction().execute(async tx => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    pg.Client.prototype.query = function (this: pg.Client, ...args: Parameters<typeof query>) {
      if ((this as unknown as { processID: number }).processID === rows[0]!.pid) count += 1;
      return query.apply(this, args);
    } as typeof query;
    const deps = { clock: shop.clock, jobs: transactionalJobs, live: liveBus };
    await asApplication(() => giveDays(deps, joined(tx), given, 1));
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  pg.Client.prototype.query = query;
  return count;
}
