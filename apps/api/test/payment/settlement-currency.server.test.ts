import { beginOrder, cardPaymentOf, confirmCard, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { confirmedCommand, shopCommand } from '../helpers/shop-command.ts';

/** Sales in dollars and yen on an account that settles in baht, at a rate that changes daily. */
const DAY_MS = 24 * 60 * 60_000;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
  await shop.sandbox.control('settlement', { currency: 'thb' });
  await sql`insert into plan_price (plan_id, currency, cycle_count, price, renewal)
    select plan_id, 'JPY', cycle_count, price * 3 / 2 * 100, renewal * 3 / 2 * 100
    from plan_price where currency = 'USD' on conflict do nothing`.execute(shop.db);
});
afterEach(async () => {
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
  expect((await shopCommand(shop, 'books')).stdout).toContain('The books balance.');
});
afterAll(() => shop?.stop());

/** Creates a paid and delivered order. @returns its payment a minute later */
async function paid(name: string, currency: string) {
  const { consent, metadata } = await beginOrder(shop.client, { currency });
  const body = { ...consent, email: `${name}@example.com`, language: 'en' as const };
  const payment_intent = cardPaymentOf((await shop.client.order.purchase({ body })).data);
  await confirmCard(shop, payment_intent);
  await until(async () => {
    const { data } = await shop.client.order.confirmPurchase({ body: { metadata } });
    return data?.status === 'fulfilled';
  }, 'the order');
  shop.clock.advance(2 * 60_000);
  await shop.sweep();
  const attempt = await shop.db
    .selectFrom('attempt')
    .selectAll()
    .where('provider_ref', '=', payment_intent)
    .executeTakeFirstOrThrow();
  return { payment_intent, attempt };
}
const disputeIs = (ref: string, status: string) =>
  until(async () => {
    const row = await shop.db
      .selectFrom('dispute')
      .selectAll()
      .where('provider_ref', '=', ref)
      .executeTakeFirst();
    return row?.status === status && row;
  }, `a dispute that is ${status}`);

test.each(['USD', 'JPY'])(
  'P39 the fee of a sale in %s becomes known and is not polled any more',
  async currency => {
    const { attempt } = await paid(`pays-${currency.toLowerCase()}`, currency);
    expect(attempt).toMatchObject({ currency, status: 'succeeded', ask_at: null });
    // 3.65 % and ten baht, in dollars and yen.
    expect(attempt.fee! / attempt.received).toBeGreaterThan(0.0365);
    expect(attempt.fee! / attempt.received).toBeLessThan(0.1);
    expect((await shop.sandbox.ledger()).balances).toEqual({ thb: expect.anything() });
  },
);

test.each([
  ['USD', 'won'],
  ['USD', 'lost'],
  ['JPY', 'won'],
  ['JPY', 'lost'],
] as const)(
  'P39 M17 a dispute in %s holds what was sold, and is %s at another rate',
  async (currency, outcome) => {
    const name = `${outcome}-${currency.toLowerCase()}`;
    const { payment_intent, attempt } = await paid(name, currency);
    const { id } = await shop.sandbox.control('disputes/open', { payment_intent });
    const open = await disputeIs(id, 'open');
    expect(open).toMatchObject({ currency, amount: attempt.received, withdrawn: attempt.received });
    expect(open.fee).toBeGreaterThan(0);
    shop.clock.advance(3 * DAY_MS);
    await shop.sweep();
    await shop.sandbox.control('disputes/close', { dispute: id, outcome });
    const ended = await disputeIs(id, outcome);
    expect(ended).toMatchObject({ withdrawn: outcome === 'lost' ? attempt.received : 0, fee: open.fee });
    const notes = await shop.db
      .selectFrom('credit_note')
      .select(['total', 'currency'])
      .where('invoice_id', '=', attempt.invoice_id)
      .execute();
    expect(notes).toEqual(outcome === 'lost' ? [{ total: attempt.received, currency }] : []);
  },
);

test('P39 a refund at another rate is the amount that was sold', async () => {
  const { attempt } = await paid('gets-back', 'USD');
  shop.clock.advance(2 * DAY_MS);
  const { number } = await shop.db
    .selectFrom('invoice')
    .select('number')
    .where('id', '=', attempt.invoice_id)
    .executeTakeFirstOrThrow();
  const wanted = ['refund', number!, '--reason', 'sorry'];
  await confirmedCommand(shop, ...wanted);
  await shop.sweep();
  const refund = await shop.db
    .selectFrom('refund')
    .select(['status', 'currency', 'amount'])
    .where('attempt_id', '=', attempt.id)
    .execute();
  expect(refund).toEqual([{ status: 'succeeded', currency: 'USD', amount: attempt.received }]);
});

test('P39 M21 the exchange of each movement is kept with its rate, and what it gained or lost is in an account', async () => {
  const { payment_intent, attempt } = await paid('exchanged', 'USD');
  await shopCommand(shop, 'books');
  const kept = await shop.db
    .selectFrom('gateway_movement')
    .selectAll()
    .where('source_ref', '=', payment_intent)
    .execute();
  expect(kept).toMatchObject([
    { kind: 'payment', currency: 'THB', sold_currency: 'USD', sold_amount: attempt.received - attempt.fee! },
  ]);
  expect(kept[0]!.amount / kept[0]!.sold_amount!).toBeCloseTo(kept[0]!.rate!, 1);
  const { rows } = await sql<{ account: string; currency: string; sum: number }>`
    select account, currency, sum(amount)::int as sum from (
      select account, currency, amount from movement_entry where provider = 'stripe'
      union all select account, currency, amount from ledger_entry where account = 'provider'
    ) entry where account in ('provider', 'settled', 'exchange') group by account, currency`.execute(shop.db);
  const sum = (account: string, currency: string) =>
    rows.find(row => row.account === account && row.currency === currency)?.sum ?? 0;
  // All that was sold in dollars was exchanged, and the balance is in baht alone.
  expect(sum('provider', 'USD') + sum('settled', 'USD')).toBe(0);
  expect(sum('exchange', 'USD')).toBe(sum('provider', 'USD'));
  const { net } = (await shop.sandbox.ledger()).balances.thb!;
  expect(sum('provider', 'THB') + sum('settled', 'THB')).toBe(net);
  expect(sum('exchange', 'THB')).toBe(-sum('settled', 'THB'));
});
