import { PRICE } from '@fixpoint/testkit/given/invoices.ts';
import { CARD, type GivenPayments, givenPayments } from '@fixpoint/testkit/given/payments.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { strandedPayments } from '../../src/compose/readiness.ts';
import { NamedFault, refuseFields } from '../../src/kernel/refusal.ts';
import type { AlertKind } from '../../src/modules/alert/kinds.ts';
import { chargeSaved } from '../../src/modules/payment/attempt/charge-saved-method.ts';
import { followPayment, recordFirstAnswer } from '../../src/modules/payment/attempt/follow-payment.ts';
import { findOrCreate } from '../../src/modules/payment/attempt/open-payment.ts';
import { askAttempt, askInvoice, closeInvoice } from '../../src/modules/payment/attempt/poll-attempt.ts';
import { findAttempt } from '../../src/modules/payment/attempt/start-attempt.ts';
import { countFor } from '../../src/modules/payment/attempt/store.ts';
import { bookLostCoins, planLostCoins } from '../../src/modules/payment/dispute/lost-coins.ts';
import { collectionMethodOf } from '../../src/modules/payment/saved-method/collection-method.ts';
import type { Reported } from '../../src/ports/payment-gateway.ts';

/** State of a payment by the provider's answers, on inserted rows. */
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
let payments: GivenPayments;
beforeEach(async () => {
  payments = await givenPayments();
});
afterEach(() => payments?.invoices.hosts.stop());

const later = (ms: number) => payments.invoices.hosts.clock.advance(ms);
const ask = (id: string) => payments.run(() => askAttempt(payments.deps, id));
/** Sets the provider's answer about an attempt (the newest by default) and polls it. */
async function providerReports(reported: Partial<Reported>, method: 'card' | 'bitcoin' = 'card', number = 0) {
  const attempt = (await payments.attempts()).at(number - 1)!;
  const { currency, amount } = attempt;
  const whole = {
    ref: `${method}_${attempt.attempt_no}`,
    state: 'open',
    currency,
    amount,
    received: 0,
  } as const;
  return payments.run(() => followPayment(payments.deps, attempt, { ...whole, ...reported }));
}
const succeeded = { state: 'succeeded' as const, received: PRICE };
const none = { type: 'paymentMoved', orderId: 'ord_1', subscriptionId: null };

test('a repeated press is the same payment; another method closes the previous one first', async () => {
  const id = await payments.invoices.draftInvoice();
  const first = await payments.openPayment(id);
  expect(first).toMatchObject({ method: 'card', nextAction: { kind: 'card', ref: 'pi_1' } });
  expect(await payments.openPayment(id)).toEqual(first);
  expect(payments.card.calls).toEqual(['start 1', 'ask 1']);
  expect(await payments.openPayment(id, 'bitcoin')).toMatchObject({ method: 'bitcoin' });
  expect(payments.card.calls.at(-1)).toBe('close 1');
  expect((await payments.attempts()).map(({ status, method }) => [status, method])).toEqual([
    ['closed', 'card'],
    ['open', 'bitcoin'],
  ]);
  expect(payments.events.map(({ type }) => type)).toEqual(['paymentMoved', 'paymentRetried']);
  await payments.invoices.pay(id);
  expect(await payments.openPayment(id, 'bitcoin')).toBeUndefined();
  // A paid invoice takes no further payment.
  await payments.run(() => closeInvoice(payments.deps, id));
  expect((await payments.attempt(2)).status).toBe('closed');
  expect(
    [...payments.card.calls, ...payments.bitcoin.calls].filter(call => call.startsWith('close')),
  ).toEqual([...['close 1', 'close 2']]);
});

test('money that has arrived pays once; its fee may come later, and a duplicate payment is refunded', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.openPayment(id);
  await payments.run(() => countFor(payments.deps, id, ['network a']));
  await providerReports({ ...succeeded, chargeRef: 'ch_1', method: CARD });
  expect((await payments.invoices.invoiceRow(id)).status).toBe('paid');
  expect(payments.events.at(-1)).toEqual({ ...none, type: 'invoicePaid', invoiceId: id });
  const paid = { status: 'succeeded', received: PRICE, unapplied: 0, fee: null, charge_ref: 'ch_1' };
  expect(await payments.attempt()).toMatchObject({ ...paid, paid_with: { brand: 'visa', last4: '4242' } });
  expect(await payments.ledgerSums('paid:')).toMatchObject({
    provider: PRICE,
    revenue: -185_98,
    vat: -13_02,
  });
  const { version, counted_for } = await payments.attempt();
  expect([version, counted_for]).toEqual([2, []]);
  await providerReports(succeeded);
  expect((await payments.attempt()).version).toBe(version);
  await providerReports({ ...succeeded, fee: 7_26 });
  expect(await payments.attempt()).toMatchObject({ fee: 7_26, ask_at: null });
  expect(await payments.ledgerSums('fee:')).toEqual({ provider: -7_26, fees: 7_26 });
  expect(payments.jobs).toEqual([]);
  const calls = payments.card.calls.length;
  await ask((await payments.attempt()).id);
  expect(payments.card.calls).toHaveLength(calls);

  await providerReports({ ...succeeded, received: PRICE + 20_00, fee: 7_26 });
  expect(await payments.attempt()).toMatchObject({ received: PRICE + 20_00, unapplied: 20_00 });
  expect((await payments.refunds()).map(({ amount, reason }) => [amount, reason])).toEqual([
    [20_00, 'unapplied'],
  ]);
  expect(await receipts()).toEqual([20_00, PRICE]);
  expect(await payments.alerts()).toEqual([]);
  await providerReports({ ...succeeded, received: PRICE });
  expect(await payments.alerts()).toEqual(['payment.gone']);
  expect(await factsOf('payment.gone')).toEqual({ currency: 'THB', gone: 20_00 });
});

test('S37 a payment that differs from the request pays nothing, and raises an alert', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.openPayment(id);
  // A call that was sent twice: nobody got that payment.
  await providerReports({ ref: 'card_twice' });
  expect(await payments.alerts()).toEqual([]);
  await providerReports({ ...succeeded, amount: PRICE - 1 });
  await providerReports({ ...succeeded, currency: 'USD' });
  await providerReports({ ...succeeded, ref: 'card_other' });
  expect(await payments.alerts()).toEqual(['attempt.differs']);
  expect([(await payments.attempt()).status, (await payments.invoices.invoiceRow(id)).status]).toEqual([
    'open',
    'draft',
  ]);
  // Too little money is refunded and raises an alert.
  await providerReports({ ...succeeded, received: 50_00 });
  expect(await payments.alerts()).toEqual(['attempt.differs', 'attempt.short']);
  expect(await factsOf('attempt.short')).toEqual({ currency: 'THB', received: 50_00, due: PRICE });
  expect((await payments.refunds()).map(({ amount }) => amount)).toEqual([50_00]);
});

const factsOf = async (kind: AlertKind) =>
  (
    await payments.invoices.hosts.all
      .selectFrom('open_alert')
      .select('what')
      .where('kind', '=', kind)
      .executeTakeFirstOrThrow()
  ).what;

const receipts = async () => {
  const rows = await payments.invoices.hosts.all
    .selectFrom('receipt')
    .select('amount')
    .orderBy('amount')
    .execute();
  return rows.map(({ amount }) => amount);
};

test('too few coins count for the invoice, and the rest pays it', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.openPayment(id, 'bitcoin');
  await providerReports({ state: 'open', seen: 50_00 }, 'bitcoin');
  expect(await payments.attempt()).toMatchObject({ status: 'open', seen: 50_00 });
  expect(payments.events).toEqual([{ ...none, type: 'paymentShort', invoiceId: id }]);
  await providerReports({ state: 'open', seen: 50_00 }, 'bitcoin');
  expect(payments.events).toHaveLength(1);
  // Transfers are rounded one by one, and add up to the received amount.
  const transfers = [16_66, 33_33].map((amount, n) => ({ ref: `tx_${n}`, amount }));
  await providerReports({ ...succeeded, received: 50_00, transfers }, 'bitcoin');
  expect(await receipts()).toEqual([16_66, 33_34]);
  expect(await payments.invoices.invoiceRow(id)).toMatchObject({ status: 'draft', prepaid: 50_00 });
  expect([await payments.refunds(), await payments.alerts()]).toEqual([[], []]);
  expect(await payments.openPayment(id, 'bitcoin')).toMatchObject({ method: 'bitcoin' });
  expect((await payments.attempt(2)).amount).toBe(PRICE - 50_00);
  // More coins to the previous address, of which the first transfer is too much already.
  const more = [5_01, 1].map((amount, n) => ({ ref: `tx_${n + 2}`, amount }));
  await providerReports({ ...succeeded, received: 55_00, transfers: [...transfers, ...more] }, 'bitcoin', 1);
  expect(await receipts()).toEqual([0, 5_00, 16_66, 33_34]);
});

test('an offer asks for the missing amount, and expires at the instant that it names', async () => {
  const id = await payments.invoices.draftInvoice();
  const amounts = async () => (await payments.attempts()).map(({ status, amount }) => [status, amount]);
  await payments.openPayment(id, 'bitcoin');
  await payments.openPayment(id);
  // Coins that come all the same: the card pays the rest only.
  await providerReports({ ...succeeded, received: 50_00 }, 'bitcoin', 1);
  await payments.openPayment(id);
  const rest = PRICE - 50_00;
  expect((await amounts()).slice(1)).toEqual([
    ['closed', PRICE],
    ['open', rest],
  ]);
  const expiresAt = new Date(payments.invoices.now().getTime() + 15 * MINUTE_MS).toISOString();
  const scan = { kind: 'scan' as const, text: 'bitcoin:1', amount: '1', unit: 'BTC' as const, expiresAt };
  payments.bitcoin.answers.nextAction = scan;
  const offer = { method: 'bitcoin', nextAction: scan };
  expect(await payments.openPayment(id, 'bitcoin')).toEqual(offer);
  expect((await payments.attempt(4)).expires_at).toEqual(new Date(expiresAt));
  later(15 * MINUTE_MS - 1);
  expect(await payments.openPayment(id, 'bitcoin')).toEqual(offer);
  expect(await payments.attempts()).toHaveLength(4);
  later(1);
  await payments.openPayment(id, 'bitcoin');
  expect((await amounts()).slice(3)).toEqual([
    ['closed', rest],
    ['open', rest],
  ]);
});

test('a decline is reported once under its own name, and the next try is another payment', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.openPayment(id);
  const counted = () => payments.run(() => countFor(payments.deps, id, ['network a']));
  await counted();
  await providerReports({ state: 'failed', decline: 'insufficient_funds' });
  const refused = { type: 'paymentRefused', invoiceId: id, orderId: 'ord_1', subscriptionId: null };
  expect(payments.events).toEqual([{ ...refused, failure: 'insufficientFunds', unattended: false }]);
  const counted_for = ['network a'];
  const failed = { status: 'failed', failure: 'insufficientFunds', hard: false, counted_for };
  expect(await payments.attempt()).toMatchObject(failed);
  await providerReports({ state: 'failed', decline: 'insufficient_funds' });
  await payments.openPayment(id);
  expect(payments.events.map(({ type }) => type)).toEqual([
    'paymentRefused',
    'paymentMoved',
    'paymentRetried',
  ]);
  await providerReports({ state: 'failed', decline: 'stolen_card' });
  expect(await payments.attempt(2)).toMatchObject({ failure: 'cardDeclined', hard: true });
  await counted();
  // An attempt that can no longer be declined counts for nobody.
  expect((await payments.attempts()).map(each => each.counted_for)).toEqual([[], counted_for]);
  // The provider closes it after that, which was reported already.
  payments.events.length = 0;
  await providerReports({ state: 'closed', decline: 'stolen_card' });
  expect(payments.events.map(({ type }) => type)).toEqual(['paymentMoved']);
  await providerReports(succeeded);
  expect((await payments.attempt(2)).counted_for).toEqual([]);
});

test('a payment that its provider closes after a decline is reported as declined; an unpaid one is not', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.openPayment(id);
  await providerReports({ state: 'closed', decline: 'insufficient_funds' });
  await payments.openPayment(id);
  await providerReports({ state: 'closed' });
  expect(payments.events.map(({ type }) => type)).toEqual([
    'paymentRefused',
    'paymentRetried',
    'paymentMoved',
  ]);
  expect((await payments.attempts()).map(({ failure }) => failure)).toEqual(['insufficientFunds', null]);
});

test('a payment that its provider does not create is over, and the payer reads what to choose instead', async () => {
  const id = await payments.invoices.draftInvoice();
  const start = payments.card.gateway.start;
  payments.card.gateway.start = async () => {
    throw new NamedFault('providerUnreachable');
  };
  await expect(payments.openPayment(id)).rejects.toThrow('providerUnreachable');
  payments.card.gateway.start = start;
  const cause = new Error('no such parameter');
  const refused = { ref: null, state: 'closed' as const, nextAction: undefined };
  // The provider has no such payment and refuses it again, so there is nothing to close there.
  const ask = payments.card.gateway.ask;
  payments.card.gateway.ask = async () => 'unknown';
  Object.assign(payments.card.answers, { ...refused, notMade: { field: 'paymentMethod', cause } });
  expect(await payments.openPayment(id, 'bitcoin')).toMatchObject({ method: 'bitcoin' });
  payments.card.gateway.ask = ask;
  expect(await payments.openPayment(id)).toEqual(
    refuseFields({ paymentMethod: 'form.paymentMethod.unavailable' }),
  );
  Object.assign(payments.card.answers, { notMade: { field: 'email', cause } });
  expect(await payments.openPayment(id)).toEqual(refuseFields({ email: 'form.email.invalid' }));
  // The customer cannot choose otherwise, so an alert is raised.
  Object.assign(payments.card.answers, { notMade: { cause } });
  await expect(payments.openPayment(id)).rejects.toBe(cause);
  expect((await payments.attempts()).map(({ status }) => status)).toEqual(Array(5).fill('closed'));
  expect(payments.card.calls.filter(call => call.startsWith('close'))).toEqual([]);
  expect(payments.events.filter(({ type }) => type === 'paymentRefused')).toEqual([]);
});

test('B1 a request that the provider refuses is no declined card: it raises an alert, and the next try is made', async () => {
  const { id } = (await payments.invoices.renewalInvoice())!;
  await payments.saveCard();
  const cause = new Error('no such parameter');
  const refused = { ref: null, state: 'closed' as const, nextAction: undefined, notMade: { cause } };
  Object.assign(payments.card.answers, refused);
  const charge = (most: number) => payments.run(() => chargeSaved(payments.deps, id, most));
  await expect(charge(1)).rejects.toBe(cause);
  expect(await charge(1)).toBe(true);
  expect(await payments.attempts()).toMatchObject([{ status: 'closed', failure: null }]);
  expect(payments.events.filter(({ type }) => type === 'paymentRefused')).toEqual([]);
  expect(await payments.alerts()).toEqual(['attempt.notMade']);
  for (const name of Object.keys(refused)) delete payments.card.answers[name as keyof typeof refused];
  Object.assign(payments.card.answers, succeeded);
  expect(await charge(2)).toBe(true);
  expect((await payments.invoices.invoiceRow(id)).status).toBe('paid');
});

test('a bitcoin payment that no store offers has no address and is not polled', async () => {
  const id = await payments.invoices.draftInvoice();
  const cause = new Error('no rate');
  Object.assign(payments.bitcoin.answers, {
    ref: null,
    state: 'closed',
    nextAction: undefined,
    notMade: { cause },
  });
  await expect(payments.openPayment(id, 'bitcoin')).rejects.toBe(cause);
  expect(await payments.attempt()).toMatchObject({ status: 'closed', ask_at: null });
});

test('payments of a provider without settings are named at the start, unless nothing can come of them', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.openPayment(id, 'bitcoin');
  const named = (set: { BTCPAY_URL?: string } = {}) =>
    payments.run(() =>
      strandedPayments(payments.deps.db, { PAYPAL_CLIENT_ID: undefined, BTCPAY_URL: set.BTCPAY_URL }),
    );
  expect(await named()).toEqual([expect.stringContaining('RETIRED_METHODS=bitcoin')]);
  expect(await named({ BTCPAY_URL: 'https://btcpay.example' })).toEqual([]);
  await payments.run(() => closeInvoice(payments.deps, id));
  expect((await payments.attempt()).status).toBe('closed');
  expect(await named()).toEqual([]);
});

test('a renewal is charged to the saved method up to the limit, and never to one that was refused for good', async () => {
  const { id } = (await payments.invoices.renewalInvoice())!;
  const charge = (most: number) => payments.run(() => chargeSaved(payments.deps, id, most));
  const { customerId, id: subscriptionId } = payments.invoices.owner;
  const methodBy = (deps: Pick<GivenPayments['deps'], 'gateways'>) =>
    payments.invoices.inTransaction(tx => collectionMethodOf(deps, tx, { customerId, subscriptionId }));
  expect([await charge(1), await methodBy(payments.deps)]).toEqual([false, 'sendInvoice']);
  await payments.saveCard();
  expect(await methodBy(payments.deps)).toBe('chargeAutomatically');
  Object.assign(payments.card.answers, { state: 'failed', decline: 'insufficient_funds' });
  expect(await charge(1)).toBe(true);
  expect(await charge(1)).toBe(true);
  expect(payments.card.calls.filter(call => call.startsWith('start'))).toEqual(['start 1 pm_met_1']);
  expect(await payments.attempt()).toMatchObject({
    unattended: true,
    saved_method_id: 'met_1',
    status: 'failed',
  });
  expect(payments.events.at(-1)).toMatchObject({ type: 'paymentRefused', unattended: true, subscriptionId });
  Object.assign(payments.card.answers, { decline: 'stolen_card' });
  expect(await charge(2)).toBe(true);
  expect(await payments.attempt(2)).toMatchObject({ hard: true });
  expect(await charge(3)).toBe(false);
  // A repeated job: that charge exists already.
  expect(await charge(2)).toBe(true);
  // A method that its owner has confirmed at the bank since may be charged.
  const { all } = payments.invoices.hosts;
  const setUp = (after: number) => ({ consented_at: new Date(payments.invoices.now().getTime() + after) });
  await all.updateTable('saved_method').set(setUp(0)).execute();
  expect(await charge(3)).toBe(false);
  await all.updateTable('saved_method').set(setUp(1)).execute();
  Object.assign(payments.card.answers, { decline: 'insufficient_funds' });
  expect(await charge(3)).toBe(true);
  expect(await payments.attempt(3)).toMatchObject({
    saved_method_id: 'met_1',
    status: 'failed',
    hard: false,
  });
  await all.updateTable('saved_method').set(setUp(0)).execute();
  // Another card may be charged when it pays so small an amount.
  await all.updateTable('saved_method').set({ is_default: false }).execute();
  await payments.saveCard('met_2');
  Object.assign(payments.card.answers, { ...succeeded, decline: undefined });
  Object.assign(payments.card.gateway, { takes: () => false });
  expect(await charge(4)).toBe(false);
  Object.assign(payments.card.gateway, { takes: (...due: unknown[]) => String(due) === `THB,${PRICE}` });
  expect(await charge(4)).toBe(true);
  expect((await payments.invoices.invoiceRow(id)).status).toBe('paid');
  // The method is saved already.
  expect(payments.jobs).toEqual([]);
  // A shop without settings of its provider sends an invoice next time.
  expect(await methodBy({ gateways: {} })).toBe('sendInvoice');

  // A customer who last paid with coins gets an invoice.
  await all.updateTable('attempt').set({ method: 'bitcoin' }).execute();
  expect(await methodBy(payments.deps)).toBe('sendInvoice');
});

test('a method with which a customer has paid a renewal manually can pay the next one', async () => {
  const { id } = (await payments.invoices.renewalInvoice())!;
  await payments.openPayment(id);
  await providerReports(succeeded);
  const { customerId } = payments.invoices.owner;
  const { id: attemptId } = await payments.attempt();
  expect(payments.jobs).toEqual([{ name: 'saveMethod', data: { attemptId, customerId } }]);
});

test('FM7 an unpaid payment is closed after three days, or when its invoice needs no money any more', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.openPayment(id);
  const { id: attempt } = await payments.attempt();
  later(3 * DAY_MS);
  await ask(attempt);
  expect((await payments.attempt()).status).toBe('open');
  later(1);
  await ask(attempt);
  expect((await payments.attempt()).status).toBe('closed');
  expect(await payments.alerts()).toEqual([]);
  // It could still be paid there, so it is closed once more; nothing polls it by itself.
  const calls = payments.card.calls.length;
  await ask(attempt);
  expect(payments.card.calls.slice(calls)).toEqual(['ask 1', 'close 1']);
  expect((await payments.attempt()).ask_at).toBeNull();
  await ask('att_none');
  expect(await payments.run(() => askInvoice(payments.deps, id))).toBeUndefined();
  await payments.openPayment(id);
  expect(await payments.run(() => askInvoice(payments.deps, id))).toMatchObject({ method: 'card' });
  await payments.invoices.pay(id);
  await ask((await payments.attempt(2)).id);
  expect((await payments.attempt(2)).status).toBe('closed');
});

test('FM7 a pending payment is waited for, however long; one that cannot be closed is polled forever', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.openPayment(id);
  const { id: attempt } = await payments.attempt();
  await providerReports({ state: 'processing' });
  payments.card.answers.state = 'processing';
  later(4 * DAY_MS);
  await ask(attempt);
  expect(payments.card.calls.at(-1)).toBe('ask 1');
  expect((await payments.attempt()).status).toBe('processing');
  await providerReports({ state: 'open' });
  payments.card.gateway.close = async () => 'unknown';
  later(8 * DAY_MS);
  await expect(ask(attempt)).rejects.toThrow();
  const { status, ask_at } = await payments.attempt();
  expect([status, ask_at! > payments.invoices.now()]).toEqual(['open', true]);
});

test('a payment without news for a day raises an alert until there is some; the fee is polled for a week, then every week', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.openPayment(id);
  const { id: attempt } = await payments.attempt();
  await providerReports({ state: 'processing' });
  Object.assign(payments.card.answers, { unknown: true });
  later(DAY_MS);
  await ask(attempt);
  expect(await payments.alerts()).toEqual([]);
  later(1);
  await ask(attempt);
  expect(await payments.alerts()).toEqual(['attempt.unknown']);
  const wait = { method: 'card', nextAction: { kind: 'wait' } };
  expect(await payments.run(() => askInvoice(payments.deps, id))).toEqual(wait);
  Object.assign(payments.card.answers, { unknown: false, ...succeeded });
  await ask(attempt);
  expect(await payments.alerts()).toEqual([]);
  expect((await payments.attempt()).ask_at).toEqual(new Date(payments.invoices.now().getTime() + MINUTE_MS));
  later(7 * DAY_MS);
  await ask(attempt);
  expect((await payments.attempt()).ask_at).not.toBeNull();
  later(1);
  await ask(attempt);
  const weekLater = new Date(payments.invoices.now().getTime() + 7 * DAY_MS);
  expect((await payments.attempt()).ask_at).toEqual(weekLater);
  Object.assign(payments.card.answers, { fee: 9_00 });
  later(7 * DAY_MS);
  await ask(attempt);
  expect(await payments.attempt()).toMatchObject({ fee: 9_00, ask_at: null });
});

/** Begins an attempt, and does not ask its provider yet. */
const begin = (invoice: string) =>
  payments.invoices.inTransaction(tx =>
    findOrCreate(payments.deps, tx, invoice, 'card', undefined, undefined),
  );

test('a first answer about money that nobody has paid waits for nobody who works on the invoice', async () => {
  const id = await payments.invoices.draftInvoice();
  const attempt = (await begin(id)).attempt!;
  const { currency, amount } = attempt;
  const answer = { ref: 'card_1', state: 'open' as const, currency, amount, received: 0 };
  const first = await payments.invoices.hosts.all.transaction().execute(async tx => {
    await tx.selectFrom('invoice').select('id').where('id', '=', id).forUpdate().execute();
    return payments.run(() => recordFirstAnswer(payments.deps, attempt, answer));
  });
  expect(first).toMatchObject({ status: 'open', provider_ref: 'card_1' });
  // Only the first one: what is known already is changed under the lock.
  expect(await payments.run(() => recordFirstAnswer(payments.deps, first!, answer))).toBeUndefined();
});

test('a payment without an answer for a day, which its customer continues, needs nobody any more', async () => {
  const id = await payments.invoices.draftInvoice();
  const { attempt } = await begin(id);
  Object.assign(payments.card.answers, { unknown: true });
  const start = payments.card.gateway.start;
  payments.card.gateway.start = async () => {
    throw new NamedFault('providerUnreachable');
  };
  later(DAY_MS + 1);
  await expect(ask(attempt!.id)).rejects.toThrow('providerUnreachable');
  expect(await payments.alerts()).toEqual(['attempt.unknown']);
  payments.card.gateway.start = start;
  expect(await payments.openPayment(id)).toMatchObject({ nextAction: { kind: 'card' } });
  expect(await payments.alerts()).toEqual([]);
});

test('a payment that is closed before it is sent is not sent, and the next press makes another', async () => {
  const id = await payments.invoices.draftInvoice();
  const { attempt } = await begin(id);
  await payments.run(() => closeInvoice(payments.deps, id));
  await expect(payments.run(() => findAttempt(payments.deps, attempt!))).rejects.toThrow(
    'providerUnreachable',
  );
  expect(payments.card.calls).toEqual([]);
  expect(await payments.openPayment(id)).toMatchObject({ nextAction: { kind: 'card' } });
  expect(payments.card.calls).toEqual(['start 2']);
});

test('a page hears of money that is on its way', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.openPayment(id);
  payments.events.length = 0;
  await providerReports({ state: 'processing' });
  expect(payments.events).toEqual([{ ...none, invoiceId: id }]);
});

test('a customer who pays by a saved method waits for its money, where that needs time', async () => {
  const id = await payments.invoices.draftInvoice();
  Object.assign(payments.card.answers, { state: 'processing', nextAction: undefined });
  const wait = { method: 'card', nextAction: { kind: 'wait' } };
  expect(await payments.openPayment(id, 'card', { id: await payments.saveCard() })).toEqual(wait);
});

test("a bank's question lapses an hour after it was asked, however often it is polled", async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.openPayment(id);
  const nextAction = { kind: 'authenticate', clientSecret: 's' } as NonNullable<Reported['nextAction']>;
  const lapses = new Date(payments.invoices.now().getTime() + 60 * MINUTE_MS);
  await providerReports({ nextAction });
  expect((await payments.attempt()).expires_at).toEqual(lapses);
  later(30 * MINUTE_MS);
  await providerReports({ nextAction });
  expect((await payments.attempt()).expires_at).toEqual(lapses);
});

test('a payment that is reported as paid without any money pays nothing, and raises an alert', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.openPayment(id);
  await providerReports({ state: 'succeeded', received: 0 });
  expect((await payments.attempt()).status).toBe('succeeded');
  expect((await payments.invoices.invoiceRow(id)).status).toBe('draft');
  expect(await factsOf('attempt.short')).toEqual({ currency: 'THB', received: 0, due: PRICE });
});

test('coins whose loss is booked count again once all of them are back, and not before', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.openPayment(id, 'bitcoin');
  await providerReports(succeeded, 'bitcoin');
  await providerReports({ state: 'succeeded', received: 0 }, 'bitcoin');
  expect(await payments.alerts()).toEqual(['payment.gone']);
  const attempt = await payments.attempt();
  await payments.run(async () =>
    bookLostCoins(payments.deps, (await planLostCoins(payments.deps.db, attempt.id))!),
  );
  const loss = () =>
    payments.invoices.hosts.all
      .selectFrom('dispute')
      .select(['status', 'withdrawn'])
      .executeTakeFirstOrThrow();
  await providerReports({ state: 'succeeded', received: 0 }, 'bitcoin');
  await providerReports({ state: 'succeeded', received: PRICE - 1 }, 'bitcoin');
  expect(await loss()).toEqual({ status: 'lost', withdrawn: PRICE });
  await providerReports(succeeded, 'bitcoin');
  expect(await loss()).toEqual({ status: 'won', withdrawn: 0 });
});
