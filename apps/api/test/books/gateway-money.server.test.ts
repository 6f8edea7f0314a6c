import { bangkokDay, bangkokMonth } from '@fixpoint/domain/kernel/bangkok.ts';
import { beginOrder, cardPaymentOf, confirmCard } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/adapters/system-clock.ts';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { shopCommand } from '../helpers/shop-command.ts';

/** Money at a gateway that is in no book yet, what a gateway moves besides sales, and when a sale is earned. */
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
  await shop.customer('buyer');
  await later(2 * MINUTE_MS);
});
afterAll(() => shop?.stop());

async function later(ms: number): Promise<void> {
  shop.clock.advance(ms);
  await shop.sweep();
}
/** Runs the command at the shop's time: it has the system clock otherwise. */
async function books(...args: string[]) {
  const ahead_ms = shop.clock.now().getTime() - systemClock.now().getTime();
  await shop.db.updateTable('shop_clock').set({ ahead_ms }).execute();
  return shopCommand(shop, 'books', ...args);
}
const control = (path: string, body: object) => shop.sandbox.control<{ id: string }>(path, body);
const alertsOf = async (kind: string) =>
  (await shop.db.selectFrom('open_alert').select('subject').where('kind', '=', kind).execute()).map(
    ({ subject }) => subject,
  );
/** Amounts of an account of the gateways' movements, by currency. */
async function account(name: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ currency: string; sum: number }>`
    select currency, sum(amount)::int as sum from movement_entry where account = ${name} group by currency`.execute(
    shop.db,
  );
  return Object.fromEntries(rows.map(({ currency, sum }) => [currency, sum]));
}

/** Lines of `books revenue` of the days from the purchase on. */
async function revenue(
  start: Date,
): Promise<{ day: string; booked: number; earned: number; unearned: number }[]> {
  const months = new Set([start, shop.clock.now()].map(bangkokMonth));
  const lines: string[] = [];
  for (const month of months)
    lines.push(...(await books('revenue', '--month', month)).stdout.trim().split('\n').slice(1));
  return lines
    .map(line => line.split(','))
    .filter(([day, currency]) => currency === 'THB' && day! >= bangkokDay(start))
    .map(([day, , ...sums]) => {
      const [booked, earned, unearned] = sums.map(sum => Math.round(Number(sum) * 100));
      return { day: day!, booked: booked!, earned: earned!, unearned: unearned! };
    });
}

test('M22 a period is earned day by day, and what is not served yet is unearned', async () => {
  await later(4 * DAY_MS);
  const { starts_at, ends_at, net, total } = await shop.db
    .selectFrom('subscription_period')
    .innerJoin('invoice', 'invoice.id', 'subscription_period.invoice_id')
    .select(['starts_at', 'ends_at', 'net', 'total'])
    .executeTakeFirstOrThrow();
  const dayEnd = (day: string) => Date.parse(`${day}T00:00:00+07:00`) + DAY_MS;
  const left = (day: string) => (ends_at.getTime() - dayEnd(day)) / (ends_at.getTime() - starts_at.getTime());
  const days = await revenue(starts_at);
  expect(days.map(({ booked }) => booked)).toEqual([net, 0, 0, 0]);
  expect(days.map(({ unearned }) => unearned)).toEqual(days.map(({ day }) => Math.round(net * left(day))));
  expect(days[0]!.earned).toBe(net - days[0]!.unearned);
  expect(days.map(({ earned }) => earned > 0 && earned < net / 20)).toEqual([true, true, true, true]);
  // An upgrade on the third day: earlier days stay as they were.
  const worth = (amount: number, upgraded_at: Date | null) =>
    shop.db.updateTable('subscription_period').set({ worth: amount, upgraded_at }).execute();
  await worth(2 * total, new Date(dayEnd(days[1]!.day) + 60 * MINUTE_MS));
  const upgraded = await revenue(starts_at);
  await worth(total, null);
  expect(upgraded.slice(0, 2)).toEqual(days.slice(0, 2));
  expect(upgraded[2]!.unearned).toBe(Math.round(2 * net * left(days[2]!.day)));
  expect(await books('revenue', '--month', '2026-13')).toMatchObject({ code: 64 });
});

test('X25 a payment whose webhook is lost and whose poll fails is an alert within minutes, and no book balances over it', async () => {
  const { consent } = await beginOrder(shop.client);
  const body = { ...consent, email: 'lost@example.com', language: 'en' as const };
  const ref = cardPaymentOf((await shop.client.order.purchase({ body })).data);
  await shop.sandbox.fault({ event: '*' }, 'drop', 100);
  await shop.sandbox.fault({ path: `GET /v1/payment_intents/${ref}*` }, '500', 1_000);
  await confirmCard(shop, ref);
  // Stripe books it a moment later.
  shop.clock.advance(1_000);
  await shop.sandbox.catchUp();
  expect((await books()).stdout).toMatch(/under way \S+ \(1 payment of the last minutes\)/);
  await later(6 * MINUTE_MS);
  const found = await books();
  expect(found.code).toBe(1);
  expect(found.stdout).toContain('succeeded there, not booked here');
  expect(found.stdout).not.toContain('; under way');
  await later(11 * MINUTE_MS);
  expect(await alertsOf('provider.differs')).toEqual([`stripe ${ref}`]);
  // Nobody forgets it: it stays a difference while the attempt is polled, and after.
  await later(30 * DAY_MS);
  expect((await books()).code).toBe(1);
  expect(await alertsOf('provider.differs')).toEqual([`stripe ${ref}`]);
  await shop.sandbox.calm();
  await later(61 * MINUTE_MS);
  expect(await alertsOf('provider.differs')).toEqual([]);
  expect(await books()).toMatchObject({ code: 0 });
});

test('X25 only the fee of a payment is under way, for an hour, and is asked for again after a week', async () => {
  const fee = 17_26;
  const paid = await shop.db
    .selectFrom('attempt')
    .select(['id', 'provider_ref'])
    .where('fee', '=', fee)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();
  // Whoever asks meanwhile, as a job that is tried again, learns nothing.
  await shop.sandbox.fault({ path: `GET /v1/payment_intents/${paid.provider_ref}*` }, '500', 1_000);
  await sql`alter table ledger_entry disable trigger user`.execute(shop.db);
  await sql`delete from ledger_entry where txn = ${`fee:${paid.id}`}`.execute(shop.db);
  await sql`alter table ledger_entry enable trigger user`.execute(shop.db);
  await shop.db
    .updateTable('attempt')
    .set({ fee: null, ask_at: null, updated_at: shop.clock.now() })
    .where('id', '=', paid.id)
    .execute();
  const { code, stdout } = await books();
  expect(stdout).toContain('under way −17.26 (fee of 1 payment)');
  expect(code).toBe(0);
  shop.clock.advance(61 * MINUTE_MS);
  expect(await books()).toMatchObject({ code: 1, stdout: expect.stringContaining('the fee is not booked') });
  await shop.sandbox.calm();
  // Older than the hourly comparison looks: the weekly one asks.
  await sql`update attempt set created_at = created_at - interval '20 days' where id = ${paid.id}`.execute(
    shop.db,
  );
  await later(8 * DAY_MS);
  expect(await books()).toMatchObject({ code: 0 });
});

test('X20 what the gateway says that it holds is compared with its movements', async () => {
  await shop.sandbox.fault({ path: 'GET /v1/balance' }, 'truncateBody', 1);
  expect((await books()).stdout).toContain('stripe does not answer: not compared.');
  const { net } = (await shop.sandbox.ledger()).balances.thb!;
  expect((await books()).stdout).toContain(`it holds ${(net / 100).toFixed(2)};`);
});

test('M21 payouts, bills and adjustments are booked by kind and id, to accounts of their own', async () => {
  const payout = await control('payouts', { currency: 'thb', amount: 150_00 });
  const failed = await control('payouts', { currency: 'thb', amount: 20_00 });
  await control('payouts/settle', { payout: failed.id, outcome: 'failed' });
  await control('bills', { kind: 'fee', currency: 'thb', amount: 3_00 });
  await control('bills', { kind: 'tax', currency: 'thb', amount: 21 });
  await control('bills', { kind: 'adjustment', currency: 'thb', amount: 5_00 });
  await control('bills', { kind: 'reserve', currency: 'thb', amount: 7_00 });
  await later(61 * MINUTE_MS);
  const [bank, bills] = [await account('bank'), await account('gatewayBills')];
  expect([bank, bills]).toEqual([{ THB: 150_00 }, { THB: 3_21 }]);
  expect([await account('adjustments'), await account('reserve')]).toEqual([{ THB: 5_00 }, { THB: 7_00 }]);
  expect(await books()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(
      'payouts −170.00 (2); returned payouts 20.00 (1); bills −3.21 (2); adjustments −5.00 (1); reserve −7.00 (1)',
    ),
  });
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
  expect(await alertsOf('payout.destination')).toEqual(['ba_1Fixpoint0Sandbox']);
  const list = (await books('payouts')).stdout;
  expect(list).toContain(`${payout.id}  THB 150.00  to ba_1Fixpoint0Sandbox (not confirmed)  not ticked off`);
  expect(list).not.toContain(failed.id);
  expect(await books('payouts', '--arrived', 'po_none')).toMatchObject({ code: 1 });
  expect(await books('payouts', '--arrived', payout.id)).toMatchObject({ code: 0 });
  expect(await alertsOf('payout.destination')).toEqual([]);
  expect((await books('payouts')).stdout).toBe('No payout waits to be ticked off.\n');
  expect((await books('payouts', '--all')).stdout).toMatch(new RegExp(`${failed.id} .* returned`));
});

test('M21 a payout to a bank account of a stranger is an alert, and the list names the account', async () => {
  await control('payouts', { currency: 'thb', amount: 10_00 });
  const stranger = await control('payouts', { currency: 'thb', amount: 11_00, destination: 'ba_stranger' });
  await later(61 * MINUTE_MS);
  expect(await alertsOf('payout.destination')).toEqual(['ba_stranger']);
  const { stdout } = await books('payouts');
  expect(stdout).toMatch(/THB 10\.00 {2}to ba_1Fixpoint0Sandbox {2}not ticked off/);
  expect(stdout).toContain(`${stranger.id}  THB 11.00  to ba_stranger (not confirmed)  not ticked off`);
});

// Regression: one invoice that could not be read hid all payments of its gateway.
test('X25 coins whose webhook is lost and whose invoice cannot be read are an alert within minutes', async () => {
  const { consent } = await beginOrder(shop.client);
  const bitcoin = { ...consent, paymentMethod: 'bitcoin' as const, language: 'en' as const };
  await shop.client.order.purchase({ body: { ...bitcoin, email: 'lost-coins@example.com' } });
  const invoice = (await shop.sandbox.btcpayLedger()).invoices.at(-1)!.invoice;
  await shop.sandbox.fault({ provider: 'btcpay', event: '*' }, 'drop', 100);
  const path = `GET /api/v1/stores/*/invoices/${invoice}*`;
  await shop.sandbox.fault({ provider: 'btcpay', path }, '500', 1_000);
  await shop.sandbox.control('btcpay/pay', { invoice });
  await shop.sandbox.control('btcpay/confirm', { invoice });
  await later(6 * MINUTE_MS);
  await later(11 * MINUTE_MS);
  expect(await alertsOf('provider.differs')).toEqual([`btcpay ${invoice}`]);
  expect((await books()).stdout).toContain('btcpay does not answer: not compared.');
  await shop.sandbox.calm();
  await later(61 * MINUTE_MS);
  expect(await alertsOf('provider.differs')).toEqual([]);
  expect(await books()).toMatchObject({ code: 0 });
});
