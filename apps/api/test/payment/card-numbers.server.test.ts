import { makeCard, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../src/log/logger.ts';
import { shopCommand } from '../helpers/shop-command.ts';

/** Customers can type card numbers into any text field. */
let shop: TestShop;
let customer: Awaited<ReturnType<TestShop['customer']>>;
beforeAll(async () => {
  shop = await startTestShop();
  customer = await shop.customer('words', 'plus');
});
afterAll(() => shop?.stop());

const NUMBERS = [
  '4242424242424242',
  'Mine is 4242 4242 4242 4242 12/30',
  '5555-5555 5555-4444',
  '378282246310005',
];
const refused = (field: string, text: string) => ({
  status: 400,
  code: '7004',
  data: { fields: { [field]: text } },
});

test.each(NUMBERS)('S41 %j is stored in no text of a customer', async words => {
  const { client, subscriptionId } = customer;
  const cancel = { id: subscriptionId, reasons: ['other' as const], comment: words };
  expect(await client.subscription.cancelSubscription({ body: cancel })).toMatchObject(
    refused('comment', 'form.words.card'),
  );
  expect(
    await client.subscription.addKey({ body: { subscriptionId, name: 'tablet', label: words } }),
  ).toMatchObject(refused('label', 'form.keyName.card'));
  const response = { id: 'AAAA', response: {} };
  expect(
    await client.account.addPasskey({ body: { flow: 'flow', name: words, response } as never }),
  ).toMatchObject(refused('name', 'form.keyName.card'));
});

test('S41 texts with other numbers are stored unchanged', async () => {
  const { client, subscriptionId } = customer;
  const comment = 'Invoice 2026-000123, and my phone is +66 81 234 5678.';
  const cancel = { id: subscriptionId, reasons: ['other' as const], comment };
  expect((await client.subscription.cancelSubscription({ body: cancel })).code).toBe('0000');
  expect(await shop.db.selectFrom('cancellation').select('comment').execute()).toEqual([{ comment }]);
});

test("S41 a reason of staff must have no card number, and a card's name that is one is masked", async () => {
  const [invoice] = (await customer.client.billing.myBilling({ query: {} })).data!.items;
  const output = await shopCommand(shop, 'refund', invoice!.number, '--reason', 'to 4242 4242 4242 4242');
  expect(output.code).toBe(64);
  expect(output.stderr).toContain('looks like a card number');

  const card = await makeCard(shop, { number: '5555555555554444' }, '5555 5555 5555 4444');
  await customer.client.payment.updPayment({ body: { card } });
  const kept = () =>
    shop.db.selectFrom('saved_method').select('holder').where('last4', '=', '4444').executeTakeFirst();
  expect((await until(kept, 'the card')).holder).toBe('[card number]');
});

test('S41 S82 a log masks what looks like a card number, and stays valid JSON', () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: line => void lines.push(line) });
  log.error(
    { err: new Error('no such card: 4242 4242 4242 4242'), at: 4242424242424242 },
    'of "4242424242424242"',
  );
  const [line] = lines.map(each => JSON.parse(each) as { msg: string; at: number; err: { message: string } });
  expect(line).toMatchObject({ msg: 'of "[card number]"', at: 4242424242424242 });
  expect(line!.err.message).toBe('no such card: [card number]');
  expect(lines[0]!.replace('4242424242424242', '')).not.toContain('4242');
});
