import type { BuyerDetails } from '@fixpoint/contract/buyer-details.ts';
import { beginOrder, cardPaymentOf, confirmCard, until } from '@fixpoint/testkit/buyer.ts';
import { type GivenInvoices, givenInvoices } from '@fixpoint/testkit/given/invoices.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eraseInvoices, invoicesOf, saveBuyerDetails } from '../../src/modules/billing/index.ts';

/* The company of an invoice: kept with the customer, and frozen on the invoice at issue. */

const siam = {
  name: 'Siam Trading Co., Ltd.',
  country: 'TH',
  line1: '1 Sukhumvit Rd',
  line2: 'Khlong Toei Nuea',
  city: 'Watthana',
  region: 'Bangkok',
  postcode: '10110',
  taxId: '0105567000005',
  branch: '00000',
} satisfies BuyerDetails;

describe('an invoice', () => {
  let invoices: GivenInvoices;
  beforeAll(async () => {
    invoices = await givenInvoices();
  });
  afterAll(() => invoices?.hosts.stop());
  const save = (details: BuyerDetails | null) =>
    invoices.inTransaction(tx => saveBuyerDetails(tx, invoices.now(), invoices.owner.customerId, details));
  const companyOf = async (id: string) => (await invoices.invoiceRow(id)).buyer.company?.name;

  test('of a renewal names the company that its customer has when it is paid, and never another one again', async () => {
    const { id } = (await invoices.renewalInvoice({ months: 1 }))!;
    expect(await companyOf(id)).toBeUndefined();
    await save(siam);
    await invoices.pay(id);
    await save({ ...siam, name: 'Siam Renamed' });
    expect(await companyOf(id)).toBe('Siam Trading Co., Ltd.');
    const next = (await invoices.renewalInvoice({ months: 2 }))!;
    expect(await companyOf(next.id)).toBe('Siam Renamed');
    await save(null);
    await invoices.pay(next.id);
    expect(await companyOf(next.id)).toBeUndefined();
  });

  test('of an order names the company of its page, whatever is saved until it is paid', async () => {
    await save(siam);
    const id = (await invoices.draftInvoice())!;
    await save(null);
    await invoices.pay(id);
    expect(await companyOf(id)).toBe('Siam Trading Co., Ltd.');
  });

  test('S83 of an erased buyer names no company and stays what it was; the export had it', async () => {
    const { customerId } = invoices.owner;
    await save(siam);
    const before = await invoices.read(db => invoicesOf(db, customerId));
    expect(before.company).toEqual(siam);
    expect(before.invoices.filter(({ company }) => company)).toHaveLength(2);
    await invoices.inTransaction(tx => eraseInvoices(tx, customerId));
    const after = await invoices.read(db => invoicesOf(db, customerId));
    expect([after.company, after.invoices.filter(({ company }) => company)]).toEqual([null, []]);
    const rows = await invoices.hosts.all.selectFrom('invoice').select('buyer').execute();
    expect(rows.map(({ buyer }) => buyer).filter(buyer => 'wasCompany' in buyer)).toEqual([
      { wasCompany: true },
      { wasCompany: true },
    ]);
  });
});

describe('over HTTP', () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await startTestShop();
  });
  afterAll(() => shop?.stop());

  test('a guest buys for a company: wrong fields are named, and the account that is made keeps it', async () => {
    const { consent, metadata } = await beginOrder(shop.client);
    const email = 'accounts@siam.example.com';
    const buy = (company: BuyerDetails) =>
      shop.client.order.purchase({ body: { ...consent, email, language: 'th', company } });
    const recipients = ['Books@siam.example.com', 'cfo@siam.example.com'];
    const wrong = await buy({ ...siam, taxId: '0105567000003', postcode: '', branch: '1' });
    expect(wrong).toMatchObject({
      code: '7004',
      data: {
        fields: {
          'company.taxId': 'form.company.taxId',
          'company.postcode': 'form.company.postcode',
          'company.branch': 'form.company.branch',
        },
      },
    });
    expect(await buy({ ...siam, recipients: ['no address', 'cfo@siam.example.com'] })).toMatchObject({
      data: { fields: { 'company.recipients': 'form.company.recipients' } },
    });
    const bought = await buy({ ...siam, name: ' Siam  Trading Co., Ltd.', recipients });
    await confirmCard(shop, cardPaymentOf(bought.data));
    await until(
      async () => (await shop.client.order.purchaseData({ body: { metadata } })).data?.status === 'fulfilled',
      'the order of the company',
    );
    const row = await shop.db
      .selectFrom('buyer_details')
      .innerJoin('customer', 'customer.id', 'buyer_details.customer_id')
      .select('buyer_details.details')
      .where('customer.email', '=', email)
      .executeTakeFirstOrThrow();
    expect(row.details).toEqual({ ...siam, recipients: ['books@siam.example.com', 'cfo@siam.example.com'] });
  });

  test('a guest who buys for the address of a customer changes nothing of theirs', async () => {
    const { email, client } = await shop.customer('known');
    const { consent, metadata } = await beginOrder(shop.client);
    const body = { ...consent, email, language: 'en' as const, company: siam };
    await confirmCard(shop, cardPaymentOf((await shop.client.order.purchase({ body })).data));
    await until(
      async () => (await shop.client.order.purchaseData({ body: { metadata } })).data?.status === 'fulfilled',
      'the gift',
    );
    expect((await client.billing.getCompany()).data).toEqual({ company: null });
  });

  test('a customer sets it under Billing; the next order has it without being asked, or another one', async () => {
    const { client, email } = await shop.customer('firm');
    const german = { name: 'Muster GmbH', country: 'DE', line1: 'Weg 1', city: 'Berlin', postcode: '10115' };
    const set = (company: BuyerDetails | null) => client.billing.setCompany({ body: { company } });
    expect(await set({ ...german, taxId: 'DE12' })).toMatchObject({
      code: '7004',
      data: { fields: { 'company.taxId': 'form.company.vatId' } },
    });
    expect((await set({ ...german, taxId: '123 456 789', region: 'Berlin' })).code).toBe('0000');
    expect((await client.billing.getCompany()).data).toEqual({
      company: { ...german, taxId: 'DE123456789' },
    });
    const drafts = () =>
      shop.db
        .selectFrom('invoice')
        .innerJoin('customer', 'customer.id', 'invoice.customer_id')
        .select(['invoice.id', 'invoice.buyer'])
        .where('customer.email', '=', email)
        .execute();
    const buyerOf = async (company?: BuyerDetails | null) => {
      const before = new Set((await drafts()).map(({ id }) => id));
      const { consent } = await beginOrder(client);
      const body = { ...consent, ...(company !== undefined && { company }) };
      const { code, data } = await client.order.purchaseLogin({ body });
      expect(code, JSON.stringify(data)).toBe('0000');
      const [drafted] = (await drafts()).filter(({ id }) => !before.has(id));
      return drafted!.buyer.company?.name;
    };
    expect(await buyerOf()).toBe('Muster GmbH');
    expect(await buyerOf(null)).toBeUndefined();
    expect(await buyerOf(siam)).toBe('Siam Trading Co., Ltd.');
    expect((await client.billing.getCompany()).data!.company!.name).toBe('Siam Trading Co., Ltd.');
  });
});
