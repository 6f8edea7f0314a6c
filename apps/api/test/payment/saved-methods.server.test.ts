import { PRICE } from '@fixpoint/testkit/given/invoices.ts';
import { CARD, type GivenPayments, givenPayments } from '@fixpoint/testkit/given/payments.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../src/kernel/caller.ts';
import { askAttempt, askInvoice } from '../../src/modules/payment/attempt/poll-attempt.ts';
import {
  claimGuestPayment,
  forgetAllMethods,
  paymentHandlers,
  paymentTasks,
} from '../../src/modules/payment/index.ts';
import { followMethod } from '../../src/modules/payment/saved-method/follow-method.ts';
import { forgetLater, forgetMethod } from '../../src/modules/payment/saved-method/forget-methods.ts';
import { forgetUnsaved } from '../../src/modules/payment/saved-method/save-from-payment.ts';
import { makeDefault, removeMethod } from '../../src/modules/payment/saved-method/saved-methods.ts';
import type { Card, CardCalls } from '../../src/ports/payment-gateway.ts';
import { taskNamed } from '../helpers/task-named.ts';

/** Saved methods of a customer, and what they see of them, on inserted rows. */
const DAY_MS = 24 * 60 * 60_000;
let payments: GivenPayments;
let customerId: string;
beforeEach(async () => {
  payments = await givenPayments();
  ({ customerId } = payments.invoices.owner);
});
afterEach(() => payments?.invoices.hosts.stop());

const all = () => payments.invoices.hosts.all;
const later = (ms: number) => payments.invoices.hosts.clock.advance(ms);
/** Saves cards a second apart, the last one as the default. */
async function saveCards(...ids: string[]): Promise<void> {
  for (const id of ids) {
    later(1000);
    await all().updateTable('saved_method').set({ is_default: false }).execute();
    await payments.saveCard(id);
  }
}
const kept = async () => {
  const rows = await all().selectFrom('saved_method').select(['id', 'is_default']).orderBy('id').execute();
  return rows.map(({ id, is_default }) => `${id}${is_default ? ' default' : ''}`);
};
const forgotten = () => payments.card.calls.filter(call => call.startsWith('forget'));
/** Methods that providers still have to remove. */
const toForget = () => all().selectFrom('method_to_forget').selectAll().orderBy('provider_ref').execute();
const subscription = (change: object) => all().updateTable('subscription').set(change).execute();

test('another method becomes the default, and a past-due amount is charged to it once', async () => {
  await saveCards('met_1', 'met_2');
  const choose = (id: string, by = customerId) => payments.run(() => makeDefault(payments.deps, by, id));
  const { customerId: stranger } = await payments.invoices.hosts.subscription();
  expect([await choose('met_none'), await choose('met_1', stranger)]).toEqual([false, false]);
  expect([await choose('met_2'), payments.renewalsCharged]).toEqual([true, []]);
  expect([await choose('met_1'), payments.renewalsCharged]).toEqual([true, [customerId]]);
  expect(await kept()).toEqual(['met_1 default', 'met_2']);
  Object.assign(payments.deps, { holdActive: async () => false });
  expect([await choose('met_2'), await kept()]).toEqual([false, ['met_1 default', 'met_2']]);
});

test('a removed method is removed at its provider; if it was the default, the latest one becomes it', async () => {
  await saveCards('met_1', 'met_2', 'met_3', 'met_4');
  const remove = (id: string, by = customerId) => payments.run(() => removeMethod(payments.deps, by, id));
  const { customerId: stranger } = await payments.invoices.hosts.subscription();
  expect([await remove('met_4', stranger), await remove('met_none'), forgotten()]).toEqual([
    false,
    false,
    [],
  ]);
  await payments.openPayment(await payments.invoices.draftInvoice(), 'card', { id: 'met_4' });
  expect(await remove('met_4')).toBe(true);
  expect([await kept(), forgotten()]).toEqual([['met_1', 'met_2', 'met_3 default'], ['forget pm_met_4']]);
  expect((await payments.attempt()).saved_method_id).toBeNull();
  // Removing another method leaves the default, whenever that was saved.
  await payments.run(() => makeDefault(payments.deps, customerId, 'met_1'));
  await remove('met_2');
  expect(await kept()).toEqual(['met_1 default', 'met_3']);
  for (const id of ['met_3', 'met_1']) await remove(id);
  expect(await kept()).toEqual([]);
});

test("O8 a guest's payment belongs to the account that it created, with its gateway customer where the account has none", async () => {
  /** @returns what becomes of the method that paid */
  async function give(invoice: string, to: string, keepsGatewayCustomer: boolean) {
    payments.jobs.splice(0);
    await payments.invoices.inTransaction(tx =>
      claimGuestPayment(payments.deps, tx, invoice, to, keepsGatewayCustomer),
    );
    return payments.jobs.splice(0);
  }
  const saved = (attemptId: string, by: string) => [
    { name: 'saveMethod', data: { attemptId, customerId: by } },
  ];
  const uncredited_ = (attemptId: string) => [{ name: 'forgetUnsaved', data: { attemptId } }];
  /** Pays too much as a guest; the invoice then has that customer. */
  async function boughtFor(to: string, orderId: string) {
    const invoice = await payments.invoices.draftInvoice(null, orderId);
    Object.assign(payments.card.answers, { ref: orderId, state: 'succeeded', received: PRICE + 5_00 });
    await payments.openPayment(invoice);
    await all().updateTable('invoice').set({ customer_id: to }).where('id', '=', invoice).execute();
    const { id, gateway_customer_id } = (await payments.attempts()).find(
      ({ invoice_id }) => invoice_id === invoice,
    )!;
    const payer = all()
      .selectFrom('gateway_customer')
      .select('customer_id')
      .where('id', '=', gateway_customer_id!);
    return { invoice, attempt: id, payer: async () => (await payer.executeTakeFirstOrThrow()).customer_id };
  }
  const [ann, ben] = [
    await payments.invoices.hosts.subscription(),
    await payments.invoices.hosts.subscription(),
  ];
  const first = await boughtFor(ann.customerId, 'ord_2');
  expect(await give(first.invoice, ann.customerId, false)).toEqual(uncredited_(first.attempt));
  expect(await first.payer()).toBeNull();
  expect(await give(first.invoice, ann.customerId, true)).toEqual(saved(first.attempt, ann.customerId));
  expect(await first.payer()).toBe(ann.customerId);
  for (const table of ['attempt', 'refund', 'receipt'] as const) {
    const owners = await all().selectFrom(table).select('customer_id').execute();
    expect(owners).toEqual([{ customer_id: ann.customerId }]);
  }
  // A customer who has a gateway customer keeps it.
  await all()
    .insertInto('gateway_customer')
    .values({
      id: 'pay_2',
      customer_id: ben.customerId,
      provider: 'stripe',
      created_at: payments.invoices.now(),
    })
    .execute();
  const second = await boughtFor(ben.customerId, 'ord_3');
  expect(await give(second.invoice, ben.customerId, true)).toEqual(uncredited_(second.attempt));
  expect(await second.payer()).toBeNull();
  expect(await give(await payments.invoices.draftInvoice(), customerId, true)).toEqual([]);
});

test('S83 a method that paid for nothing, or for somebody else, is removed at its provider unless an account has it', async () => {
  await saveCards('met_1');
  const invoice = await payments.invoices.draftInvoice();
  await payments.openPayment(invoice);
  await payments.invoices.pay(invoice);
  payments.jobs.splice(0);
  const { id: attemptId } = await payments.attempt();
  Object.assign(payments.card.answers, {
    state: 'succeeded',
    received: PRICE,
    method: { ...CARD, ref: 'pm_late' },
  });
  // The money was faster than the end of the payment.
  Object.assign(payments.card.gateway, { close: payments.card.gateway.ask });
  await payments.run(() => askAttempt(payments.deps, attemptId));
  expect(payments.jobs).toContainEqual({ name: 'forgetUnsaved', data: { attemptId } });
  const forget = (id = attemptId) => payments.run(() => forgetUnsaved(payments.deps, id));
  await forget();
  await forget('att_none');
  expect(forgotten()).toEqual(['forget pm_late']);
  payments.card.answers.method = { ...CARD, ref: 'pm_met_1' };
  await forget();
  payments.card.answers.unknown = true;
  await forget();
  Object.assign(payments.card.answers, { unknown: false, method: 'later' });
  await expect(forget()).rejects.toThrow('does not report the method of');
  expect(forgotten()).toEqual(['forget pm_late']);
});

test('S83 a job removes every method of an account that ends, and may run twice', async () => {
  await saveCards('met_1', 'met_2');
  await payments.openPayment(await payments.invoices.draftInvoice(), 'card', { id: 'met_2' });
  await payments.invoices.inTransaction(tx => forgetAllMethods(payments.deps, tx, customerId));
  expect([await kept(), (await payments.attempt()).saved_method_id]).toEqual([[], null]);
  expect(await toForget()).toMatchObject([
    { provider_ref: 'pm_met_1' },
    { provider_ref: 'pm_met_2', method: 'card' },
  ]);
  const ids = (await toForget()).map(({ id: methodId }) => methodId);
  expect(payments.jobs.map(({ name, data }) => [name, data.methodId]).sort()).toEqual(
    ids.map(id => ['forgetMethod', id]).sort(),
  );
  for (const id of [ids[0]!, ...ids]) await payments.run(() => forgetMethod(payments.deps, id));
  expect([await toForget(), forgotten()]).toEqual([[], ['forget pm_met_1', 'forget pm_met_2']]);
});

test('S83 a method that is saved again before its provider was told to remove it stays', async () => {
  await saveCards('met_1');
  await payments.invoices.inTransaction(tx => forgetLater(payments.deps, tx, 'card', 'pm_met_1'));
  const [forgets] = await toForget();
  await payments.run(() => forgetMethod(payments.deps, forgets!.id));
  expect([await kept(), await toForget(), forgotten()]).toEqual([['met_1 default'], [], []]);
});

test("the network's new data of a card are stored, unless the card has changed during the query", async () => {
  await saveCards('met_2', 'met_1');
  const print = (fingerprint: string): Card => ({
    ref: 'pm_met_1',
    fingerprint,
    brand: 'visa',
    last4: '5556',
    expiryMonth: 3,
    expiryYear: 2041,
  });
  let card: Card | undefined = print('met_1');
  let meanwhile: object | undefined;
  const readSaved = async () => {
    if (meanwhile) await all().updateTable('saved_method').set(meanwhile).where('id', '=', 'met_1').execute();
    return card;
  };
  Object.assign(payments.card.gateway, { cards: { readSaved } as unknown as CardCalls });
  const follow = (ref = 'pm_met_1') => payments.run(() => followMethod(payments.deps, 'stripe', ref));
  const row = () => all().selectFrom('saved_method').selectAll().where('id', '=', 'met_1').executeTakeFirst();
  await follow('pm_none');
  await payments.run(() => followMethod(payments.deps, 'paypal', 'pm_met_1'));
  expect((await row())!.last4).toBe('4242');
  for (const changed of [{ expiry_year: 2031 }, { expiry_month: 1 }, { fingerprint: 'new' }]) {
    meanwhile = changed;
    await expect(follow()).rejects.toThrow('met_1 has changed while it was asked about');
  }
  // With another id since, the event belongs to another card.
  meanwhile = { provider_ref: 'pm_again' };
  await follow();
  expect(await row()).toMatchObject({ last4: '4242', expiry_month: 1 });
  meanwhile = undefined;
  await follow('pm_again');
  expect(await row()).toMatchObject({
    last4: '5556',
    expiry_month: 3,
    expiry_year: 2041,
    fingerprint: 'met_1',
  });
  // It expires in March 2041; one email is due a month before.
  expect((await row())!.notify_at).toEqual(new Date('2041-03-01T17:00:00Z'));
  await all().updateTable('saved_method').set({ notify_at: null }).execute();
  await follow('pm_again');
  expect((await row())!.notify_at).toBeNull();
  card = print('met_2');
  await follow('pm_again');
  expect(await kept()).toEqual(['met_2 default']);
  // A job removes it, so that a provider's outage does not lose the removal.
  expect(await toForget()).toMatchObject([{ method: 'card', provider_ref: 'pm_again' }]);
  card = undefined;
  await follow('pm_met_2');
  expect([await kept(), (await toForget()).length]).toEqual([[], 1]);
});

test('a typed card replaces the renewed one as default only where that one was the default', async () => {
  await saveCards('met_1', 'met_2', 'met_3', 'met_4');
  /** Makes it the same card as the other one. */
  const becomes = (id: string, other: string) => {
    const readSaved = async () => ({ ...CARD, ref: `pm_${id}`, fingerprint: other });
    Object.assign(payments.card.gateway, { cards: { readSaved } as unknown as CardCalls });
    return payments.run(() => followMethod(payments.deps, 'stripe', `pm_${id}`));
  };
  await becomes('met_3', 'met_2');
  expect(await kept()).toEqual(['met_1', 'met_2', 'met_4 default']);
  // The latest saved card is another one.
  await becomes('met_4', 'met_1');
  expect(await kept()).toEqual(['met_1 default', 'met_2']);
});

const caller = () =>
  ({ userId: customerId, customerId, role: 'owner' }) as Caller & {
    userId: string;
    customerId: string;
    role: 'owner';
    sessionId: string;
    confirmedAt: Date;
  };
const shown = () => payments.run(() => paymentHandlers(payments.deps).getCard({} as never, caller()));

test('a customer sees their cards, the default first, and their credit with the last goodwill', async () => {
  await saveCards('met_2', 'met_3', 'met_1');
  await all()
    .updateTable('saved_method')
    .set({ holder: 'Ann', expiry_year: 2026 })
    .where('id', '=', 'met_1')
    .execute();
  /** Grants credit, and spends it at once where the customer has none left. */
  const give = async (currency: string, amount: number, isSpent = false) => {
    later(1000);
    const at = { currency, created_at: payments.invoices.now() };
    const given = { id: currency + amount, customer_id: customerId, reason: 'late', ...at };
    await all()
      .insertInto('goodwill')
      .values({ ...given, amount })
      .execute();
    for (const sum of isSpent ? [amount, -amount] : [amount]) {
      const entry = { txn: `given:${currency}:${sum}`, ...at };
      const credit = { position: 1, account: 'credit', amount: -sum, customer_id: customerId } as const;
      await all()
        .insertInto('ledger_entry')
        .values([
          { ...entry, position: 0, account: 'goodwill', amount: sum },
          { ...entry, ...credit },
        ])
        .execute();
    }
    return { amount, at: payments.invoices.now().toISOString() };
  };
  for (const amount of [1_00, 2_00]) await give('THB', amount);
  const [baht, dollars] = [await give('THB', 3_00), await give('USD', 4_00)];
  await give('EUR', 5_00, true);
  const { cards, credit, accounts, owed } = await shown();
  const card = { brand: 'visa', last4: '4242', expiryMonth: 12, isPast: false };
  expect(cards).toEqual([
    { ...card, id: 'met_1', isDefault: true, holder: 'Ann', expiryYear: 2026 },
    { ...card, id: 'met_3', isDefault: false, expiryYear: 2030 },
    { ...card, id: 'met_2', isDefault: false, expiryYear: 2030 },
  ]);
  expect(credit).toEqual([
    { currency: 'THB', amount: 6_00, goodwill: [baht] },
    { currency: 'USD', amount: 4_00, goodwill: [dollars] },
  ]);
  expect([accounts, owed]).toEqual([[], []]);
});

test('P11 a customer sees what a new card is charged at once, by currency; nothing with manual renewal', async () => {
  const now = payments.invoices.now();
  await subscription({ status: 'pastDue', period_start: now, period_end: now });
  const renewals: string[] = [];
  for (const months of [0, 1, 2]) renewals.push((await payments.invoices.renewalInvoice({ months }))!.id);
  const change = (n: number, to: object) =>
    all().updateTable('invoice').set(to).where('id', '=', renewals[n]!).execute();
  await change(0, { prepaid: 10_00, credit_used: 20_00, prorated: 30_00 });
  await change(2, { currency: 'USD' });
  const amountsDue = async () => (await shown()).owed;
  const dollars = { currency: 'USD', amount: PRICE };
  const both = [{ currency: 'THB', amount: 2 * PRICE - 60_00 }, dollars];
  expect(await amountsDue()).toEqual(both);
  for (const [off, on] of [
    [{ cancel_at_period_end: true }, { cancel_at_period_end: false }],
    [{ status: 'active' }, { status: 'pastDue' }],
  ] as const) {
    await subscription(off);
    expect(await amountsDue()).toEqual([]);
    await subscription(on);
  }
  expect(await amountsDue()).toEqual(both);
  // The last one was paid with coins.
  await payments.openPayment(renewals[1]!, 'bitcoin');
  Object.assign(payments.bitcoin.answers, { state: 'succeeded', received: PRICE });
  await payments.run(() => askInvoice(payments.deps, renewals[1]!));
  expect((await payments.invoices.invoiceRow(renewals[1]!)).status).toBe('paid');
  expect(await amountsDue()).toEqual([]);
});

test('U48 a customer whose card expires before the next charge is told once; another card is checked again', async () => {
  await saveCards('met_2', 'met_1');
  // It expires with December in Bangkok.
  await all()
    .updateTable('saved_method')
    .set({ expiry_year: 2026, notify_at: payments.invoices.now() })
    .execute();
  const cardEnd = new Date('2026-12-31T17:00:00Z');
  const chargedAt = (at: Date) =>
    subscription({ status: 'active', period_start: at, period_end: new Date(at.getTime() + DAY_MS) });
  const task = taskNamed(paymentTasks, 'tellCardExpiry', payments.deps);
  const expiryNoticeAt = async (id = 'met_1') =>
    (
      await all()
        .selectFrom('saved_method')
        .select('notify_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).notify_at;
  /** @returns in how many days it is checked again; undefined: never */
  const checkExpiry = async () => {
    await all().updateTable('saved_method').set({ notify_at: payments.invoices.now() }).execute();
    await payments.run(() => task.run());
    const at = await expiryNoticeAt();
    return at ? (at.getTime() - payments.invoices.now().getTime()) / DAY_MS : undefined;
  };
  const soon = new Date(payments.invoices.now().getTime() + 2 * DAY_MS);
  await chargedAt(soon);
  expect([await checkExpiry(), await expiryNoticeAt('met_2')]).toEqual([
    3,
    new Date(payments.invoices.now().getTime() + 7 * DAY_MS),
  ]);
  await chargedAt(cardEnd);
  for (const change of [{ cancel_at_period_end: true }, { suspended: true }, { status: 'pastDue' }]) {
    await subscription(change);
    expect(await checkExpiry()).toBe(7);
    await subscription({ cancel_at_period_end: false, suspended: false, status: 'active' });
  }
  Object.assign(payments.card.gateway, { renewsByItself: false });
  expect(await checkExpiry()).toBe(7);
  Object.assign(payments.card.gateway, { renewsByItself: true });
  expect(payments.jobs).toEqual([]);
  expect(await checkExpiry()).toBeUndefined();
  const { id: subjectId } = payments.invoices.owner;
  const message = { template: 'cardExpiring', customerId, subjectId, copy: 'met_1 2026-12' };
  expect(payments.jobs).toEqual([{ name: 'sendEmail', data: message }]);
  later(8 * DAY_MS);
  await payments.run(() => task.run());
  expect(payments.jobs).toHaveLength(1);
});
