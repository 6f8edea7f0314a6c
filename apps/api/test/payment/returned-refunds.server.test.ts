import { beginOrder, cardPaymentOf, confirmCard, emailTo, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '../helpers/people.ts';
import { shopCommand } from '../helpers/shop-command.ts';

const DAY_MS = 24 * 60 * 60_000;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

test('FM2 a refund that the bank returned is known within a day, also without an event', async () => {
  const { client } = await signUp(shop, 'returned@example.com');
  const { consent, metadata } = await beginOrder(client);
  const { data } = await client.order.purchaseLogin({ body: consent });
  // The account ends before the payment, so the money is refunded, and the bank returns it a moment later.
  await client.auth.deleteAccount({ body: { action: 'disable', currentPassword: PASSWORD } });
  await shop.sandbox.fault({ event: '*' }, 'drop', 1_000);
  await confirmCard(shop, cardPaymentOf(data), 'pm_card_refundFail');
  await shop.client.order.confirmPurchase({ body: { metadata } });
  const refund = () => shop.db.selectFrom('refund').selectAll().executeTakeFirst();
  await until(async () => (await refund())?.status === 'succeeded', 'the refund, as it first seems');

  for (let day = 0; day < 2; day += 1) {
    shop.clock.advance(DAY_MS);
    await shop.sweep();
  }
  const { id, status, amount } = (await refund())!;
  expect(status).toBe('failed');
  const alert = await shop.db
    .selectFrom('open_alert')
    .selectAll()
    .where('subject', '=', id)
    .executeTakeFirst();
  expect(alert).toMatchObject({ kind: 'refund.failed', what: { amount } });
  // The customer is told about their money although the account has ended.
  await emailTo(shop, 'returned@example.com', /didn’t arrive/);

  // No bank takes it back the way it came: staff pays it out of band, and books that.
  const refundOutOfBand = (...more: string[]) =>
    shopCommand(shop, 'refund', id, '--by-hand', '--reason', 'To his new account', ...more);
  const planned = await refundOutOfBand();
  expect(planned.stdout).toContain(`THB 199.00 of ${id} are due to its payer.`);
  const [, code] = /--confirm (\S+)/.exec(planned.stdout)!;
  expect(await refundOutOfBand('--confirm', code!)).toMatchObject({
    code: 0,
    stdout: `Booked an out-of-band refund: THB 199.00 of ${id}.\n`,
  });
  // Confirmed again it answers the same, and another plan finds nothing due.
  expect(await refundOutOfBand('--confirm', code!)).toMatchObject({ code: 0 });
  expect(await refundOutOfBand()).toMatchObject({
    code: 1,
    stderr: `the money of ${id} was refunded out of band\n`,
  });
  expect((await refundOutOfBand('--amount', '1.00')).stderr).toContain('Unknown option: --amount');
  expect((await shopCommand(shop, 'alerts')).stdout).not.toContain(id);
  // The provider's remaining money is the same in both books.
  expect(await shopCommand(shop, 'books')).toMatchObject({ code: 0 });
});
