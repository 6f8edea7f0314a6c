import { beginOrder, emailTo, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import type { TestClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { confirmedCommand, shopCommand } from '../helpers/shop-command.ts';

/** What becomes of credit when its account ends. */
const PRICE = 199_00;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

async function refundAsCredit(number: string, amount: string) {
  const command = ['refund', number, '--amount', amount, '--reason', 'Sorry', '--credit'];
  const done = await confirmedCommand(shop, ...command);
  expect(done.code).toBe(0);
}
const creditOf = async (client: TestClient) => (await client.payment.getCard()).data!.credit[0]?.amount;

test('FM23 what came as money goes back to its payment, goodwill is booked back, and the email says both', async () => {
  const { client, email, subscriptionId } = await shop.customer('leaves-with-credit');
  const { id: customerId } = await shop.db
    .selectFrom('customer')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const numbers = async () =>
    (
      await shop.db.selectFrom('invoice').select('number').where('customer_id', '=', customerId).execute()
    ).map(each => each.number!);
  const [first] = await numbers();
  await refundAsCredit(first!, '100');
  const gift = await shopCommand(shop, 'credit', customerId, '300', '--reason', 'late', '--yes');
  expect(gift.code).toBe(0);
  // Credit alone pays another plan; then that is refunded as credit, too: it is no money.
  const { consent, metadata } = await beginOrder(client);
  await client.order.purchaseLogin({ body: { ...consent, credit: PRICE } });
  await until(
    async () => (await client.order.purchaseData({ body: { metadata } })).data!.status === 'fulfilled',
    'the delivery',
  );
  const second = (await numbers()).find(each => each !== first)!;
  await refundAsCredit(second, '50');
  expect(await creditOf(client)).toBe(400_00 - PRICE + 50_00);
  const { items } = (await client.subscription.mySubscription()).data!;
  for (const { id } of items) await client.subscription.cancelSubscription({ body: { id } });
  expect(items.map(({ id }) => id)).toContain(subscriptionId);
  const ended = await client.auth.deleteAccount({ body: { action: 'delete', currentPassword: PASSWORD } });
  expect(ended.code).toBe('0000');
  const refunds = () =>
    shop.db
      .selectFrom('refund')
      .select(['amount', 'reason', 'status'])
      .where('customer_id', '=', customerId)
      .execute();
  await until(async () => (await refunds())[0]?.status === 'succeeded', 'the refund');
  expect(await refunds()).toEqual([{ amount: 100_00, reason: 'unapplied', status: 'succeeded' }]);
  const left = await shop.db
    .selectFrom('account_credit')
    .select('amount')
    .where('customer_id', '=', customerId)
    .execute();
  expect(left).toEqual([{ amount: 0 }]);
  const mail = await emailTo(shop, email, /account is deleted/);
  const text = mail.Text.replaceAll('\u00a0', ' ');
  expect(text).toContain('You paid THB 100.00 of your credit.');
  expect(text).toContain('THB 151.00 of your credit was a gift');
  expect(text).not.toContain('settles');
  const back = await emailTo(shop, email, /refund of THB/);
  expect(back.Text.replaceAll('\u00a0', ' ')).toContain(
    `refunding THB 100.00 of your payment for invoice ${first}`,
  );
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});
