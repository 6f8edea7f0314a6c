import { bangkokDate, monthStart } from '@fixpoint/domain/kernel/bangkok.ts';
import { PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { PRICE } from '@fixpoint/testkit/given/invoices.ts';
import { CARD, givenPayments } from '@fixpoint/testkit/given/payments.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { personal } from '../../src/compose/personal.ts';
import { eraseCustomer } from '../../src/modules/account/erase-accounts.ts';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { paymentTasks } from '../../src/modules/payment/index.ts';
import { confirmedCommand } from '../helpers/shop-command.ts';
import { taskNamed } from '../helpers/task-named.ts';

/** Invoices of a deleted account, and their deletion. */
const REASON = 'Moved to Lampang';
let shop: TestShop;
let gone: Awaited<ReturnType<TestShop['customer']>>;
let stays: Awaited<ReturnType<TestShop['customer']>>;
beforeAll(async () => {
  shop = await startTestShop();
  // All of this happens in one calendar year, whenever the test runs.
  const { month, day } = bangkokDate(shop.clock.now());
  if (month === 12 && day > 15) shop.clock.advance(17 * 24 * 3_600_000);
  [gone, stays] = [await shop.customer('gone'), await shop.customer('stays')];
});
afterAll(() => shop?.stop());

/** Refunds a part out of band, and lets the rest of the subscription's time pass. */
async function refundAndEnd({ client, subscriptionId }: typeof gone) {
  const [invoice] = (await client.billing.myBilling({ query: {} })).data!.items;
  const refund = ['refund', invoice!.number, '--amount', '10.00', '--reason', REASON];
  expect((await confirmedCommand(shop, ...refund)).code).toBe(0);
  await shop.sweep();
  await shop.db
    .updateTable('subscription')
    .set({ cancel_at_period_end: true })
    .where('id', '=', subscriptionId)
    .execute();
  return invoice!.id;
}

const documentsOf = (invoiceId: string) =>
  shop.db.selectFrom('document').select(['kind', 'pdf']).where('invoice_id', '=', invoiceId).execute();
const amounts = async () =>
  (
    await sql<Record<string, unknown>>`
      select account, currency, sum(amount)::text as amount, count(*)::int as entries from ledger_entry
      where created_at < ${new Date(soldUntil)} group by 1, 2 order by 1, 2`.execute(shop.db)
  ).rows;
let soldUntil = 0;

/** Places that mention the person or the provider's name of the payment. */
async function placesOf(words: readonly string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(shop.db);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`.execute(
      shop.db,
    );
    for (const word of words)
      if (rows.some(({ text }) => text.includes(word))) found.push(`${name}: ${word}`);
  }
  return found;
}

test('S83 after the legal period documents and names are deleted, numbers and amounts stay, and the books balance', async () => {
  const [invoice, other] = [await refundAndEnd(gone), await refundAndEnd(stays)];
  await until(
    async () => (await documentsOf(invoice)).length === 2 && (await documentsOf(other)).length === 2,
    'documents',
  );
  const attempt = await shop.db
    .selectFrom('attempt')
    .selectAll()
    .where('invoice_id', '=', invoice)
    .executeTakeFirstOrThrow();
  const { provider_ref: payer } = await shop.db
    .selectFrom('gateway_customer')
    .select('provider_ref')
    .where('id', '=', attempt.gateway_customer_id!)
    .executeTakeFirstOrThrow();
  const { provider_ref: refund } = await shop.db
    .selectFrom('refund')
    .select('provider_ref')
    .where('attempt_id', '=', attempt.id)
    .executeTakeFirstOrThrow();
  const reference = (
    await shop.db
      .selectFrom('invoice')
      .select('reference')
      .where('id', '=', invoice)
      .executeTakeFirstOrThrow()
  ).reference;
  const names = [
    gone.email,
    attempt.provider_ref!,
    attempt.charge_ref ?? attempt.provider_ref!,
    payer!,
    refund!,
    reference,
  ];

  expect(
    (await gone.client.auth.deleteAccount({ body: { action: 'delete', currentPassword: PASSWORD } })).code,
  ).toBe('0000');
  await eraseCustomer(shop.db, personal, attempt.customer_id!);
  const kept = await shop.db
    .selectFrom('invoice')
    .selectAll()
    .where('id', '=', invoice)
    .executeTakeFirstOrThrow();
  expect(kept).toMatchObject({ buyer: {}, buyer_is: 'pseudonym' });
  // Late data of the provider, such as the fee, has arrived.
  for (const days of [1, 8]) {
    shop.clock.advance(days * 24 * 3_600_000);
    await shop.sweep();
  }
  soldUntil = shop.clock.now().getTime() + 1;
  const booked = await amounts();

  // Five full years after the year of the last event; until their last day everything is there.
  const end = monthStart(bangkokDate(shop.clock.now()).year + 6, 1).getTime();
  shop.clock.advance(end - shop.clock.now().getTime() - 1);
  await shop.sweep();
  expect(await documentsOf(invoice)).toHaveLength(2);
  expect(await placesOf([reference])).not.toEqual([]);

  shop.clock.advance(1);
  await shop.sweep();
  expect((await documentsOf(invoice)).length).toBe(0);
  expect(await placesOf(names)).toEqual([]);
  expect(
    await shop.db
      .selectFrom('credit_note')
      .select(['reason', 'total'])
      .where('invoice_id', '=', invoice)
      .execute(),
  ).toEqual([{ reason: '', total: 1000 }]);
  const {
    buyer_is: of,
    number,
    total,
    net,
    vat,
    paid_at: paidAt,
  } = await shop.db.selectFrom('invoice').selectAll().where('id', '=', invoice).executeTakeFirstOrThrow();
  expect({ number, total, net, vat, paidAt }).toEqual({
    number: kept.number,
    total: kept.total,
    net: kept.net,
    vat: kept.vat,
    paidAt: kept.paid_at,
  });
  expect(of).toBe('nobody');
  expect(await amounts()).toEqual(booked);
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);

  // Nothing is generated again, and existing customers keep their documents.
  await shop.db
    .updateTable('invoice')
    .set({ documents_due_at: shop.clock.now() })
    .where('id', '=', invoice)
    .execute();
  await shop.sweep();
  expect(await documentsOf(invoice)).toHaveLength(0);
  expect(await documentsOf(other)).toHaveLength(2);
  expect(await placesOf([stays.email])).toContain(`invoice: ${stays.email}`);
});

test("S83 the provider's names of a payment are deleted with its invoice, and its gateway customer with the last one", async () => {
  const payments = await givenPayments();
  const { hosts, draftInvoice: draft, renewalInvoice: renew } = payments.invoices;
  try {
    const [first, last] = [await draft(), (await renew())!.id];
    Object.assign(payments.card.gateway, { createGatewayCustomer: async () => 'cus_1' });
    Object.assign(payments.card.answers, {
      state: 'succeeded',
      received: PRICE + 1_00,
      chargeRef: 'ch_1',
      fee: 1_00,
    });
    for (const [n, id] of [first, last].entries()) {
      Object.assign(payments.card.answers, { ref: `pi_${n}`, method: CARD });
      await payments.openPayment(id);
    }
    const attempts = await payments.attempts();
    const { id: attempt_id } = attempts.find(({ invoice_id }) => invoice_id === first)!;
    const at = payments.invoices.now();
    const receipt = {
      attempt_id,
      customer_id: payments.invoices.owner.customerId,
      currency: 'THB',
      amount: 0,
    };
    await hosts.all
      .insertInto('receipt')
      .values({ ...receipt, provider_ref: 'tx_2', received_at: new Date(at.getTime() + 1) })
      .execute();
    await hosts.all.updateTable('refund').set({ ask_at: null, provider_ref: sql`'re_' || id` }).execute();
    const dispute = { id: 'dsp_1', attempt_id, provider_ref: 'du_1', currency: 'THB', amount: PRICE };
    const won = { status: 'won' as const, withdrawn: 0, fee: 0, reason: 'x', created_at: at, updated_at: at };
    await hosts.all
      .insertInto('dispute')
      .values({ ...dispute, ...won })
      .execute();
    await hosts.all
      .insertInto('out_of_band_refund')
      .values({
        id: 'hpb_1',
        invoice_id: first,
        currency: 'THB',
        amount: 1_00,
        reason: REASON,
        created_at: at,
      })
      .execute();
    const event = { provider: 'stripe', type: 'x', about: 'payment' as const, moved: true, received_at: at };
    await hosts.all
      .insertInto('provider_event')
      .values([
        { ...event, event_id: 'evt_1', object_ref: 'pi_0', processed_at: at },
        { ...event, event_id: 'evt_2', object_ref: 'pi_0' },
      ])
      .execute();
    await hosts.all.updateTable('invoice').set({ buyer: {}, buyer_is: 'pseudonym' }).execute();
    const years = 366 * 24 * 3_600_000;
    const later = new Date(at.getTime() + years);
    await hosts.all.updateTable('invoice').set({ paid_at: later }).where('id', '=', last).execute();
    const { run } = taskNamed(paymentTasks, 'endKeeping', { ...hosts, retentionYears: 5 });
    const pass = async (count: number) => {
      hosts.clock.advance(count * years);
      await payments.run(() => run());
    };
    /** Names of payments, refunds, transfers, disputes and gateway customers at their provider. */
    const providerNames = async () => {
      const tables = ['attempt', 'refund', 'receipt', 'dispute', 'gateway_customer'] as const;
      const names = tables.map(async table => {
        const rows = hosts.all.selectFrom(table).select('provider_ref').orderBy('provider_ref');
        return (await rows.execute()).map(
          ({ provider_ref }) => provider_ref?.replace(/^re_.*/, 're') ?? null,
        );
      });
      return Promise.all(names);
    };
    const all = [['pi_0', 'pi_1'], ['re', 're'], ['ch_1', 'ch_1', 'tx_2'], ['du_1'], ['cus_1']];
    await pass(1);
    expect(await providerNames()).toEqual(all);
    await pass(5);
    const left = [['pi_1', null], ['re', null], ['ch_1', 'ended-1', 'ended-2'], ['dsp_1'], ['cus_1']];
    expect(await providerNames()).toEqual(left);
    const [ended] = await hosts.all.selectFrom('attempt').selectAll().where('id', '=', attempt_id).execute();
    expect(ended).toMatchObject({
      charge_ref: null,
      paid_with: null,
      counted_for: [],
      received: PRICE + 1_00,
    });
    const why = await hosts.all.selectFrom('out_of_band_refund').select('reason').execute();
    expect(why).toEqual([{ reason: '' }]);
    const events = await hosts.all.selectFrom('provider_event').select('event_id').execute();
    expect(events).toEqual([{ event_id: 'evt_2' }]);
    await pass(1);
    const none = [null, null];
    expect(await providerNames()).toEqual([none, none, ['ended-1', 'ended-1', 'ended-2'], ['dsp_1'], [null]]);
  } finally {
    await hosts.stop();
  }
});
