import { beginOrder, cardPaymentOf, confirmCard, emailTo } from '@fixpoint/testkit/buyer.ts';
import { readPdf } from '@fixpoint/testkit/pdf-text.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const DAY_MS = 24 * 60 * 60_000;
let shop: TestShop;
let customer: Awaited<ReturnType<TestShop['customer']>>;
let stranger: Awaited<ReturnType<TestShop['customer']>>;
beforeAll(async () => {
  shop = await startTestShop({}, undefined, undefined, ['renderer']);
  [customer, stranger] = [await shop.customer('payer'), await shop.customer('stranger')];
  // The receipt is generated after the purchase.
  for (const { email } of [customer, stranger]) await emailTo(shop, email, /Receipt number/);
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
  // Four more invoices, a day apart: the second is a renewal, the third is void, the last is a draft without a number.
  const renewal = {
    purpose: 'renewal' as const,
    order_id: null,
    period_start: new Date(0),
    period_end: new Date(DAY_MS),
  };
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
        ...(n === 2 && renewal),
      })
      .execute();
    await shop.db
      .insertInto('invoice_line')
      .values({ ...line, invoice_id: `inv_extra${n}` })
      .execute();
  }
});
afterAll(() => shop?.stop());

/** Fields of an inserted row that differ from an order's: no documents and no payment method. */
const bare = (number: string) => ({
  number,
  id: expect.any(String),
  issuedAt: expect.any(String),
  paidAt: expect.any(String),
  subscription: { id: customer.subscriptionId, address: expect.any(String) },
  paymentMethod: undefined,
  documentId: undefined,
});
type Answer = { data?: { items: { number: string }[] } };
const numbers = (answer: Answer) => answer.data!.items.map(({ number }) => number);

test("a customer pages through their invoices, the newest first, without drafts and other customers' invoices", async () => {
  const all = await customer.client.billing.myBilling();
  expect(all.data!.total).toBe(4);
  expect(numbers(all).slice(0, 3)).toEqual(['EXTRA-3', 'EXTRA-2', 'EXTRA-1']);
  const page = (n: number) => customer.client.billing.myBilling({ query: { page: n, size: 3 } });
  expect(numbers(await page(1))).toEqual(numbers(all).slice(0, 3));
  expect(await page(2)).toMatchObject({ data: { total: 4, items: [{ number: numbers(all)[3] }] } });
  expect((await page(3)).data).toEqual({ total: 4, items: [] });
  const [own] = (await stranger.client.billing.myBilling()).data!.items;
  expect(own).toEqual({
    id: expect.any(String),
    number: expect.stringMatching(/^20\d\d-\d{6}$/),
    productType: 'subscription',
    planId: 'solo',
    paymentMethod: 'card',
    status: 'paid',
    issuedAt: shop.clock.now().toISOString(),
    paidAt: shop.clock.now().toISOString(),
    subscription: { id: stranger.subscriptionId, address: expect.stringMatching(/^203\.0\.113\./) },
    documentId: expect.any(String),
    total: { currency: 'THB', price: 199_00, net: 185_98, vat: 13_02 },
  });
  expect(numbers(all)[3]).not.toBe(own!.number);
  expect(all.data!.items[1]).toEqual({ ...own, ...bare('EXTRA-2'), productType: 'renewal' });
  for (const query of [{ page: 0 }, { size: 101 }, { page: 'x' }, { size: -1 }]) {
    expect(await customer.client.billing.myBilling({ query })).toMatchObject({ code: '7004' });
  }
});

test('a customer filters invoices by their status', async () => {
  const of = (status: 'open' | 'paid' | 'void') =>
    customer.client.billing.listMyBilling({ body: { status } });
  expect(await of('void')).toMatchObject({
    data: { total: 1, items: [{ number: 'EXTRA-3', status: 'void' }] },
  });
  expect((await of('paid')).data!.total).toBe(3);
  expect((await of('open')).data).toEqual({ total: 0, items: [] });
});

test('a customer sees the invoices of one subscription', async () => {
  const of = async (subscriptionId: string) =>
    (await customer.client.billing.listMyBilling({ body: { subscriptionId } })).data!.total;
  expect(await of(customer.subscriptionId)).toBe(4);
  expect(await of(stranger.subscriptionId)).toBe(0);
});

test('an invoice without a card payment and a period states neither', async () => {
  const read = (id: string) => customer.client.billing.getBilling({ params: { id } });
  const { data } = await read('inv_extra1');
  expect(data).toMatchObject({
    number: 'EXTRA-1',
    subscriptionId: customer.subscriptionId,
    documents: [],
    creditNotes: [],
    lines: [{ amount: { currency: 'THB', price: 199_00, net: 185_98, vat: 13_02 } }],
  });
  for (const none of ['card', 'periodStart', 'periodEnd']) expect(data).not.toHaveProperty(none);
  const [own] = (await stranger.client.billing.myBilling()).data!.items;
  expect(await read(own!.id)).toMatchObject({ code: '7004', data: { fields: { id: 'invoice.notFound' } } });
});

test('a customer sorts invoices by date and total, and filters them by kind', async () => {
  const order = async (sort: 'newest' | 'oldest' | 'highest' | 'lowest') =>
    numbers(await customer.client.billing.listMyBilling({ body: { sort } }));
  await shop.db
    .updateTable('invoice')
    .set({ total: 5, net: 5, vat: 0 })
    .where('id', '=', 'inv_extra2')
    .execute();
  expect((await order('newest')).slice(0, 3)).toEqual(['EXTRA-3', 'EXTRA-2', 'EXTRA-1']);
  expect((await order('oldest')).slice(1)).toEqual(['EXTRA-1', 'EXTRA-2', 'EXTRA-3']);
  expect((await order('lowest'))[0]).toBe('EXTRA-2');
  expect((await order('highest')).at(-1)).toBe('EXTRA-2');
  const renewals = await customer.client.billing.listMyBilling({ body: { productType: 'renewal' } });
  expect(numbers(renewals)).toEqual(['EXTRA-2']);
  for (const body of [{ sort: 'random' }, { status: 'draft' }, { productType: 'gift' }] as never[]) {
    expect(await customer.client.billing.listMyBilling({ body })).toMatchObject({ code: '7004' });
  }
});

test('FU17 B20 a receipt is one unchanging PDF in the email and in the list, for its customer alone', async () => {
  const own = (await stranger.client.billing.myBilling()).data!.items[0]!;
  const message = await emailTo(shop, stranger.email, /Receipt number/);
  const { data } = await stranger.client.billing.getDocument({ params: { id: own.documentId! } });
  expect(data!.fileName).toBe(`${own.number}.pdf`);
  expect(message.Attachments).toMatchObject([
    {
      FileName: data!.fileName,
      ContentType: 'application/pdf',
      Size: Buffer.from(data!.pdf, 'base64').length,
    },
  ]);
  const { pieces, attached } = readPdf(Buffer.from(data!.pdf, 'base64'));
  const text = pieces.join('').replaceAll('\u00a0', ' ');
  for (const words of [own.number, 'THB 199.00', '7%', 'Visa •••• 4242', 'Next renewal']) {
    expect(text).toContain(words);
  }
  // The page names its buyer until their account is erased; what programs read never does.
  expect(text).toContain(stranger.email);
  expect(attached.get('factur-x.xml')).not.toContain(stranger.email);
  const detail = await stranger.client.billing.getBilling({ params: { id: own.id } });
  expect(detail.data).toMatchObject({
    card: { brand: 'visa', last4: '4242' },
    documents: [{ id: own.documentId, kind: 'receipt', number: own.number }],
    periodStart: shop.clock.now().toISOString(),
    periodEnd: expect.any(String),
  });

  const getDocument = async (id: string) => {
    const { status, code, data } = await customer.client.billing.getDocument({ params: { id } });
    return { status, code, data };
  };
  expect(await getDocument(own.documentId!)).toEqual(await getDocument('doc_of_nobody'));
  // A repeated job changes no byte.
  await shop.db
    .updateTable('invoice')
    .set({ documents_due_at: new Date(0) })
    .where('id', '=', own.id)
    .execute();
  await shop.sweep();
  const seen = shop.db.selectFrom('invoice').select('documents_due_at').where('id', '=', own.id);
  expect(await seen.executeTakeFirst()).toEqual({ documents_due_at: null });
  expect((await stranger.client.billing.getDocument({ params: { id: own.documentId! } })).data).toEqual(data);
  await expect(
    shop.db
      .updateTable('document')
      .set({ pdf: Buffer.from('x') })
      .execute(),
  ).rejects.toThrow(/check/);
});

test('a customer who waits long for a host gets a receipt without the dates of the period', async () => {
  const { consent, metadata } = await beginOrder(shop.client);
  const email = 'waits@example.com';
  await shop.host.stop();
  const { data } = await shop.client.order.purchase({ body: { ...consent, email, language: 'en' } });
  await confirmCard(shop, cardPaymentOf(data));
  await shop.client.order.confirmPurchase({ body: { metadata } });
  await shop.sweep();
  const documents = () =>
    shop.db
      .selectFrom('document')
      .innerJoin('customer', 'customer.id', 'document.customer_id')
      .select('pdf')
      .where('email', '=', email)
      .execute();
  expect(await documents()).toEqual([]);
  shop.clock.advance(11 * 60_000);
  await shop.sweep();
  const [document] = await documents();
  const text = readPdf(document!.pdf).pieces.join('');
  expect(text).toContain('Visa •••• 4242');
  expect(text).not.toContain('Next renewal');
});
