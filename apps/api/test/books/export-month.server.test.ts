import { bangkokMonth } from '@fixpoint/domain/kernel/bangkok.ts';
import { beginOrder, cardPaymentOf, confirmCard, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/adapters/system-clock.ts';
import { exportMonth } from '../../src/modules/books/index.ts';
import { confirmedCommand } from '../helpers/shop-command.ts';

/** What a bookkeeper gets: every document with a number, and every movement of money in the month in which the ledger has it. */
const DAY_MS = 24 * 60 * 60_000;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

const monthNow = () => bangkokMonth(shop.clock.now());
async function nextMonth(): Promise<void> {
  const before = monthNow();
  while (monthNow() === before) shop.clock.advance(DAY_MS);
  await shop.sweep();
  // Commands have a clock of their own.
  const ahead_ms = shop.clock.now().getTime() - systemClock.now().getTime();
  await shop.db.updateTable('shop_clock').set({ ahead_ms }).execute();
}

/** The content of a stored file of a zip. */
function fileIn(zip: Buffer, name: string): string {
  const at = zip.indexOf(name) + Buffer.byteLength(name);
  return zip.subarray(at, at + zip.readUInt32LE(at - Buffer.byteLength(name) - 8)).toString();
}

async function exported(month: string) {
  const { content, rows } = await exportMonth(shop.db, shop.clock.now(), month);
  const zip = Buffer.concat(await Array.fromAsync(content));
  const table = (name: string) => {
    const [head = '', ...lines] = fileIn(zip, `${name}.csv`).trim().split('\r\n');
    const columns = head.split(',');
    return lines.map(line =>
      Object.fromEntries(line.split(',').map((value, index) => [columns[index]!, value])),
    );
  };
  const sum = (name: string, column: string) =>
    table(name).reduce((total, row) => total + Math.round(Number(row[column]) * 100), 0);
  return { zip, rows, table, sum };
}

/** What the ledger booked in a month. */
async function booked(month: string, account: string, txn = '%'): Promise<number> {
  const { rows } = await sql<{ sum: number }>`select coalesce(sum(amount), 0)::int as sum from ledger_entry
    where account = ${account} and txn like ${txn} and to_char(created_at at time zone 'Asia/Bangkok', 'YYYY-MM') = ${month}`.execute(
    shop.db,
  );
  return rows[0]!.sum;
}

test('the sums of each month are those of the ledger, with late payments, refunds, disputes and replaced documents', async () => {
  const sold = monthNow();
  const { client } = await shop.customer('wrong-name');
  const { number } = (await client.billing.myBilling()).data!.items[0]!;
  const company = { name: 'Siam Trading', country: 'DE', line1: 'Ring 1', city: 'Berlin', postcode: '10115' };
  expect((await client.billing.setCompany({ body: { company } })).code).toBe('0000');
  const replaced = await confirmedCommand(shop, 'invoice', 'replace', number!, '--reason', 'wrong name');
  const [replacement] = /RP\d{4}-\d+/.exec(replaced.stdout)!;

  // An order whose first payment the shop gives up, and which its buyer pays by the second.
  const { consent, metadata } = await beginOrder(shop.client);
  const pay = async () =>
    cardPaymentOf(
      (
        await shop.client.order.purchase({
          body: { ...consent, email: 'twice@example.com', language: 'en' },
        })
      ).data,
    );
  const late = await pay();
  await shop.db
    .updateTable('attempt')
    .set({ status: 'closed', ask_at: null })
    .where('status', '=', 'open')
    .execute();
  await confirmCard(shop, await pay());
  await until(async () => {
    const { data } = await shop.client.order.confirmPurchase({ body: { metadata } });
    return data?.status === 'fulfilled';
  }, 'the order');
  const disputed = await shop.customer('disputed');
  const { id } = (await disputed.client.billing.myBilling()).data!.items[0]!;
  const { provider_ref } = await shop.db
    .selectFrom('attempt')
    .select('provider_ref')
    .where('invoice_id', '=', id)
    .executeTakeFirstOrThrow();
  await nextMonth();

  // In the next month the first payment arrives all the same, and goes back; a bank takes another payment back.
  const after = monthNow();
  await confirmCard(shop, late);
  await until(
    async () => (await shop.db.selectFrom('refund').select('status').execute())[0]?.status === 'succeeded',
    'the refund of the late payment',
  );
  await confirmedCommand(shop, 'refund', number!, '--amount', '30', '--reason', 'Sorry');
  const dispute = (await shop.sandbox.control('disputes/open', { payment_intent: provider_ref })) as {
    id: string;
  };
  const disputeIs = (status: string) =>
    until(
      async () => (await shop.db.selectFrom('dispute').select('status').execute())[0]?.status === status,
      `a dispute that is ${status}`,
    );
  await disputeIs('open');
  await shop.sandbox.control('disputes/close', { dispute: dispute.id, outcome: 'won' });
  await disputeIs('won');
  await nextMonth();

  const [first, second] = [await exported(sold), await exported(after)];
  expect(first.table('replacements')).toMatchObject([
    { number: replacement, replaces: number, invoice: number, company: 'Siam Trading', total: '199.00' },
  ]);
  expect(first.zip.includes(`replacement/${replacement}.pdf`)).toBe(true);
  expect([first.rows, second.rows]).toMatchObject([
    { invoices: 3, payments: 3, refunds: 0, disputes: 0 },
    { refunds: 2, 'credit-notes': 1, disputes: 2, replacements: 0 },
  ]);
  expect(second.table('payments').map(({ day }) => day!.slice(0, 7))).toContain(after);
  for (const [month, { sum }] of [[sold, first] as const, [after, second] as const]) {
    const out = sum('refunds', 'amount') + sum('disputes', 'withheld') + sum('fees', 'fee');
    expect(sum('fees', 'fee')).toBe(await booked(month, 'fees'));
    expect(sum('payments', 'received') - out).toBe(await booked(month, 'provider'));
    // Income is below zero in the ledger.
    expect(sum('invoices', 'net') + (await booked(month, 'revenue', 'paid:%'))).toBe(0);
    expect(sum('invoices', 'vat') + (await booked(month, 'vat', 'paid:%'))).toBe(0);
    expect(sum('credit-notes', 'net')).toBe(await booked(month, 'revenue', 'credit-note:%'));
  }
});
