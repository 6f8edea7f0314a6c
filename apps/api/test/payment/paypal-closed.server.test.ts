import { cardPaymentOf, confirmCard, paypalOrderOf, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openProviders } from '../../src/compose/providers.ts';
import { readProviderEnv } from '../../src/env/env.ts';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { type PaypalBuyers, paypalBuyers } from './paypal-buyers.ts';

/** A closed payment is never captured at PayPal. */
const MINUTE_MS = 60_000;
const EVENTS = { provider: 'paypal', event: '*' } as const;
let shop: TestShop;
let buyers: PaypalBuyers;
beforeAll(async () => {
  shop = await startTestShop();
  buyers = paypalBuyers(shop);
});
afterEach(async () => {
  await shop.sandbox.calm();
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});
afterAll(() => shop?.stop());

test('a payment is not captured when the buyer has paid by card in another tab meanwhile', async () => {
  const order = await buyers.newOrder('other-tab');
  const paypal = paypalOrderOf(await order.press());
  const intent = cardPaymentOf(await order.press('card'));
  expect(await buyers.attemptsOf(order)).toMatchObject([
    { method: 'paypal', status: 'closed' },
    { method: 'card' },
  ]);
  await buyers.agree(paypal);
  await confirmCard(shop, intent);
  await buyers.is(order, 'fulfilled');
  await order.confirm();
  await buyers.later(2 * MINUTE_MS);
  expect(await buyers.capturesOf(paypal)).toEqual([]);
});

test("a card's payment that PayPal replaces is not captured either", async () => {
  const order = await buyers.newOrder('card-first');
  const intent = cardPaymentOf(await order.press('card'));
  const paypal = paypalOrderOf(await order.press());
  expect((await confirmCard(shop, intent)).status).toBe(400);
  await buyers.agree(paypal);
  await buyers.is(order, 'fulfilled');
  expect(await buyers.capturesOf(paypal)).toHaveLength(1);
});

test('a payment is not captured when the order expired before the approval', async () => {
  const order = await buyers.newOrder('too-late');
  const paypal = paypalOrderOf(await order.press());
  await shop.db
    .updateTable('shop_order')
    .set({ expires_at: shop.clock.now() })
    .where('email', '=', order.email)
    .execute();
  await buyers.later(MINUTE_MS);
  await buyers.is(order, 'expired');
  await buyers.agree(paypal);
  await buyers.later(2 * MINUTE_MS);
  await order.confirm();
  expect(await buyers.capturesOf(paypal)).toEqual([]);
  expect(await buyers.statusOf(order)).toBe('expired');
});

test('a payment is not captured when its invoice takes no money any more', async () => {
  const order = await buyers.newOrder('void');
  const paypal = paypalOrderOf(await order.press());
  const { invoice_id } = (await buyers.attemptsOf(order))[0]!;
  await shop.db.updateTable('invoice').set({ status: 'void' }).where('id', '=', invoice_id).execute();
  await buyers.agree(paypal);
  await until(async () => (await buyers.attemptsOf(order))[0]!.status === 'closed', 'the closed attempt');
  await buyers.later(2 * MINUTE_MS);
  expect(await buyers.capturesOf(paypal)).toEqual([]);
});

test('FM2 a payment that was captured all the same is refunded', async () => {
  const order = await buyers.newOrder('taken-anyway');
  const paypal = paypalOrderOf(await order.press());
  await confirmCard(shop, cardPaymentOf(await order.press('card')));
  await buyers.is(order, 'fulfilled');
  await shop.sandbox.fault(EVENTS, 'drop', 1);
  await buyers.agree(paypal);
  // As if a worker had paused between its check of the invoice and its call.
  await shop.db
    .updateTable('attempt')
    .set({ status: 'processing', updated_at: new Date(shop.clock.now().getTime() - MINUTE_MS) })
    .where('provider_ref', '=', paypal)
    .execute();
  const token = await accessToken();
  await fetch(`${shop.sandboxUrl}/v2/checkout/orders/${paypal}/capture`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'paypal-request-id': 'late' },
  });
  await until(async () => (await shop.sandbox.paypalLedger()).refunds.length === 1, 'the refund');
  await until(async () => (await buyers.attemptsOf(order))[0]!.unapplied === 199_00, 'the excess');
  expect((await shop.sandbox.paypalLedger()).refunds).toMatchObject([
    { order: paypal, status: 'COMPLETED', amount: '199.00', customId: expect.stringMatching(/^ref_/) },
  ]);
  await buyers.later(MINUTE_MS);
  const { provider_ref, charge_ref } = await shop.db
    .selectFrom('refund')
    .innerJoin('attempt', 'attempt.id', 'refund.attempt_id')
    .select(['refund.provider_ref', 'charge_ref'])
    .executeTakeFirstOrThrow();
  const { books } = (await openProviders(readProviderEnv(shop.sandbox.settings)!, shop.clock)).paypal!;
  const there = { paymentRef: charge_ref, currency: 'THB', amount: 199_00, state: 'succeeded' };
  expect([await books.refund(provider_ref!), await books.refund('NONE')]).toEqual([there, undefined]);
  // Only the fee stayed there.
  const { balances } = await shop.sandbox.paypalLedger();
  const { rows } = await sql<{ sum: number }>`select sum(amount)::int as sum from ledger_entry
    where account = 'provider' and provider = 'paypal'`.execute(shop.db);
  expect(rows[0]!.sum).toBe(balances.THB!.net);
});

async function accessToken(): Promise<string> {
  const { clientId, secret } = shop.sandbox.paypal;
  const answer = await fetch(`${shop.sandboxUrl}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}
