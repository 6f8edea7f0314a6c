import { givenInvoices, seller } from '@fixpoint/testkit/given/invoices.ts';
import { afterEach, expect, test } from 'vitest';
import { otherNodes } from '../../src/database/nodes.ts';
import { asApplication } from '../../src/database/scope.ts';
import { runBackfills } from '../../src/jobs/backfill.ts';
import { sellerCountry } from '../../src/modules/billing/index.ts';

/** The rate of VAT and the number of a document, by the day in its seller's country. */
let invoices: Awaited<ReturnType<typeof givenInvoices>>;
afterEach(() => invoices?.hosts.stop());

/** Invoices of a seller in Germany at this instant, where VAT rises from 16 % to 19 % on the day of New Year. */
async function germanSales(at: string) {
  invoices = await givenInvoices({ ...seller, country: 'DE' });
  const { all, clock } = invoices.hosts;
  clock.advance(new Date(at).getTime() - clock.now().getTime());
  await all.insertInto('vat_rate').values({ country: 'DE', rate_bp: 1600 }).execute();
  const change = { country: 'DE', from_day: '2027-01-01', rate_bp: 1900 };
  await all.insertInto('vat_change').values(change).execute();
}

const rowOf = async (id: string) => {
  const { number, numbered_on, net, vat, total } = await invoices.invoiceRow(id);
  return { number, numbered_on, net, vat, total };
};

test('MO10 a payment on New Year’s Eve in Germany is of the old year, although Bangkok has the new one', async () => {
  await germanSales('2026-12-31T18:30:00Z');
  const bought = await invoices.paidInvoice();
  expect(await rowOf(bought)).toEqual({
    number: '2026-000001',
    numbered_on: '2026-12-31',
    net: 171_55,
    vat: 27_45,
    total: 199_00,
  });
  expect((await invoices.creditNote(bought, 10_00)).number).toBe('CN2026-000001');
  // The same evening, after midnight there.
  invoices.hosts.clock.advance(5 * 60 * 60_000);
  const note = await invoices.creditNote(bought, 20_00);
  expect(note.number).toBe('CN2027-000001');
  expect(
    await invoices.hosts.all
      .selectFrom('credit_note')
      .selectAll()
      .where('id', '=', note.id)
      .executeTakeFirst(),
  ).toMatchObject({ vat_rate_bp: 1600, numbered_on: '2027-01-01', vat: 2_76 });
});

test('MO7 an invoice that was drafted on another day has the rate of the day of its payment', async () => {
  await germanSales('2026-12-31T18:30:00Z');
  const [draft, { id: renewal }] = [await invoices.draftInvoice(), (await invoices.renewalInvoice())!];
  invoices.hosts.clock.advance(5 * 60 * 60_000);
  for (const [id, number] of [
    [draft!, '2027-000001'],
    [renewal, '2027-000002'],
  ] as const) {
    await invoices.pay(id);
    const after = { number, numbered_on: '2027-01-01', net: 167_23, vat: 31_77, total: 199_00 };
    expect(await rowOf(id)).toEqual(after);
    expect(
      await invoices.hosts.all
        .selectFrom('invoice_line')
        .select(['net', 'vat', 'vat_rate_bp', 'total'])
        .where('invoice_id', '=', id)
        .execute(),
    ).toEqual([{ net: 167_23, vat: 31_77, vat_rate_bp: 1900, total: 199_00 }]);
  }
});

test('an unpaid invoice of version 0.2 learns its seller’s country, a paid one stays as it is', async () => {
  await germanSales('2026-12-31T18:30:00Z');
  const { all, db } = invoices.hosts;
  const paid = await invoices.paidInvoice();
  const { id: open } = (await invoices.renewalInvoice())!;
  await all.updateTable('invoice').set({ seller }).execute();
  const backfills = [sellerCountry('DE')];
  await asApplication(() => runBackfills({ db, otherNodes, backfills }));
  expect((await invoices.invoiceRow(open)).seller).toEqual({ ...seller, country: 'DE' });
  expect((await invoices.invoiceRow(paid)).seller).toEqual(seller);
  await invoices.pay(open);
  expect(await rowOf(open)).toMatchObject({ numbered_on: '2026-12-31', vat: 27_45 });
});
