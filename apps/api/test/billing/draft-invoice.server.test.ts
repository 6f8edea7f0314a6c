import { type GivenInvoices, givenInvoices, line, seller } from '@fixpoint/testkit/given/invoices.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { draftInvoice } from '../../src/modules/billing/index.ts';

let invoices: GivenInvoices;
beforeEach(async () => {
  invoices = await givenInvoices();
});
afterEach(() => invoices?.hosts.stop());

test('a draft that is written again has the lines of the last time alone, as many as there are', async () => {
  const draft = (...totals: number[]) =>
    invoices.inTransaction(tx =>
      draftInvoice(
        tx,
        invoices.now(),
        { orderId: 'ord_1', subscriptionId: null, upgrades: false },
        {
          customerId: invoices.owner.customerId,
          currency: 'THB',
          lines: totals.map(total => ({ ...line, net: total, vat: 0, total })),
          seller,
          language: 'en',
          buyer: { email: 'c1@example.com' },
        },
      ),
    );
  const written = async () => {
    const rows = await invoices.hosts.all
      .selectFrom('invoice_line')
      .select(['position', 'total'])
      .orderBy('position')
      .execute();
    return rows.map(({ position, total }) => [position, total]);
  };
  const id = (await draft(100_00, 50_00))!;
  expect(await written()).toEqual([
    [1, 100_00],
    [2, 50_00],
  ]);
  expect(await draft(120_00)).toBe(id);
  expect([await written(), (await invoices.invoiceRow(id)).total]).toEqual([[[1, 120_00]], 120_00]);
  await draft(10_00, 20_00, 30_00);
  expect(await written()).toEqual([
    [1, 10_00],
    [2, 20_00],
    [3, 30_00],
  ]);
});
