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

/** Who hears of a charge first: whoever charges, or the notice of it; as rows. */
const MINUTE_MS = 60_000;
const EVENT = 'evt_1';
let pays: GivenPayments;
beforeEach(async () => {
  pays = await givenPayments();
});
afterEach(() => pays?.rows.places.stop());

const succeeded = { state: 'succeeded' as const, received: PRICE };
const job = { name: 'providerEvent', data: { provider: 'stripe', eventId: EVENT } };

/** A renewal that is charged by a kept card. */
async function charge(): Promise<unknown> {
  await pays.keepCard();
  const { id } = (await pays.rows.renew())!;
  return pays.run(() => chargeSaved(pays.deps, id, 1));
}

/** Its provider tells that the newest attempt was paid. */
async function told(method: 'card' | 'bitcoin' = 'card'): Promise<void> {
  const { id: ours, attempt_no } = (await pays.attempts()).at(-1)!;
  const about = { about: 'payment' as const, ref: `${method}_${attempt_no}`, ours, moved: true };
  const notice = { eventId: EVENT, type: 'payment_intent.succeeded', ...about };
  const { gateway } = pays[method];
  Object.assign(gateway, { readWebhook: async () => [notice] });
  await pays.run(() => receiveWebhook(pays.deps, gateway.provider, Buffer.alloc(0), {}));
}

const minuteLater = async () => {
  pays.rows.places.clock.advance(MINUTE_MS + 1);
  await lookAfter();
};
const lookAfter = () => pays.run(() => taskNamed(paymentTasks, 'workOffNotices', pays.deps).run());
const isWorkedOff = async () => {
  const { processed_at } = await pays.rows.places.all
    .selectFrom('provider_event')
    .select('processed_at')
    .executeTakeFirstOrThrow();
  return processed_at !== null;
};

test('a charge that tells its fee is one call and few statements; its notice is passed over, and asks nothing', async () => {
  Object.assign(pays.card.says, { ...succeeded, fee: 7_26 });
  await pays.keepCard();
  const { id } = (await pays.rows.renew())!;
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await pays.run(() => chargeSaved(pays.deps, id, 1));
  const statements = query.mock.calls.length;
  query.mockRestore();
  expect(statements).toBeGreaterThan(0);
  expect(statements).toBeLessThanOrEqual(15);
  expect(await pays.booked('paid:')).toMatchObject({ provider: PRICE });
  expect(await pays.booked('fee:')).toEqual({ provider: -7_26, fees: 7_26 });
  await told();
  await lookAfter();
  expect([await isWorkedOff(), pays.jobs]).toEqual([true, []]);
  expect(pays.card.calls).toEqual(['start 1 pm_met_1']);
});

test('what nobody waits for, and whose fee is still to come, is asked about when a minute is over', async () => {
  Object.assign(pays.card.says, succeeded);
  await charge();
  await told();
  await lookAfter();
  expect([await isWorkedOff(), pays.jobs]).toEqual([false, []]);
  await minuteLater();
  expect(pays.jobs).toEqual([job]);
});

test('whoever charged is gone before he heard of it: his notice is asked about instead', async () => {
  const { start } = pays.card.gateway;
  Object.assign(pays.card.gateway, {
    start: async () => {
      throw new NamedFault('providerUnreachable');
    },
  });
  await expect(charge()).rejects.toThrow(NamedFault);
  Object.assign(pays.card.gateway, { start });
  await told();
  await lookAfter();
  expect(pays.jobs).toEqual([]);
  await minuteLater();
  expect(pays.jobs).toEqual([job]);
  Object.assign(pays.card.says, { ...succeeded, fee: 7_26 });
  await pays.run(() => processEvent(pays.deps, 'stripe', EVENT));
  expect(await isWorkedOff()).toBe(true);
  expect(await pays.attempt()).toMatchObject({ status: 'succeeded', fee: 7_26 });
  expect(pays.card.calls).toEqual(['ask 1']);
});

test('more coins may come to what was paid by them: what tells of those is never passed over', async () => {
  const id = await pays.rows.draft();
  await pays.open(id, 'bitcoin');
  Object.assign(pays.bitcoin.says, { ...succeeded, fee: 0 });
  await pays.run(() => askInvoice(pays.deps, id));
  expect(await pays.attempt()).toMatchObject({ status: 'succeeded', fee: 0 });
  await told('bitcoin');
  await lookAfter();
  expect(await isWorkedOff()).toBe(false);
});

test('what somebody waits for is asked about at once', async () => {
  await pays.open(await pays.rows.draft());
  await told();
  expect(pays.jobs).toEqual([job]);
  await told();
  expect(pays.jobs).toEqual([job]);
});
