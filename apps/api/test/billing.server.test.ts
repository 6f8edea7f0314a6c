import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const DAY_MS = 24 * 60 * 60_000;
let shop: TestShop;
let customer: Awaited<ReturnType<TestShop['customer']>>;
let stranger: Awaited<ReturnType<TestShop['customer']>>;
beforeAll(async () => {
  shop = await startTestShop();
  [customer, stranger] = [await shop.customer('payer'), await shop.customer('stranger')];
  const invoice = await shop.db
    .selectFrom('invoice')
    .innerJoin('customer', 'customer.id', 'invoice.customer_id')
    .selectAll('invoice')
    .where('email', '=', customer.email)
    .executeTakeFirstOrThrow();
  const line = await shop.db
    .selectFrom('invoice_line')
    .selectAll()
    .where('invoice_id', '=', invoice.id)
    .executeTakeFirstOrThrow();
  const order = await shop.db
    .selectFrom('shop_order')
    .selectAll()
    .where('id', '=', invoice.order_id)
    .executeTakeFirstOrThrow();
  // Four more, a day apart each; the third is void, the last is a draft without a number.
  for (let n = 1; n <= 4; n += 1) {
    const id = `ord_extra${n}`;
    await shop.db
      .insertInto('shop_order')
      .values({ ...order, id, token_hash: Buffer.from([n]) })
      .execute();
    const none = { number: null, serial: null, series: null, paid_at: null } as const;
    const draft = { ...none, status: 'draft', issued_at: null } as const;
    const issuedAt = new Date(invoice.issued_at!.getTime() + n * DAY_MS);
    const paid = { status: 'paid', number: `EXTRA-${n}`, serial: 9000 + n, paid_at: issuedAt } as const;
    const issued =
      n === 3 ? { ...none, status: 'void' as const, issued_at: issuedAt } : { ...paid, issued_at: issuedAt };
    await shop.db
      .insertInto('invoice')
      .values({
        ...invoice,
        id: `inv_extra${n}`,
        order_id: id,
        reference: `EXTRA-${n}`,
        ...(n === 4 ? draft : issued),
      })
      .execute();
    await shop.db
      .insertInto('invoice_line')
      .values({ ...line, invoice_id: `inv_extra${n}` })
      .execute();
  }
});
afterAll(() => shop?.stop());

type Answer = { data?: { items: { number: string }[] } };
const numbers = (answer: Answer) => answer.data!.items.map(({ number }) => number);

test('a customer pages through his invoices, the newest first, and sees no draft and nobody else’s', async () => {
  const all = await customer.client.billing.myBilling();
  expect(all.data!.total).toBe(4);
  expect(numbers(all).slice(0, 3)).toEqual(['EXTRA-3', 'EXTRA-2', 'EXTRA-1']);
  const page = (n: number) => customer.client.billing.myBilling({ query: { page: n, size: 3 } });
  expect(numbers(await page(1))).toEqual(numbers(all).slice(0, 3));
  expect(await page(2)).toMatchObject({ data: { total: 4, items: [{ number: numbers(all)[3] }] } });
  expect((await page(3)).data).toEqual({ total: 4, items: [] });
  expect(numbers(await stranger.client.billing.myBilling())).not.toContain(numbers(all)[3]);
  for (const query of [{ page: 0 }, { size: 101 }, { page: 'x' }, { size: -1 }]) {
    expect(await customer.client.billing.myBilling({ query })).toMatchObject({ code: '7004' });
  }
});

test('he filters them by their status', async () => {
  const of = (status: 'open' | 'paid' | 'void') =>
    customer.client.billing.listMyBilling({ body: { status } });
  expect(await of('void')).toMatchObject({
    data: { total: 1, items: [{ number: 'EXTRA-3', status: 'void' }] },
  });
  expect((await of('paid')).data!.total).toBe(3);
  expect((await of('open')).data).toEqual({ total: 0, items: [] });
});
