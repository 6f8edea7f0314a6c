import { beginOrder, clientSecretOf, confirmCard, mailTo, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from './people.ts';

const DAY_MS = 24 * 60 * 60_000;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

test('FM2 a refund that the bank sent back is known within a day, also when nobody told us', async () => {
  const { client } = await signUp(shop, 'returned@example.com');
  const { consent, metadata } = await beginOrder(client);
  const { data } = await client.order.purchaseLogin({ body: consent });
  // His account ends before he pays: the money is given back, and the bank refuses it a moment later.
  await client.auth.deleteAccount({ body: { action: 'disable', currentPassword: PASSWORD } });
  await shop.sandbox.fault({ event: '*' }, 'drop', 1_000);
  await confirmCard(shop, clientSecretOf(data), 'pm_card_refundFail');
  await shop.client.order.confirmPurchase({ body: { metadata } });
  const refund = () => shop.db.selectFrom('refund').selectAll().executeTakeFirst();
  await until(async () => (await refund())?.status === 'succeeded', 'the refund, as it first seems');

  for (let day = 0; day < 2; day += 1) {
    shop.clock.advance(DAY_MS);
    await shop.sweep();
  }
  const { id, status, amount } = (await refund())!;
  expect(status).toBe('failed');
  const matter = await shop.db
    .selectFrom('attention')
    .selectAll()
    .where('subject', '=', id)
    .executeTakeFirst();
  expect(matter).toMatchObject({ kind: 'refund.failed', what: { amount } });
  // Of money that is his he hears also when his account has ended.
  await mailTo(shop, 'returned@example.com', /didn’t arrive/);
});
