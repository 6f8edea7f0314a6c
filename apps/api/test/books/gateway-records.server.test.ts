import { beginOrder, paypalOrderOf, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmedCommand } from '../helpers/shop-command.ts';
import { paypalBuyers } from '../payment/paypal-buyers.ts';

/** Pages of the sandbox gateways beside the state of the shop; for Stripe see `clock.server.test.ts`. */
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

/** Tables of a page as rows, newest first. */
async function tablesOf(provider: 'paypal' | 'btcpay'): Promise<Record<string, string[][]>> {
  const page = await (await fetch(`${shop.sandboxUrl}/${provider}`)).text();
  const tables = [...page.matchAll(/<h2>([^<]+)<\/h2>(.*?)(?=<h2>|<p><code>)/gs)];
  const rowsOf = (table: string) =>
    [...table.matchAll(/<tr>(<td>.*?)<\/tr>/gs)].map(([, row]) =>
      [...row!.matchAll(/<td>(.*?)<\/td>/gs)].map(([, cell]) => cell!.replace(/<a [^>]+>|<\/a>/g, '')),
    );
  return Object.fromEntries(tables.map(([, title, table]) => [title!, rowsOf(table!)]));
}
const attemptOf = (email: string) =>
  shop.db
    .selectFrom('attempt')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .innerJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .select(['attempt.id', 'attempt.provider_ref', 'invoice.number'])
    .where('shop_order.email', '=', email)
    .executeTakeFirstOrThrow();
async function refundInvoice(number: string): Promise<string> {
  const give = [number, '--reason', 'sorry'];
  const done = await confirmedCommand(shop, 'refund', ...give);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  const { id } = await shop.db
    .selectFrom('refund')
    .select('id')
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();
  return id;
}
/** Page once the shop has this state of the newest refund. */
const shownWith = (provider: 'paypal' | 'btcpay', refundIs: string) =>
  until(async () => {
    await shop.sweep();
    const tables = await tablesOf(provider);
    return tables.Refunds![0]?.at(-1)?.startsWith(refundIs) && tables;
  }, `a refund that is ${refundIs}`);
const delivered = (tables: Record<string, string[][]>, type: string) =>
  expect(tables.Webhooks).toContainEqual([type, 'delivered', '200']);

test('PayPal shows its orders, payments, refunds and webhooks beside the state of the shop', async () => {
  const { newOrder, agree, is } = paypalBuyers(shop);
  const order = await newOrder('believer');
  const ref = paypalOrderOf(await order.press());
  await agree(ref);
  await order.confirm();
  await is(order, 'fulfilled');
  const attempt = await attemptOf(order.email);
  const refund = await refundInvoice(attempt.number!);
  const shown = await shownWith('paypal', 'succeeded');
  expect(shown.Orders).toEqual([
    [ref, 'COMPLETED', 'THB 199.00', attempt.id, 'succeeded, THB 19900 received'],
  ]);
  expect(shown.Payments).toEqual([
    [expect.any(String), ref, 'REFUNDED', 'THB 199.00', expect.stringMatching(/^\d+\.\d\d$/)],
  ]);
  expect(shown.Refunds).toEqual([
    [expect.any(String), ref, 'COMPLETED', 'THB 199.00', refund, 'succeeded, THB 19900'],
  ]);
  delivered(shown, 'PAYMENT.CAPTURE.COMPLETED');
});

test('BTCPay shows its invoices, refunds and webhooks beside the state of the shop', async () => {
  const { consent, metadata } = await beginOrder(shop.client);
  const email = 'coins@example.com';
  const body = { ...consent, email, language: 'en' as const, paymentMethod: 'bitcoin' as const };
  await shop.client.order.purchase({ body });
  const { provider_ref: invoice } = await attemptOf(email);
  await shop.sandbox.control('btcpay/pay', { invoice });
  await shop.sandbox.control('btcpay/confirm', { invoice });
  await until(
    async () =>
      (await shop.client.order.confirmPurchase({ body: { metadata } })).data?.status === 'fulfilled',
    'the order',
  );
  const attempt = await attemptOf(email);
  const refund = await refundInvoice(attempt.number!);
  const shown = await shownWith('btcpay', 'pending');
  expect(shown.Invoices).toEqual([
    [invoice, 'Settled', 'THB 19900', '19900', '0', attempt.id, 'succeeded, THB 19900 received'],
  ]);
  expect(shown.Refunds).toEqual([
    [expect.any(String), invoice, 'THB 19900', '0', 'live', refund, 'pending, THB 19900'],
  ]);
  delivered(shown, 'InvoiceSettled');
});

test('an object that is unknown to the shop has an empty state', async () => {
  const { token, storeId } = shop.sandbox.btcpay;
  const made = await fetch(`${shop.sandboxUrl}/api/v1/stores/${storeId}/invoices`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: '100', currency: 'THB', metadata: { attemptId: 'att_nobody' } }),
  });
  expect(made.status).toBe(200);
  expect((await tablesOf('btcpay')).Invoices![0]!.slice(-2)).toEqual(['att_nobody', 'nothing']);
});

test('the tables link to the pages that act as payer, bank or miner', async () => {
  const { consent } = await beginOrder(shop.client);
  const body = { ...consent, email: 'qr@example.com', language: 'en', paymentMethod: 'promptpay' } as const;
  await shop.client.order.purchase({ body });
  const { provider_ref: intent } = await attemptOf(body.email);
  const linksOf = async (provider: string) => {
    const page = await (await fetch(`${shop.sandboxUrl}/${provider}`)).text();
    return [...page.matchAll(/<td><a href="([^"]+)">([^<]+)</g)].map(([, href, name]) => ({ href, name }));
  };
  const kinds: string[] = [];
  for (const provider of ['stripe', 'paypal', 'btcpay']) {
    for (const { href, name } of await linksOf(provider)) {
      const page = await fetch(`${shop.sandboxUrl}${href}`);
      expect(page.status, href).toBe(200);
      kinds.push(href!.replace(name!, ''));
    }
  }
  expect([...new Set(kinds)].sort()).toEqual([
    '/checkoutnow?token=',
    '/i/',
    '/promptpay/',
    '/pull-payments/',
  ]);
  await shop.sandbox.control('promptpay/pay', { intent });
  expect(await linksOf('stripe')).toEqual([]);
});
