import { PRICE } from '@fixpoint/testkit/given/invoices.ts';
import { CARD, type GivenPayments, givenPayments } from '@fixpoint/testkit/given/payments.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NamedFault } from '../../src/kernel/refusal.ts';
import { listAlerts } from '../../src/modules/alert/index.ts';
import { chargeSaved } from '../../src/modules/payment/attempt/charge-saved-method.ts';
import { closeAttempt } from '../../src/modules/payment/attempt/close-attempt.ts';
import { askAttempt, askInvoice } from '../../src/modules/payment/attempt/poll-attempt.ts';
import { removeMethod } from '../../src/modules/payment/saved-method/saved-methods.ts';

/** Charges of saved methods whose outcome is unknown, on inserted rows. */
const HOUR_MS = 60 * 60_000;
const HALF_AN_HOUR_MS = HOUR_MS / 2;
let payments: GivenPayments;
beforeEach(async () => {
  payments = await givenPayments();
});
afterEach(() => payments?.invoices.hosts.stop());

const unreachable = (answered: boolean) => Object.assign(new NamedFault('providerUnreachable'), { answered });
const succeeded = { state: 'succeeded' as const, received: PRICE };
/** Makes the charging process die just before the call. */
async function endsBeforeSending(method: 'card' | 'paypal', invoiceId: string): Promise<void> {
  const { gateway } = payments[method];
  const { start } = gateway;
  gateway.start = async () => {
    throw unreachable(false);
  };
  await expect(payments.openPayment(invoiceId, method, { id: 'met_1' })).rejects.toThrow();
  gateway.start = start;
  const { all } = payments.invoices.hosts;
  await all.updateTable('attempt').set({ tries: 0 }).where('status', '=', 'created').execute();
}
const later = (ms: number) => payments.invoices.hosts.clock.advance(ms);

test('FM1 a saved method may be charged although its provider answers with an error: another key is tried half an hour later', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.saveCard();
  const keys: string[] = [];
  const { start } = payments.card.gateway;
  payments.card.gateway.start = async attempt => {
    keys.push(attempt.key.replace(attempt.id, ''));
    throw unreachable(true);
  };
  payments.card.answers.unknown = true;
  const retryAfter = async (after: number) => {
    later(after);
    await expect(payments.openPayment(id, 'card', { id: 'met_1' })).rejects.toThrow();
    return keys.splice(0);
  };
  expect([await retryAfter(0), await retryAfter(HALF_AN_HOUR_MS - 1)]).toEqual([['-1'], ['-1']]);
  expect(await retryAfter(1)).toEqual(['-1', '-2']);
  // The outcome is resolved, whatever method is the default by now.
  Object.assign(payments.card.gateway, { start });
  Object.assign(payments.card.answers, succeeded);
  expect(await payments.openPayment(id, 'bitcoin')).toBeUndefined();
  expect([payments.card.calls.at(-1), payments.bitcoin.calls]).toEqual(['start 1 pm_met_1', []]);
  expect((await payments.invoices.invoiceRow(id)).status).toBe('paid');
});

test('a charge that was never sent blocks nothing', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.saveCard();
  await endsBeforeSending('card', id);
  expect(await payments.run(() => askInvoice(payments.deps, id))).toBeUndefined();
  expect(await payments.openPayment(id, 'bitcoin')).toMatchObject({ method: 'bitcoin' });
  expect(await payments.attempt()).toMatchObject({ status: 'closed', tries: 0 });
  expect(payments.card.calls).toEqual([]);
  await expect(payments.openPayment(id, 'promptpay')).rejects.toThrow(
    'This shop has no gateway for promptpay',
  );
});

test('a renewal whose charge got no answer is queried and sent again with its key, and is still one charge', async () => {
  const { id } = (await payments.invoices.renewalInvoice())!;
  await payments.saveCard();
  const { start } = payments.card.gateway;
  const keys: string[] = [];
  payments.card.gateway.start = async attempt => {
    keys.push(attempt.key.replace(attempt.id, ''));
    if (keys.length === 1) throw unreachable(false);
    return start(attempt);
  };
  const charge = () => payments.run(() => chargeSaved(payments.deps, id, 1));
  await expect(charge()).rejects.toThrow();
  Object.assign(payments.card.answers, { ...succeeded, unknown: true });
  expect([await charge(), keys, payments.card.calls]).toEqual([
    true,
    ['-1', '-1'],
    ['ask 1', 'start 1 pm_met_1'],
  ]);
  expect((await payments.invoices.invoiceRow(id)).status).toBe('paid');
  expect(await payments.attempts()).toMatchObject([{ unattended: true, tries: 1 }]);
});

test('a method removed while its charge is unknown is waited for, and does not come back with its money', async () => {
  const { id } = (await payments.invoices.renewalInvoice())!;
  await payments.saveCard();
  const { start } = payments.card.gateway;
  payments.card.gateway.start = async () => {
    throw unreachable(true);
  };
  payments.card.answers.unknown = true;
  await expect(payments.run(() => chargeSaved(payments.deps, id, 1))).rejects.toThrow();
  await payments.run(() => removeMethod(payments.deps, payments.invoices.owner.customerId, 'met_1'));
  // It may have been charged, so nothing else begins and no other key is tried.
  await expect(payments.openPayment(id, 'bitcoin')).rejects.toThrow();
  expect(await payments.attempts()).toMatchObject([{ saved_method_id: null, status: 'created', tries: 1 }]);
  Object.assign(payments.card.gateway, { start });
  Object.assign(payments.card.answers, { ...succeeded, unknown: false, method: CARD });
  await payments.run(async () => askAttempt(payments.deps, (await payments.attempt()).id));
  expect((await payments.invoices.invoiceRow(id)).status).toBe('paid');
  expect(payments.jobs.map(({ name }) => name)).not.toContain('saveMethod');
});

test('a removed method is never charged again: it was not charged if its provider does not report it in time', async () => {
  const { id } = (await payments.invoices.renewalInvoice())!;
  await payments.saveCard();
  const { start } = payments.card.gateway;
  payments.card.gateway.start = async () => {
    throw unreachable(false);
  };
  payments.card.answers.unknown = true;
  await expect(payments.run(() => chargeSaved(payments.deps, id, 1))).rejects.toThrow();
  await payments.run(() => removeMethod(payments.deps, payments.invoices.owner.customerId, 'met_1'));
  Object.assign(payments.card.gateway, { start });
  later(6 * HOUR_MS - 1);
  await expect(payments.openPayment(id, 'bitcoin')).rejects.toThrow('providerUnreachable');
  later(1);
  expect(await payments.openPayment(id, 'bitcoin')).toMatchObject({ method: 'bitcoin' });
  expect(await payments.attempt()).toMatchObject({ status: 'closed', failure: 'cardDeclined', received: 0 });
  expect(payments.card.calls.filter(call => call.startsWith('start'))).toEqual([]);
});

/** Creates a void invoice whose charge was sent without an answer. */
async function voidUnheard() {
  const { id } = (await payments.invoices.renewalInvoice())!;
  await payments.saveCard();
  const { start } = payments.card.gateway;
  payments.card.gateway.start = async () => {
    throw unreachable(false);
  };
  await expect(payments.run(() => chargeSaved(payments.deps, id, 1))).rejects.toThrow();
  Object.assign(payments.card.gateway, { start });
  await payments.invoices.hosts.all.updateTable('invoice').set({ status: 'void' }).execute();
}

test('a possible charge of a void invoice is queried, never sent again, and refunded', async () => {
  await voidUnheard();
  const close = () => payments.run(async () => closeAttempt(payments.deps, await payments.attempt()));
  payments.card.answers.unknown = true;
  await expect(close()).rejects.toThrow('providerUnreachable');
  later(HALF_AN_HOUR_MS - 1);
  await expect(close()).rejects.toThrow('providerUnreachable');
  expect(await payments.attempt()).toMatchObject({ status: 'created' });
  Object.assign(payments.card.answers, { ...succeeded, unknown: false });
  await close();
  expect(await payments.attempt()).toMatchObject({ status: 'succeeded', received: PRICE });
  expect(await payments.refunds()).toMatchObject([{ reason: 'unapplied', amount: PRICE }]);
  expect(payments.card.calls.filter(call => call.startsWith('start'))).toEqual([]);
});

test('a possible charge of a void invoice is over when its provider would have reported it by now', async () => {
  await voidUnheard();
  payments.card.answers.unknown = true;
  later(HALF_AN_HOUR_MS);
  await payments.run(async () => closeAttempt(payments.deps, await payments.attempt()));
  expect(await payments.attempt()).toMatchObject({ status: 'closed', received: 0 });
  expect(payments.card.calls).toEqual(['ask 1']);
});

test('a manual try is waited for, and the saved method is charged once that is declined', async () => {
  const { id } = (await payments.invoices.renewalInvoice())!;
  await payments.saveCard();
  await payments.openPayment(id);
  payments.card.answers.state = 'processing';
  await payments.run(() => askInvoice(payments.deps, id));
  const charge = () => payments.run(() => chargeSaved(payments.deps, id, 1));
  expect([await charge(), payments.card.calls.at(-1)]).toEqual([true, 'ask 1']);
  expect(await payments.attempts()).toMatchObject([{ status: 'processing' }]);
  // It was none of the charges that the invoice may have.
  Object.assign(payments.card.gateway, { takes: () => false });
  expect(await charge()).toBe(false);
  Object.assign(payments.card.gateway, { takes: () => true });
  const { ask } = payments.card.gateway;
  Object.assign(payments.card.answers, succeeded);
  payments.card.gateway.ask = async attempt => {
    const answer = await ask(attempt);
    return answer === 'unknown'
      ? answer
      : { ...answer, state: 'failed', received: 0, decline: 'generic_decline' };
  };
  expect(await charge()).toBe(true);
  expect((await payments.attempts()).map(({ status, saved_method_id }) => [status, saved_method_id])).toEqual(
    [
      ['closed', null],
      ['succeeded', 'met_1'],
    ],
  );
});

test('a manual payment is closed before a saved method is charged, and so is the charge of a removed method', async () => {
  const { id } = (await payments.invoices.renewalInvoice())!;
  await payments.saveCard();
  await payments.openPayment(id);
  const charge = () => payments.run(() => chargeSaved(payments.deps, id, 1));
  Object.assign(payments.card.answers, { state: 'failed', decline: 'stolen_card' });
  expect(await charge()).toBe(true);
  expect(payments.card.calls).toEqual(['start 1', 'close 1', 'start 2 pm_met_1']);
  const { all } = payments.invoices.hosts;
  await all.updateTable('attempt').set({ saved_method_id: null }).execute();
  await all.deleteFrom('saved_method').execute();
  expect([await charge(), payments.card.calls.length]).toEqual([true, 3]);
});

test('a charge without an answer raises an alert a day later, and is sent again all the same', async () => {
  const id = await payments.invoices.draftInvoice();
  payments.card.gateway.start = async () => {
    throw unreachable(false);
  };
  payments.card.answers.unknown = true;
  await expect(payments.openPayment(id)).rejects.toThrow();
  const attempt = (await payments.attempt()).id;
  const ask = () => payments.run(() => askAttempt(payments.deps, attempt));
  later(24 * HOUR_MS);
  await expect(ask()).rejects.toThrow();
  expect(await payments.alerts()).toEqual([]);
  later(1);
  await expect(ask()).rejects.toThrow();
  expect(await payments.invoices.read(db => listAlerts(db))).toMatchObject([
    { kind: 'attempt.unknown', subject: attempt, what: { status: 'created' } },
  ]);
});

test('a possible PayPal charge is closed without a query only once PayPal would list it', async () => {
  await payments.saveCard();
  const { all } = payments.invoices.hosts;
  await all.updateTable('gateway_customer').set({ provider: 'paypal' }).execute();
  const id = await payments.invoices.draftInvoice();
  Object.assign(payments.paypal.gateway, {
    start: async () => {
      throw unreachable(false);
    },
  });
  payments.paypal.answers.unknown = true;
  await expect(payments.openPayment(id, 'paypal', { id: 'met_1' })).rejects.toThrow();
  const close = () => payments.run(async () => closeAttempt(payments.deps, await payments.attempt()));
  later(6 * HOUR_MS);
  await expect(close()).rejects.toThrow();
  expect((await payments.attempt()).status).toBe('created');
  later(1);
  await close();
  expect((await payments.attempt()).status).toBe('closed');
  // A charge that was never sent needs no query.
  await endsBeforeSending('paypal', id);
  const calls = payments.paypal.calls.length;
  await payments.run(async () => closeAttempt(payments.deps, await payments.attempt(2)));
  expect([(await payments.attempt(2)).status, payments.paypal.calls.length]).toEqual(['closed', calls]);
});
