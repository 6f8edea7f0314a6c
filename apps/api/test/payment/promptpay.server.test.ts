import { parseMetadata } from '@fixpoint/contract/metadata.ts';
import { beginOrder, emailTo, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { confirmedCommand } from '../helpers/shop-command.ts';

/** A QR code that a banking app pays. */
const MINUTE_MS = 60_000;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterEach(async () => expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]));
afterAll(() => shop?.stop());

const minuteLater = async (ms: number) => {
  shop.clock.advance(ms);
  await shop.sweep();
};

test('a code is offered for fifteen minutes, then another', async () => {
  const { consent, metadata } = await beginOrder(shop.client);
  const body = {
    ...consent,
    paymentMethod: 'promptpay' as const,
    email: 'promptpay@example.com',
    language: 'th' as const,
  };
  const offer = async () => (await shop.client.order.purchase({ body })).data?.payment?.nextAction;
  const first = await offer();
  if (first?.kind !== 'scan') throw new Error('Nothing to scan');
  expect(first).toMatchObject({ unit: 'THB', amount: '199.00' });
  expect(Date.parse(first.expiresAt) - shop.clock.now().getTime()).toBeGreaterThan(14 * MINUTE_MS);
  await minuteLater(16 * MINUTE_MS);
  const second = await offer();
  if (second?.kind !== 'scan') throw new Error('Nothing to scan');
  expect(second.text).not.toBe(first.text);
  const { payments } = await shop.sandbox.ledger();
  expect(payments.map(({ status }) => status)).toContain('canceled');
  await shop.sandbox.control('promptpay/pay', { intent: payments.at(-1)!.payment_intent });
  await until(async () => {
    const { data } = await shop.client.order.purchaseData({ body: { metadata } });
    return data?.status === 'fulfilled';
  }, 'the order');
  // The fee becomes known a moment later.
  await minuteLater(2 * MINUTE_MS);
});

test('X4 S82 an address that Stripe rejects is refused as a field, is logged nowhere, and blocks nothing', async () => {
  const { consent } = await beginOrder(shop.client);
  const body = { ...consent, email: 'nobody@example.1a', language: 'en' as const };
  const { code, data } = await shop.client.order.purchase({ body: { ...body, paymentMethod: 'promptpay' } });
  expect([code, data]).toEqual(['7004', { fields: { email: 'form.email.invalid' } }]);
  const attempts = () => shop.db.selectFrom('attempt').select('status').orderBy('created_at').execute();
  const before = (await attempts()).length;
  expect((await attempts()).at(-1)).toEqual({ status: 'closed' });
  const corrected = { ...body, email: 'somebody@example.com', paymentMethod: 'promptpay' as const };
  expect((await shop.client.order.purchase({ body: corrected })).data?.payment?.nextAction.kind).toBe('scan');
  expect(await attempts()).toHaveLength(before + 1);
});

test("a payment after the page's countdown pays the order all the same, and an email leads to it", async () => {
  const { consent, metadata } = await beginOrder(shop.client);
  const email = 'promptpay-late@example.com';
  const body = { ...consent, email, language: 'en' as const };
  await shop.client.order.purchase({ body: { ...body, paymentMethod: 'promptpay' } });
  const { payment_intent: intent } = (await shop.sandbox.ledger()).payments.at(-1)!;
  // The payment is still open at its provider.
  shop.clock.advance(15 * MINUTE_MS + 1_000);
  await shop.sandbox.control('promptpay/pay', { intent });
  await until(async () => {
    const { data } = await shop.client.order.purchaseData({ body: { metadata } });
    return data?.status === 'fulfilled';
  }, 'the order');
  await emailTo(shop, email, /reset-password\?token=/);
  await minuteLater(2 * MINUTE_MS);
});

test('a refund waits for the bank account that its payer names, and its money is due until then', async () => {
  const { consent, metadata } = await beginOrder(shop.client);
  const body = {
    ...consent,
    paymentMethod: 'promptpay' as const,
    email: 'twice@example.com',
    language: 'en' as const,
  };
  const intentOf = async () => {
    await shop.client.order.purchase({ body });
    return (await shop.sandbox.ledger()).payments.at(-1)!.payment_intent;
  };
  const first = await intentOf();
  // Processes all events so far, because later ones would close the payment at its provider too.
  await shop.sweep();
  // As if the shop had given up a payment that arrived all the same.
  await shop.db.updateTable('attempt').set({ status: 'closed' }).where('status', '=', 'open').execute();
  const second = await intentOf();
  for (const intent of [second, first]) await shop.sandbox.control('promptpay/pay', { intent });
  const refund = await until(async () => {
    const row = await shop.db.selectFrom('refund').selectAll().executeTakeFirst();
    return row?.status === 'pending' && row;
  }, 'a refund');
  // Only the payer can name the account, which the email says.
  expect((await emailTo(shop, 'twice@example.com', /refund/)).Text).toContain('Stripe has emailed you');
  await shop.sandbox.control('refunds/settle', { refund: refund.provider_ref!, outcome: 'pending' });
  await minuteLater(2 * MINUTE_MS);
  await until(async () => {
    const row = await shop.db.selectFrom('refund').selectAll().executeTakeFirstOrThrow();
    return row.status === 'succeeded';
  }, 'the refund');
  const { data } = await shop.client.order.purchaseData({ body: { metadata } });
  expect(data?.status).toBe('fulfilled');
  await minuteLater(2 * MINUTE_MS);
});

test('FM1 an answer that the money overtakes does not mean that the money is gone', async () => {
  const { consent, metadata } = await beginOrder(shop.client);
  const body = { ...consent, email: 'overtaken@example.com', language: 'en' as const };
  await shop.client.order.purchase({ body: { ...body, paymentMethod: 'promptpay' } });
  const { payment_intent: intent } = (await shop.sandbox.ledger()).payments.at(-1)!;
  await shop.sandbox.fault({ path: `GET /v1/payment_intents/${intent}` }, { delayAfterCommit: 1_000 });
  const answer = shop.client.order.confirmPurchase({ body: { metadata } });
  await until(async () => {
    const { struck } = await shop.sandbox.control<{ struck: Record<string, number> }>('faults');
    return struck.delayAfterCommit;
  }, 'the question');
  await shop.sandbox.control('promptpay/pay', { intent });
  await until(async () => {
    const { data } = await shop.client.order.purchaseData({ body: { metadata } });
    return data?.status === 'fulfilled';
  }, 'the order');
  await answer;
  expect(await shop.db.selectFrom('open_alert').selectAll().execute()).toEqual([]);
  await minuteLater(2 * MINUTE_MS);
});

test('a retired method is offered to nobody, and its payments can still be refunded', async () => {
  const retired = await startTestShop({ PROMPTPAY: 'false', RETIRED_METHODS: 'paypal' });
  try {
    const { email } = await retired.customer('dan');
    const { metadata } = await beginOrder(retired.client);
    const query = { id: parseMetadata(metadata)!.reference };
    const { data } = await retired.client.order.getPaymentMethod({ query });
    expect(data!.methods.map(({ method }) => method).sort()).toEqual(['bitcoin', 'card']);
    // As if the payment was made before that: at Stripe it is the same.
    await retired.db.updateTable('attempt').set({ method: 'promptpay', saved_method_id: null }).execute();
    const paid = await retired.db
      .selectFrom('invoice')
      .select('number')
      .where('status', '=', 'paid')
      .executeTakeFirstOrThrow();
    const give = [paid.number!, '--reason', 'sorry'];
    await confirmedCommand(retired, 'refund', ...give);
    await emailTo(retired, email, /refund/i);
    const { refunds } = await retired.sandbox.ledger();
    expect(refunds).toMatchObject([{ amount: 199_00, status: 'succeeded' }]);
  } finally {
    await retired.stop();
  }
});
