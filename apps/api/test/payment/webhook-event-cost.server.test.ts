import { PRICE } from '@fixpoint/testkit/given/invoices.ts';
import { type GivenPayments, givenPayments } from '@fixpoint/testkit/given/payments.ts';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NamedFault } from '../../src/kernel/refusal.ts';
import { chargeSaved } from '../../src/modules/payment/attempt/charge-saved-method.ts';
import { askInvoice } from '../../src/modules/payment/attempt/poll-attempt.ts';
import { paymentTasks } from '../../src/modules/payment/index.ts';
import { processEvent } from '../../src/modules/payment/webhook-event/process-event.ts';
import { receiveWebhook } from '../../src/modules/payment/webhook-event/receive-webhook.ts';
import { taskNamed } from '../helpers/task-named.ts';

/** Whether the charging process or the webhook event reports a charge first; on inserted rows. */
const MINUTE_MS = 60_000;
const EVENT = 'evt_1';
let payments: GivenPayments;
beforeEach(async () => {
  payments = await givenPayments();
});
afterEach(() => payments?.invoices.hosts.stop());

const succeeded = { state: 'succeeded' as const, received: PRICE };
const job = { name: 'providerEvent', data: { provider: 'stripe', eventId: EVENT } };

/** Charges a renewal to a saved card. */
async function charge(): Promise<unknown> {
  await payments.saveCard();
  const { id } = (await payments.invoices.renewalInvoice())!;
  return payments.run(() => chargeSaved(payments.deps, id, 1));
}

/** Stores the provider's event that the newest attempt was paid. */
async function storeEvent(method: 'card' | 'bitcoin' = 'card'): Promise<void> {
  const { id: ours, attempt_no } = (await payments.attempts()).at(-1)!;
  const about = { about: 'payment' as const, ref: `${method}_${attempt_no}`, ours, moved: true };
  const notice = { eventId: EVENT, type: 'payment_intent.succeeded', ...about };
  const { gateway } = payments[method];
  Object.assign(gateway, { readWebhook: async () => [notice] });
  await payments.run(() =>
    receiveWebhook(payments.deps, gateway.provider, { body: Buffer.alloc(0), headers: {}, network: '' }),
  );
}

const minuteLater = async () => {
  payments.invoices.hosts.clock.advance(MINUTE_MS + 1);
  await lookAfter();
};
const lookAfter = () => payments.run(() => taskNamed(paymentTasks, 'workOffNotices', payments.deps).run());
const isWorkedOff = async () => {
  const { processed_at } = await payments.invoices.hosts.all
    .selectFrom('provider_event')
    .select('processed_at')
    .executeTakeFirstOrThrow();
  return processed_at !== null;
};

test('a charge that reports its fee is one call and few statements; its event is skipped without a query', async () => {
  Object.assign(payments.card.answers, { ...succeeded, fee: 7_26 });
  await payments.saveCard();
  const { id } = (await payments.invoices.renewalInvoice())!;
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await payments.run(() => chargeSaved(payments.deps, id, 1));
  const statements = query.mock.calls.length;
  query.mockRestore();
  expect(statements).toBeGreaterThan(0);
  expect(statements).toBeLessThanOrEqual(15);
  expect(await payments.ledgerSums('paid:')).toMatchObject({ provider: PRICE });
  expect(await payments.ledgerSums('fee:')).toEqual({ provider: -7_26, fees: 7_26 });
  await storeEvent();
  await lookAfter();
  expect([await isWorkedOff(), payments.jobs]).toEqual([true, []]);
  expect(payments.card.calls).toEqual(['start 1 pm_met_1']);
});

test('a charge that nobody waits for, and whose fee is missing, is queried after a minute', async () => {
  Object.assign(payments.card.answers, succeeded);
  await charge();
  await storeEvent();
  await lookAfter();
  expect([await isWorkedOff(), payments.jobs]).toEqual([false, []]);
  await minuteLater();
  expect(payments.jobs).toEqual([job]);
});

test('when the charging process dies before the answer, the event causes a query instead', async () => {
  const { start } = payments.card.gateway;
  Object.assign(payments.card.gateway, {
    start: async () => {
      throw new NamedFault('providerUnreachable');
    },
  });
  await expect(charge()).rejects.toThrow(NamedFault);
  Object.assign(payments.card.gateway, { start });
  await storeEvent();
  await lookAfter();
  expect(payments.jobs).toEqual([]);
  await minuteLater();
  expect(payments.jobs).toEqual([job]);
  Object.assign(payments.card.answers, { ...succeeded, fee: 7_26 });
  await payments.run(() => processEvent(payments.deps, 'stripe', EVENT));
  expect(await isWorkedOff()).toBe(true);
  expect(await payments.attempt()).toMatchObject({ status: 'succeeded', fee: 7_26 });
  expect(payments.card.calls).toEqual(['ask 1']);
});

test('events about a bitcoin payment are never skipped, because more coins may come', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.openPayment(id, 'bitcoin');
  Object.assign(payments.bitcoin.answers, { ...succeeded, fee: 0 });
  await payments.run(() => askInvoice(payments.deps, id));
  expect(await payments.attempt()).toMatchObject({ status: 'succeeded', fee: 0 });
  await storeEvent('bitcoin');
  await lookAfter();
  expect(await isWorkedOff()).toBe(false);
});

test('an event that somebody waits for causes a query at once', async () => {
  await payments.openPayment(await payments.invoices.draftInvoice());
  await storeEvent();
  expect(payments.jobs).toEqual([job]);
  await storeEvent();
  expect(payments.jobs).toEqual([job]);
});
