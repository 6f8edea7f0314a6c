import { PRICE } from '@fixpoint/testkit/given/invoices.ts';
import { type GivenPayments, givenPayments } from '@fixpoint/testkit/given/payments.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { followPayment } from '../../src/modules/payment/attempt/follow-payment.ts';
import { meansOf } from '../../src/modules/payment/attempt/pay.ts';
import { payByCard } from '../../src/modules/payment/attempt/pay-by-card.ts';
import { askInvoice } from '../../src/modules/payment/attempt/poll-attempt.ts';
import { paymentHandlers } from '../../src/modules/payment/index.ts';
import type { Card, CardCalls, Reported, ReportedSaving } from '../../src/ports/payment-gateway.ts';

/** The method that a customer chooses to pay with or save, and approved payments, on inserted rows. */
let payments: GivenPayments;
let customerId: string;
/** State of a saving at its provider. */
let saving: Partial<ReportedSaving>;
const cardOf = (ref: string): Card => ({
  ref,
  fingerprint: ref,
  brand: 'visa',
  last4: '4242',
  expiryMonth: 12,
  expiryYear: ref === 'pm_old' ? 2020 : 2040,
});
beforeEach(async () => {
  payments = await givenPayments();
  ({ customerId } = payments.invoices.owner);
  saving = { state: 'saved' };
  const reported = (card: Card) =>
    ({
      ref: 'seti_1',
      gatewayCustomerRef: 'cus_1',
      begunAt: payments.invoices.now(),
      card,
      ...saving,
    }) as ReportedSaving;
  const cards: Partial<CardCalls> = {
    read: async ref => (ref === 'pm_none' ? undefined : cardOf(ref)),
    save: async ({ ref }) => reported(cardOf(ref)),
    readSaved: async ref => cardOf(ref),
    askSaving: async () => reported(cardOf('pm_asked')),
  };
  Object.assign(payments.card.gateway, { cards, createGatewayCustomer: async () => 'cus_1' });
});
afterEach(() => payments?.invoices.hosts.stop());

const all = () => payments.invoices.hosts.all;
/** Saves a PayPal account of the owner. */
async function saveAccount(id: string): Promise<void> {
  const of = { customer_id: customerId, created_at: payments.invoices.now() };
  await all()
    .insertInto('gateway_customer')
    .values({ id: `pay_${id}`, provider: 'paypal', ...of })
    .execute();
  const account = { method: 'paypal' as const, account: 'a•••@example.com', fingerprint: id };
  await all()
    .insertInto('saved_method')
    .values({
      id,
      gateway_customer_id: `pay_${id}`,
      provider_ref: `token_${id}`,
      ...account,
      is_default: false,
      ...of,
    })
    .execute();
}

test("only the customer's own, chargeable and unexpired method pays", async () => {
  await payments.saveCard();
  await saveAccount('met_p');
  const { customerId: stranger } = await payments.invoices.hosts.subscription();
  const choose = (chosen: object, by = customerId, paymentMethod: 'card' | 'paypal' = 'card') =>
    payments.run(() => meansOf(payments.deps, by, { paymentMethod, ...chosen }));
  const none = { refusal: 'cardNotFound' };
  expect(await choose({})).toEqual({});
  expect(await choose({ cardId: 'met_1' })).toEqual({ card: { ref: 'pm_met_1', fingerprint: 'met_1' } });
  // A newly typed card takes precedence.
  expect(await choose({ cardId: 'met_1', card: 'pm_1' })).toEqual({
    card: { ref: 'pm_1', fingerprint: 'pm_1' },
  });
  for (const chosen of [{ cardId: 'met_none' }, { cardId: 'met_p' }, { card: 'pm_none' }])
    expect(await choose(chosen)).toEqual(none);
  expect(await choose({ cardId: 'met_1' }, stranger)).toEqual(none);
  const past = { refusal: 'validationFailed', data: { fields: { card: 'form.cardExpiry.past' } } };
  expect(await choose({ card: 'pm_old' })).toEqual(past);
  await all().updateTable('saved_method').set({ expiry_year: 2025 }).where('id', '=', 'met_1').execute();
  expect(await choose({ cardId: 'met_1' })).toEqual(past);

  const account = { accountId: 'met_p' };
  expect(await choose(account, customerId, 'paypal')).toEqual(account);
  expect(await choose(account, stranger, 'paypal')).toEqual(none);
  expect(await choose(account)).toEqual(none);
  expect(await choose({ accountId: 'met_1' }, customerId, 'paypal')).toEqual(none);
  Object.assign(payments.paypal.gateway, { renewsByItself: false });
  expect(await choose(account, customerId, 'paypal')).toEqual(none);
});

test('a card is saved, made the default or removed by its owner; after too many tries with a proof of work', async () => {
  await payments.saveCard();
  await saveAccount('met_p');
  const handlers = paymentHandlers(payments.deps);
  let work = 0;
  const update = (body: object) => {
    const from = { network: '203.0.113.0/24', deviceCookie: 'a browser', language: 'en', work };
    const by = { customerId, role: 'owner', ...from } as unknown as Parameters<typeof handlers.updPayment>[1];
    return payments.run(() => handlers.updPayment({ body } as never, by));
  };
  const none = { refusal: 'cardNotFound' };
  expect([await update({ makeDefault: 'met_none' }), await update({ remove: 'met_none' })]).toEqual([
    none,
    none,
  ]);
  expect(await update({ makeDefault: 'met_p' })).toEqual({});
  const { accounts } = await payments.run(() => handlers.getCard({} as never, { customerId } as never));
  expect(accounts).toEqual([{ id: 'met_p', account: 'a•••@example.com', isDefault: true }]);
  expect(await update({ remove: 'met_p' })).toEqual({});
  expect(await update({ card: 'pm_old' })).toMatchObject({ refusal: 'validationFailed' });
  const shown = { brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: 2040, isPast: false };
  const id = expect.stringMatching(/^met_/);
  expect(await update({ card: 'pm_1' })).toEqual({ card: { ...shown, id, isDefault: false } });
  saving = { state: 'asked', clientSecret: 'secret', declines: 0 };
  const needsConfirmation = { setupIntent: 'seti_1', clientSecret: 'secret' };
  expect(await update({ card: 'pm_2' })).toEqual({ asked: needsConfirmation });
  saving = { state: 'saved' };
  expect(await update({ setupIntent: 'seti_1', replaces: 'met_1' })).toMatchObject({ card: shown });
  const left = await all()
    .selectFrom('saved_method')
    .select('provider_ref')
    .orderBy('provider_ref')
    .execute();
  expect(left.map(({ provider_ref }) => provider_ref)).toEqual(['pm_1', 'pm_asked']);
  const names: string[] = [];
  const read = async (...asked: string[]) => {
    names.push(...asked);
    return asked.map(name => ({ count: name.startsWith('declines device') ? 2 : 1, endsIn: 60 }));
  };
  Object.assign(payments.deps.limits, { read });
  expect(await update({ card: 'pm_3' })).toMatchObject({ refusal: 'tooManyRequests' });
  expect(names.map(name => name.split(' ').slice(0, 2).join(' '))).toEqual([
    ...['declines order', 'declines network', 'declines device', 'cards account'],
  ]);
  work = 1;
  expect(await update({ card: 'pm_3' })).toMatchObject({ card: shown });
  expect(names).toHaveLength(8);
});

test('an invoice that is paid another way meanwhile is not charged to a card, and its state is returned', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.openPayment(id, 'bitcoin');
  payments.bitcoin.answers.state = 'processing';
  const wait = { method: 'bitcoin', nextAction: { kind: 'card' } };
  const card = { ref: 'pm_1', fingerprint: 'pm_1' };
  const admitted = { names: [], brake: true, work: 0 };
  expect(await payments.run(() => payByCard(payments.deps, id, card, admitted))).toMatchObject({
    paying: wait,
  });
});

test('an approved payment is captured once, and only if its invoice still needs that amount', async () => {
  const taken: number[] = [];
  const captured: Partial<Reported> = { state: 'succeeded', received: PRICE };
  const capture: typeof payments.paypal.gateway.capture = async attempt => {
    taken.push(attempt.number);
    const { number, currency, amount } = attempt;
    return { ref: `paypal_${number}`, state: 'open', currency, amount, received: 0, ...captured };
  };
  Object.assign(payments.paypal.gateway, { capture, close: undefined });
  const id = await payments.invoices.draftInvoice();
  const agreed = async (number: number) => {
    const attempt = await payments.attempt(number);
    const { currency, amount } = attempt;
    const approved = { ref: `paypal_${number}`, state: 'approved' as const, currency, amount, received: 0 };
    await payments.run(() => followPayment(payments.deps, attempt, approved));
    return (await payments.attempt(number)).status;
  };
  await payments.openPayment(id, 'paypal');
  await payments.openPayment(id);
  // Another method was chosen since, so this one is never captured.
  expect([await agreed(1), taken]).toEqual(['closed', []]);
  await payments.openPayment(id, 'bitcoin');
  await payments.openPayment(id, 'paypal');
  const coins = { ref: 'bitcoin_3', state: 'succeeded' as const, received: 50_00 };
  const { currency, amount } = await payments.attempt(3);
  const coin = await payments.attempt(3);
  await payments.run(() => followPayment(payments.deps, coin, { currency, amount, ...coins }));
  // It would exceed the missing amount.
  expect([await agreed(4), taken]).toEqual(['closed', []]);
  await payments.openPayment(id, 'paypal');
  captured.received = PRICE - 50_00;
  const taking = (ago: number) =>
    all()
      .updateTable('attempt')
      .set({ status: 'processing', updated_at: new Date(payments.invoices.now().getTime() - ago) })
      .where('attempt_no', '=', 5)
      .execute();
  // Another worker is capturing it.
  await taking(29_999);
  expect([await agreed(5), taken]).toEqual(['processing', []]);
  await taking(30_000);
  expect([await agreed(5), taken]).toEqual(['succeeded', [5]]);
  expect((await payments.invoices.invoiceRow(id)).status).toBe('paid');
  expect([await agreed(5), taken]).toEqual(['succeeded', [5]]);
  const { id: renewal } = (await payments.invoices.renewalInvoice())!;
  Object.assign(payments.card.answers, { state: 'approved' });
  await expect(payments.openPayment(renewal)).rejects.toThrow('card takes its money by itself');
  expect(await payments.run(() => askInvoice(payments.deps, id))).toBeUndefined();
});
