import { EXPORT_PATH } from '@fixpoint/contract/invoice-export.ts';
import { emailTo } from '@fixpoint/testkit/buyer.ts';
import { givenLargeAccount } from '@fixpoint/testkit/given/large-account.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asApplication } from '../../src/database/scope.ts';
import { eraseInvoices } from '../../src/modules/billing/index.ts';
import { soldProduct } from '../../src/modules/catalog/index.ts';
import { eraseLabels } from '../../src/modules/subscription/index.ts';
import { periodLines } from '../../src/modules/subscription/period-lines.ts';

type Customer = Awaited<ReturnType<TestShop['customer']>>;
let shop: TestShop;
let company: Customer;
let other: Customer;
beforeAll(async () => {
  shop = await startTestShop();
  [company, other] = [await shop.customer('company'), await shop.customer('other')];
});
afterAll(() => shop?.stop());

const run = async (text: string, values: readonly unknown[]) =>
  (await shop.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, [...values]))).rows;
const rename = (label: string | null, customer = company) =>
  customer.client.subscription.renameSubscription({ body: { id: company.subscriptionId, label } });
const list = async (body: object = {}) => (await company.client.subscription.mySubscription({ body })).data!;
const bills = async (body: object = {}) => (await company.client.billing.listMyBilling({ body })).data!;

/**
 * Number of a customer's statements that this process sends while `work` runs. Text overrides are left out: they are cached
 * for a second.
 */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const { query } = pg.Client.prototype;
  let count = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...given: Parameters<typeof query>) {
    if (this.user === 'fixpoint_customer' && !JSON.stringify(given[0]).includes('text_override')) count += 1;
    return query.apply(this, given);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return count;
}

const download = async (year: number, format: 'zip' | 'csv') => {
  const { ticket, missing } = (await company.client.billing.exportInvoices({ body: { year, format } })).data!;
  const url = `${shop.url}${EXPORT_PATH}?${new URLSearchParams({ ticket })}`;
  return { missing, url, answer: await fetch(url) };
};

test('UX22 a label is kept trimmed, by its owner alone, and leaves with null', async () => {
  expect((await rename('  Office router  ')).data).toEqual({ label: 'Office router' });
  expect((await list()).items[0]).toMatchObject({ label: 'Office router' });
  expect(await rename('Mine', other)).toMatchObject({ code: '6006' });
  for (const refused of ['x'.repeat(61), 'two\nlines', '4242 4242 4242 4242'])
    expect((await rename(refused)).code, refused).toBe('7004');
  expect((await rename('   ')).data).toEqual({ label: null });
  expect((await list()).items[0]).not.toHaveProperty('label');
  await rename('Office router');
});

test('UX23 lists search by label, address and place, and cost no statement more for 200 subscriptions and 1,000 invoices', async () => {
  const read = {
    subscriptions: () => list({ search: 'office', sort: 'name' }),
    invoices: () => bills({ search: 'office' }),
    one: () => company.client.subscription.getSubscription({ query: { id: company.subscriptionId } }),
  };
  const count = async () => {
    const counts: Record<string, number> = {};
    for (const [name, work] of Object.entries(read)) counts[name] = await statementsOf(work);
    return counts;
  };
  const before = await count();
  expect(before.subscriptions).toBeGreaterThan(0);
  await givenLargeAccount(run, { subscriptionId: company.subscriptionId, count: 200, invoicesEach: 5 });
  expect(await count()).toEqual(before);

  const named = await list({ search: 'OFFICE 17' });
  expect(named).toMatchObject({ total: 10, owned: 200 });
  expect(named.items.every(({ label }) => label?.startsWith('Office 17'))).toBe(true);
  const [one] = named.items;
  expect((await list({ search: one!.address })).items.map(({ id }) => id)).toEqual([one!.id]);
  expect(await list({ search: 'bangkok', page: 10 })).toMatchObject({ total: 200 });
  // A percent sign is no pattern.
  expect(await list({ search: '%' })).toEqual({ items: [], total: 0, owned: 200 });
  const byName = await list({ sort: 'name' });
  expect(byName.items.map(({ label }) => label).slice(0, 2)).toEqual(['Office 002', 'Office 003']);
  const thai = await company.client.subscription.mySubscription(
    { body: { search: 'กรุงเทพ' } },
    { 'accept-language': 'th-TH' },
  );
  expect(thai.data!.total).toBe(200);
});

test('UX25 invoices name their subscription, are found by it, and are listed by number within a day', async () => {
  const all = await bills({ size: 100 });
  expect(all.total).toBe(1000);
  const numbers = all.items.map(({ number }) => number);
  expect(numbers).toEqual([...numbers].sort().reverse());
  const found = await bills({ search: 'Office 117' });
  expect(found.total).toBe(5);
  expect(found.items[0]).toMatchObject({ subscription: { label: 'Office 117', address: '198.18.0.117' } });
  const { years } = (await company.client.billing.billedYears()).data!;
  expect(years.reduce((sum, { invoices }) => sum + invoices, 0)).toBe(1000);
  for (const { year, invoices } of years) expect((await bills({ year })).total).toBe(invoices);
});

test('UX25 a year leaves as one ZIP that names what it lacks, and as a table without formulas', async () => {
  await rename('=1+1');
  const { years } = (await company.client.billing.billedYears()).data!;
  const { year, invoices } = years[0]!;
  const zip = await download(year, 'zip');
  expect(zip.answer.headers.get('content-disposition')).toBe(`attachment; filename="${year}.zip"`);
  const content = Buffer.from(await zip.answer.arrayBuffer());
  const names = entriesOf(content);
  // Only the first invoice was really bought; nobody has generated documents of its copies.
  expect(names.filter(name => name.endsWith('.pdf')).length + zip.missing.length).toBe(invoices);
  expect(names).toContain('missing.txt');
  for (const number of zip.missing.slice(0, 3)) expect(content.includes(number)).toBe(true);
  const csv = await (await download(year, 'csv')).answer.text();
  expect(csv.trim().split('\r\n')).toHaveLength(invoices + 1);
  expect(csv).toContain(",'=1+1,");
  expect(csv).toContain(',THB,185.98,13.02,199.00,');
});

test('a ticket opens one export, for a minute, and no other', async () => {
  const { url } = await download(2026, 'csv');
  for (const forged of [url.slice(0, -2), `${shop.url}${EXPORT_PATH}`, `${url}x`])
    expect((await fetch(forged)).status).toBe(400);
  expect((await other.client.billing.exportInvoices({ body: { year: 2001, format: 'zip' } })).code).toBe(
    '7004',
  );
});

test('UX22 an invoice keeps the name of its day, an email begins with it, and it goes with the account', async () => {
  const { client, subscriptionId, email } = company;
  await rename('Office router');
  const sold = { currency: 'THB', price: 199_00, vat_rate_bp: 700 };
  const linesOf = () =>
    asApplication(async () => {
      const { product_id } = await shop.db
        .selectFrom('subscription')
        .select('product_id')
        .where('id', '=', subscriptionId)
        .executeTakeFirstOrThrow();
      const product = await soldProduct(shop.db, product_id);
      return periodLines(shop.db, { ...sold, product }, 'en', subscriptionId);
    });
  const [line] = await linesOf();
  expect(line!.text).toMatchObject({
    label: 'Office router',
    address: expect.stringMatching(/^203\.0\.113\./),
  });

  await client.subscription.cancelSubscription({ body: { id: subscriptionId } });
  await emailTo(shop, email, /^Office router · /);

  const { id } = await shop.db
    .selectFrom('customer')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  await shop.db
    .updateTable('invoice_line')
    .set({ text: line!.text })
    .where('customer_id', '=', id)
    .where('position', '=', 1)
    .execute();
  await asApplication(() =>
    shop.db.transaction().execute(async tx => {
      await eraseLabels(tx, id);
      await eraseInvoices(tx, id);
    }),
  );
  const named = await shop.db
    .selectFrom('invoice_line')
    .select('text')
    .where('customer_id', '=', id)
    .where(sql<boolean>`text ?| array['label', 'address']`)
    .execute();
  expect(named).toEqual([]);
  expect((await list({ sort: 'name' })).items.filter(({ label }) => label)).toEqual([]);
});

/** Names in the directory of a ZIP archive, whose end says where it begins. */
function entriesOf(content: Buffer): string[] {
  const end = content.length - 22;
  const names: string[] = [];
  let at = content.readUInt32LE(end + 16);
  for (let n = 0; n < content.readUInt16LE(end + 10); n += 1) {
    const length = content.readUInt16LE(at + 28);
    names.push(content.subarray(at + 46, at + 46 + length).toString());
    at += 46 + length;
  }
  return names;
}
