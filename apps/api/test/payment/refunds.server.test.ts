import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beginOrder, cardPaymentOf, confirmCard, emailTo, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { shopCommand } from '../helpers/shop-command.ts';

/** Refunds, each as customers, staff and gateways see it. */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const PRICE = 199_00;
const REFUNDS = { path: 'POST /v1/refunds' };
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterEach(async () => {
  await shop.sandbox.calm();
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});
afterAll(() => shop?.stop());

async function newOrder(name: string) {
  const { consent, metadata } = await beginOrder(shop.client);
  const email = `${name}@example.com`;
  const body = { ...consent, email, language: 'en' as const };
  const newIntent = async () => cardPaymentOf((await shop.client.order.purchase({ body })).data);
  return { metadata, email, newIntent };
}
const fulfilled = (metadata: string) =>
  until(async () => {
    const { data } = await shop.client.order.confirmPurchase({ body: { metadata } });
    return data?.status === 'fulfilled';
  }, 'the order');
const minuteLater = async (ms = MINUTE_MS) => {
  shop.clock.advance(ms);
  await shop.sweep();
};

/** Pays an order twice, the second time with `card`, as if the shop had given up a payment that arrived all the same. */
async function paidTwice(name: string, card = 'pm_card_visa') {
  const { metadata, email, newIntent } = await newOrder(name);
  const first = await newIntent();
  await shop.db.updateTable('attempt').set({ status: 'closed' }).where('status', '=', 'open').execute();
  await confirmCard(shop, await newIntent());
  await fulfilled(metadata);
  // The later payment is the surplus: its card decides the outcome of its refund.
  await confirmCard(shop, first, card);
  const id = await until(async () => {
    const refund = await shop.db
      .selectFrom('refund')
      .innerJoin('attempt', 'attempt.id', 'refund.attempt_id')
      .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
      .innerJoin('shop_order', 'shop_order.id', 'invoice.order_id')
      .select('refund.id')
      .where('shop_order.email', '=', email)
      .executeTakeFirst();
    return refund?.id;
  }, 'a refund');
  return { id, email };
}
const refundIs = (id: string, status: string) =>
  until(async () => {
    const row = await shop.db.selectFrom('refund').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return row.status === status && row;
  }, `a refund that is ${status}`);
const account = async (name: string) => {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(amount), 0)::int as sum from ledger_entry where account = ${name}`.execute(shop.db);
  return rows[0]!.sum;
};
/** The balance in the books and at the provider; both know the fees after a minute. */
async function balances() {
  await minuteLater();
  return { ours: await account('provider'), theirs: (await shop.sandbox.ledger()).balances.thb!.net };
}
const alerts = (kind: string) =>
  shop.db.selectFrom('open_alert').select(['subject', 'what']).where('kind', '=', kind).execute();
const atProvider = async (id: string) =>
  (await shop.sandbox.ledger()).refunds.filter(({ metadata }) => metadata.refund_id === id);

describe('FM3 a refund is booked', () => {
  // Regression: `refundsDue` stayed forever and cash was wrong by it; and no email was sent.
  test('S44 once, and announced once; nothing is due afterwards, and the balance is the provider’s', async () => {
    const { id, email } = await paidTwice('twice');
    await refundIs(id, 'succeeded');
    expect(await account('refundsDue')).toBe(0);
    const { ours, theirs } = await balances();
    expect(ours).toBe(theirs);
    expect(ours).toBeGreaterThan(0);
    const message = await emailTo(shop, email, /refund/i);
    expect(message.Text.replaceAll('\u00a0', ' ')).toContain('THB 199.00');
    for (let day = 0; day < 3; day += 1) await minuteLater(DAY_MS);
    const search = `${shop.sandboxUrl}/mail/api/v1/search?query=${encodeURIComponent(`to:${email}`)}`;
    const { messages } = (await (await fetch(search)).json()) as { messages: { Subject: string }[] };
    expect(messages.filter(({ Subject }) => Subject === message.Subject)).toHaveLength(1);
    expect(await atProvider(id)).toHaveLength(1);
  });
});

describe('FM2 FC5 a refund is followed to its end', () => {
  // Regression: the error 500 was repeated for the only key, and the job gave up after a day.
  test('past a fault that the provider repeats for its key', async () => {
    await shop.sandbox.fault(REFUNDS, '500');
    const { id } = await paidTwice('faulty');
    await minuteLater();
    expect(await refundIs(id, 'created')).toMatchObject({ tries: 1 });
    expect(await account('refundsDue')).toBe(-PRICE);
    shop.clock.advance(HOUR_MS);
    await refundIs(id, 'succeeded');
    expect(await atProvider(id)).toHaveLength(1);
    expect(await account('refundsDue')).toBe(0);
  });

  test('when the provider has created it and the answer is lost or an error: there is one', async () => {
    for (const fault of ['commitThenDropConnection', '500AfterCommit']) {
      await shop.sandbox.fault(REFUNDS, fault, 2);
      const { id } = await paidTwice(`lost-${fault.toLowerCase()}`);
      shop.clock.advance(2 * HOUR_MS);
      await refundIs(id, 'succeeded');
      expect(await atProvider(id)).toHaveLength(1);
      await shop.sandbox.calm();
    }
    const { ours, theirs } = await balances();
    expect(ours).toBe(theirs);
  });

  // Regression: "pending" was stored once and never polled again.
  test('from pending to succeeded, also without an event', async () => {
    await shop.sandbox.fault({ event: 'refund.*' }, 'drop', 100);
    await shop.sandbox.fault({ event: 'charge.*' }, 'drop', 100);
    const { id } = await paidTwice('pending', 'pm_card_pendingRefund');
    await refundIs(id, 'pending');
    expect(await account('refundsDue')).toBe(-PRICE);
    await minuteLater(2 * MINUTE_MS);
    await refundIs(id, 'succeeded');
    expect(await account('refundsDue')).toBe(0);
    expect(await alerts('refund.unknown')).toEqual([]);
  });

  // Regression: the shop said succeeded although the bank had returned the money (card 5126).
  test.each([
    ['with news of it', 1],
    ['also when nobody brings news', 100],
  ])('from succeeded to failed: the money is due again and an alert is raised, %s', async (_, drops) => {
    if (drops > 1) {
      await shop.sandbox.fault({ event: 'refund.*' }, 'drop', drops);
      await shop.sandbox.fault({ event: 'charge.*' }, 'drop', drops);
    }
    const due = await account('refundsDue');
    const { id, email } = await paidTwice(`bounced-${drops}`, 'pm_card_refundFail');
    await refundIs(id, 'succeeded');
    expect(await account('refundsDue')).toBe(due);
    await minuteLater(2 * MINUTE_MS);
    await refundIs(id, 'failed');
    expect(await account('refundsDue')).toBe(due - PRICE);
    expect(await alerts('refund.failed')).toContainEqual({
      subject: id,
      what: { currency: 'THB', amount: PRICE, reason: 'expired_or_canceled_card' },
    });
    await emailTo(shop, email, /refund of THB.199.00 didn’t arrive/);
    const { ours, theirs } = await balances();
    expect(ours).toBe(theirs);
  });

  test('with an alert after a day without a final state, until it has one', async () => {
    await shop.sandbox.fault(REFUNDS, 'drop', 1000);
    const { id } = await paidTwice('unfinished');
    await minuteLater(DAY_MS + MINUTE_MS);
    await until(async () => (await alerts('refund.unfinished')).length === 1, 'the row');
    await shop.sandbox.calm();
    await refundIs(id, 'succeeded');
    expect(await alerts('refund.unfinished')).toEqual([]);
  });
});

// Regression: all of this was only logged. No test covered a differing amount.
describe('FM9 a difference raises an alert', () => {
  test('FC16 for a payment of another amount than requested, which pays nothing', async () => {
    const { metadata, newIntent } = await newOrder('differs');
    const intent = await newIntent();
    await shop.stripe.paymentIntents.update(intent, { amount: 100_00 });
    await confirmCard(shop, intent);
    const { data } = await shop.client.order.confirmPurchase({ body: { metadata } });
    expect(data!.status).toBe('awaitingPayment');
    expect(await alerts('attempt.differs')).toMatchObject([{ what: { currency: 'THB', amount: 100_00 } }]);
  });

  // The credit for the rest may have been released meanwhile.
  test('for a card that pays less than its invoice needs by now: it pays nothing, and is refunded', async () => {
    const { metadata, email, newIntent } = await newOrder('short');
    const intent = await newIntent();
    await shop.db.updateTable('attempt').set({ amount: 100_00 }).where('provider_ref', '=', intent).execute();
    await shop.stripe.paymentIntents.update(intent, { amount: 100_00 });
    await confirmCard(shop, intent);
    const { data } = await shop.client.order.confirmPurchase({ body: { metadata } });
    expect(data!.status).toBe('awaitingPayment');
    const { id } = await shop.db
      .selectFrom('attempt')
      .select('id')
      .where('provider_ref', '=', intent)
      .executeTakeFirstOrThrow();
    expect(await alerts('attempt.short')).toEqual([
      { subject: id, what: { currency: 'THB', received: 100_00, due: PRICE } },
    ]);
    await emailTo(shop, email, /refund/i);
    await until(async () => {
      const { amount } = (await shop.sandbox.ledger()).refunds.at(-1) ?? {};
      return amount === 100_00;
    }, 'the money that goes back');
  });

  test('for a payment, a refund and a dispute that are not ours', async () => {
    const stray = await shop.stripe.paymentIntents.create({
      amount: 5_000,
      currency: 'thb',
      confirm: true,
      payment_method: 'pm_card_visa',
      allowed_payment_method_types: ['card'],
    });
    const refund = await shop.stripe.refunds.create({ payment_intent: stray.id });
    const dispute = await shop.sandbox.control('disputes/open', { payment_intent: stray.id });
    await shop.sweep();
    // Its own answer may be slower than the event about it.
    expect(await alerts('payment.unknown')).toEqual([]);
    await minuteLater(6 * MINUTE_MS);
    expect(await alerts('payment.unknown')).toMatchObject([{ subject: stray.id }]);
    expect(await alerts('refund.unknown')).toMatchObject([{ subject: refund.id }]);
    expect(await alerts('dispute.unknown')).toMatchObject([{ subject: dispute.id }]);
  });

  test.each([
    ['won', 'gives the money back and keeps the fee', 0],
    ['lost', 'takes it from revenue and VAT, and is told', 1],
  ] as const)('FS9 S44 M17 a dispute that is %s %s', async (outcome, _, lost) => {
    // Foreign money stays as it is.
    const strays = await balances();
    const { metadata, newIntent } = await newOrder(`disputed-${outcome}`);
    await confirmCard(shop, await newIntent(), 'pm_card_createDispute');
    await fulfilled(metadata);
    const [{ subject }] = await until(async () => {
      await minuteLater(MINUTE_MS);
      const rows = await alerts('dispute');
      return rows.length === 1 && (rows as [(typeof rows)[number]]);
    }, 'the row');
    expect((await shop.sandbox.ledger()).disputes.map(({ dispute }) => dispute)).toContain(subject);
    expect(await account('disputed')).toBe(PRICE);
    const file = join(await mkdtemp(join(tmpdir(), 'fixpoint-evidence-')), 'evidence.txt');
    expect(await shopCommand(shop, 'dispute', 'evidence', subject, file)).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toMatch(
      new RegExp(
        `by disputed-${outcome}@example.com[^]*terms of service accepted[^]*available since \\d{4}-`,
      ),
    );
    await rm(dirname(file), { recursive: true });
    const earned = (await account('revenue')) + (await account('vat'));
    await shop.sandbox.control('disputes/close', { dispute: subject, outcome });
    await until(async () => (await alerts('dispute')).length === 0, 'the row to go');
    expect(await account('disputed')).toBe(0);
    expect((await account('revenue')) + (await account('vat'))).toBe(earned + lost * PRICE);
    expect(await alerts('dispute.lost')).toHaveLength(lost);
    const { ours, theirs } = await balances();
    expect(ours - strays.ours).toBe(theirs - strays.theirs);
    expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
    // Service continues: staff decide what happens.
    const { data } = await shop.client.order.purchaseData({ body: { metadata } });
    expect(data?.subscription?.status).toBe('active');
  });
});

describe('B20 staff refunds', () => {
  const give = (...args: string[]) => shopCommand(shop, 'refund', ...args);
  const codeIn = (says: string) => /--confirm (\w+)/.exec(says)![1]!;
  const invoiceOf = async (client: TestShop['client']) => (await client.billing.myBilling()).data!.items[0]!;
  const atStripe = async () => (await shop.sandbox.ledger()).refunds.length;

  // X38: pressed twice is one refund.
  test('X17 X18 a part, after a preview; pressed twice it is one; the rest later, and then no more', async () => {
    const { client, email } = await shop.customer('unhappy');
    const { id, number } = await invoiceOf(client);
    const before = await atStripe();
    const part = [number, '--amount', '50', '--reason', 'Host was down'];
    const shown = await give(...part);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('THB 50.00') });
    expect((await client.billing.getBilling({ params: { id } })).data!.creditNotes).toEqual([]);

    const confirmed = [...part, '--confirm', codeIn(shown.stdout)];
    const twice = await Promise.all([give(...confirmed), give(...confirmed)]);
    expect(twice).toEqual([twice[1], twice[1]]);
    expect(await give(...confirmed)).toEqual(twice[0]);
    expect(twice[0]).toMatchObject({ code: 0, stdout: expect.stringContaining('credit note') });
    await shop.sweep();
    const { data } = await client.billing.getBilling({ params: { id } });
    expect(data!.creditNotes).toMatchObject([
      { reason: 'Host was down', total: { currency: 'THB', price: 50_00, vat: 3_27, net: 46_73 } },
    ]);
    expect(await atStripe()).toBe(before + 1);
    const message = await emailTo(shop, email, /credit note/);
    expect(message.Text.replaceAll('\u00a0', ' ')).toContain('THB 50.00');
    expect(message.Text).toContain(number);
    expect(data!.documents.map(({ kind }) => kind)).toEqual(['receipt', 'creditNote']);

    for (const amount of ['150', '1.234']) {
      expect((await give(number, '--amount', amount, '--reason', 'x')).code).not.toBe(0);
    }
    const rest = [number, '--reason', 'All of it'];
    expect((await give(...rest, '--confirm', codeIn((await give(...rest)).stdout))).code).toBe(0);
    await shop.sweep();
    const notes = (await client.billing.getBilling({ params: { id } })).data!.creditNotes;
    const sum = (part: 'price' | 'net' | 'vat') => notes.reduce((all, { total }) => all + total[part], 0);
    const { total } = data!;
    expect([sum('price'), sum('net'), sum('vat')]).toEqual([total.price, total.net, total.vat]);
    expect((await give(...rest)).stderr).toContain('was refunded');
    expect(await account('refundsDue')).toBe(await stillDue());
  });

  test('M11 a part as credit of the customer, with a credit note: no money moves, and their next order uses it', async () => {
    const { client, email } = await shop.customer('soothed');
    const { id, number } = await invoiceOf(client);
    const before = await atStripe();
    const part = [number, '--amount', '50', '--reason', 'Sorry', '--credit'];
    const shown = await give(...part);
    expect(shown.stdout).toContain('as credit of the customer');
    expect((await client.payment.getCard()).data!.credit).toEqual([]);
    const confirmed = [...part, '--confirm', codeIn(shown.stdout)];
    // The code is valid for this kind of refund alone: it refunds no money.
    const asMoney = confirmed.filter(word => word !== '--credit');
    expect((await give(...asMoney)).code).toBe(1);
    expect((await give(...confirmed)).code).toBe(0);
    expect((await give(...confirmed)).code).toBe(0);
    await shop.sweep();
    expect((await client.payment.getCard()).data!.credit).toMatchObject([{ currency: 'THB', amount: 50_00 }]);
    const { data } = await client.billing.getBilling({ params: { id } });
    expect(data!.creditNotes).toMatchObject([{ reason: 'Sorry', total: { currency: 'THB', price: 50_00 } }]);
    const message = await emailTo(shop, email, /credit note/i);
    expect(message.Text).toContain('is used first for your next payment');
    expect(await atStripe()).toBe(before);
    expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
  });

  test('FM9 at the provider itself, which is booked with a credit note once staff confirms it', async () => {
    const { id, number } = await invoiceOf((await shop.customer('by-page')).client);
    const { number: other } = await invoiceOf((await shop.customer('besides')).client);
    const strays = await balances();
    const { provider_ref } = await shop.db
      .selectFrom('attempt')
      .select('provider_ref')
      .where('invoice_id', '=', id)
      .executeTakeFirstOrThrow();
    const { id: ref } = await shop.stripe.refunds.create({ payment_intent: provider_ref!, amount: 50_00 });
    const events = shop.db.selectFrom('provider_event').select('event_id').where('object_ref', '=', ref);
    await until(() => events.executeTakeFirst(), 'its notice');
    await minuteLater(6 * MINUTE_MS);
    const unknown = async () => (await alerts('refund.unknown')).map(({ subject }) => subject);
    expect(await unknown()).toContain(ref);
    const book = (of: string, amount: string, ...more: string[]) =>
      give(of, '--made', ref, '--amount', amount, '--reason', 'By telephone', ...more);
    for (const [said, why] of [
      [await book(number, '50.01'), `${ref} is of THB 50.00 there`],
      [await book(other, '50'), 'refunds another payment'],
      [await give(number, '--made', 're_none', '--amount', '50', '--reason', 'x'), 'knows a refund re_none'],
      [await give(number, '--made', ref, '--reason', 'x'), '--amount is missing'],
    ] as const) {
      expect([said.code === 0, said.stderr]).toEqual([false, expect.stringContaining(why)]);
    }
    // Nor is it foreign.
    const foreign = await shopCommand(shop, 'payments', 'foreign', 'stripe', ref, '--reason', 'x');
    expect(foreign.stderr).toMatch(/refunds att_\w+ of this shop/);
    const shown = await book(number, '50');
    expect(shown.stdout).toContain(`${ref} at stripe refunds THB 50.00 of ${number}.`);
    // What has been refunded there is not offered to be refunded again.
    expect((await give(number, '--reason', 'x')).stderr).toContain(`book that first, with --made ${ref}`);
    const before = await atStripe();
    const confirm = ['--confirm', codeIn(shown.stdout)];
    const twice = await Promise.all([book(number, '50', ...confirm), book(number, '50', ...confirm)]);
    expect(twice.map(({ code }) => code)).toEqual([0, 0]);
    await shop.sweep();
    const booked = await shop.db
      .selectFrom('refund')
      .select(['id'])
      .where('provider_ref', '=', ref)
      .executeTakeFirstOrThrow();
    await refundIs(booked.id, 'succeeded');
    expect([await atStripe(), await unknown()]).toEqual([before, expect.not.arrayContaining([ref])]);
    const notes = shop.db.selectFrom('credit_note').select(['reason', 'total']).where('invoice_id', '=', id);
    expect(await notes.execute()).toEqual([{ reason: 'By telephone', total: 50_00 }]);
    expect((await book(number, '50')).stderr).toContain(`${ref} is the refund ${booked.id} of this shop`);
    const { ours, theirs } = await balances();
    expect([ours - strays.ours, theirs - strays.theirs]).toEqual([-50_00, -50_00]);
    // The provider does not know it as ours. Booked, it is in the way of no other refund.
    expect((await give(number, '--reason', 'x')).stdout).toContain('THB 149.00');
  });

  test('BG3 that Stripe refuses for good are promised to nobody, and paid by hand', async () => {
    const { client, email } = await shop.customer('too-late');
    const { number } = await invoiceOf(client);
    await shop.sandbox.control('refunds/window', { days: 1 });
    await minuteLater(2 * DAY_MS);
    const asked = [number, '--reason', 'Asked late'];
    await give(...asked, '--confirm', codeIn((await give(...asked)).stdout));
    await shop.sweep();
    await shop.sandbox.control('refunds/window', {});
    const [alert, ...others] = await alerts('refund.refused');
    expect([alert?.what.reason, others]).toEqual(['charge_not_refundable', []]);
    const note = await emailTo(shop, email, /Credit note/);
    expect(note.Text).toContain('another email about how the money gets to you');
    expect((await emailTo(shop, email, /didn’t arrive/)).Text).toContain('we still have it');
    const byHand = [alert!.subject, '--by-hand', '--reason', 'To their bank'];
    await give(...byHand, '--confirm', codeIn((await give(...byHand)).stdout));
    await shop.sweep();
    expect((await emailTo(shop, email, /Your refund of/)).Text).toContain('bank transfer');
    expect(await alerts('refund.refused')).toEqual([]);
  });

  test('FM2 money again that the bank has returned, for the same credit note', async () => {
    const { metadata, email, newIntent } = await newOrder('unlucky');
    await confirmCard(shop, await newIntent(), 'pm_card_refundFail');
    await fulfilled(metadata);
    const number = await until(async () => {
      const row = await shop.db
        .selectFrom('invoice')
        .innerJoin('shop_order', 'shop_order.id', 'invoice.order_id')
        .select('number')
        .where('shop_order.email', '=', email)
        .executeTakeFirst();
      return row?.number ?? undefined;
    }, 'the number');
    const all = [number, '--reason', 'Not wanted'];
    await give(...all, '--confirm', codeIn((await give(...all)).stdout));
    const note = await shop.db
      .selectFrom('credit_note')
      .innerJoin('refund', 'refund.credit_note_id', 'credit_note.id')
      .select(['credit_note.number', 'refund.id'])
      .where('refund.reason', '=', 'staff')
      .orderBy('refund.created_at', 'desc')
      .orderBy('credit_note.serial', 'desc')
      .executeTakeFirstOrThrow();
    await refundIs(note.id, 'succeeded');
    expect((await give(note.number, '--again')).code).toBe(1);
    await minuteLater(2 * MINUTE_MS);
    await refundIs(note.id, 'failed');
    // The alert names the command that sends it again.
    expect(await alerts('refund.failed')).toContainEqual({
      subject: note.id,
      what: { currency: 'THB', amount: PRICE, creditNote: note.number, reason: 'expired_or_canceled_card' },
    });
    await emailTo(shop, email, /refund of THB.199.00 didn’t arrive/);
    const planned = await give('again', note.number);
    expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing was changed.') });
    await refundIs(note.id, 'failed');
    const confirmed = ['again', note.number, '--confirm', codeIn(planned.stdout)];
    const done = { code: 0, stdout: `THB 199.00 of ${note.number} are sent again.\n` };
    for (const _ of ['now', 'pressed twice']) expect(await give(...confirmed)).toMatchObject(done);
    expect((await give('again', note.number)).code).toBe(1);
    expect(await alerts('refund.failed')).not.toContainEqual(expect.objectContaining({ subject: note.id }));
    await emailTo(shop, email, new RegExp(`your payment for invoice ${number}`));
  });
});

/** Amounts due in the ledger, by refunds that are not final. */
async function stillDue(): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select -coalesce(sum(amount), 0)::int as sum from refund where status <> 'succeeded'`.execute(shop.db);
  return rows[0]!.sum;
}
