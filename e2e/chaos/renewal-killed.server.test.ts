import type { FailPoint } from '@fixpoint/api/kernel/failpoints.ts';
import { beginOrder, emailTo, until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import type { FakeHost } from '@fixpoint/testkit/fake-host.ts';
import { variants } from '@fixpoint/testkit/test-gate.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { advanceClock } from '../advance-clock.ts';
import { startKillableStack } from './killable-stack.ts';

/**
 * kill -9 of the API at each step of a renewal, a month apart, and of an end for non-payment, against the real database and
 * sandbox.
 */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const EMAIL = 'chaos-renewal@example.com';

let stack: Awaited<ReturnType<typeof startKillableStack>>;
let host: FakeHost;

beforeAll(async () => {
  stack = await startKillableStack();
  host = await stack.startHost();
  const client = createClient(stack.place.url);
  const { consent, metadata } = await beginOrder(client);
  await client.order.purchase({ body: { ...consent, email: EMAIL, language: 'en' } });
  await client.order.confirmPurchase({ body: { metadata, card: 'pm_card_visa' } });
  await until(async () => (await subscription())?.status === 'active', 'the subscription', 60_000);
});
afterAll(async () => {
  await host?.stop();
  await stack?.stop();
});

type Subscription = { status: string; period_end: Date; ahead: Date };
const subscription = async (): Promise<Subscription | undefined> =>
  (
    await stack.database.query(`select status, period_end, now() + ahead_ms * interval '1 ms' as ahead
      from subscription, shop_clock`)
  ).rows[0];

/** Undefined also when the shop is killed by what becomes due. */
const advance = (ms: number) =>
  advanceClock({ url: stack.place.url, controlToken: stack.controlToken }, ms).catch(() => undefined);

/** Advances the clock to an instant, again where a call was lost with the process. */
const advanceTo = (at: number) =>
  until(
    async () => {
      const left = at - (await subscription())!.ahead.getTime();
      if (left > MINUTE_MS) await advance(left);
      return left <= MINUTE_MS;
    },
    'the clock',
    60_000,
  );

const points = variants<FailPoint>(
  ['provider.paymentMade', 'renewal.stepped', 'attempt.created', 'payment.settled'],
  1,
);

const rows = async (query: string, ...values: unknown[]) => (await stack.database.query(query, values)).rows;

test.each(points)('a renewal killed at %s has one invoice and one charge for its period', async point => {
  const before = (await subscription())!;
  const end = before.period_end.getTime();
  await advanceTo(end - 25 * HOUR_MS);
  await stack.arm(point);
  const dying = advanceTo(end - 23 * HOUR_MS);
  await stack.waitForKillAndRestart(point);
  await dying;
  await until(
    async () => {
      await advance(60_000);
      return (await subscription())!.period_end > before.period_end;
    },
    'the next period',
    120_000,
  );
  const invoices = 'select status from invoice where period_start = $1 and status <> $2';
  expect(await rows(invoices, before.period_end, 'void')).toEqual([{ status: 'paid' }]);
});

test('each month is charged once, and the books balance', async () => {
  const intents = await stack.stripe.paymentIntents.list({ limit: 100 });
  const paid = intents.data.filter(({ status }) => status === 'succeeded');
  expect(paid).toHaveLength(1 + points.length);
  expect(await rows('select txn from ledger_entry group by txn, currency having sum(amount) <> 0')).toEqual(
    [],
  );
});

/** The customer's bank declines from now on. */
async function bankRefuses(): Promise<void> {
  const [{ payer }] = (await rows('select provider_ref as payer from gateway_customer')) as [
    { payer: string },
  ];
  const card = await stack.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: payer });
  await rows('update saved_method set provider_ref = $1', card.id);
}

test('an end killed when it is closed happens once, sends one email, and reserves the address', async () => {
  const point = 'renewal.closed';
  await bankRefuses();
  const { period_end: end } = (await subscription())!;
  const last = end.getTime() + 6 * DAY_MS;
  await advanceTo(last + HOUR_MS / 2);
  expect((await subscription())!.status).toBe('pastDue');
  await stack.arm(point);
  const dying = advanceTo(last + (3 * HOUR_MS) / 2);
  await stack.waitForKillAndRestart(point);
  await dying;
  await until(
    async () => {
      await advance(60_000);
      return (await subscription())!.status === 'expired';
    },
    'the end',
    120_000,
  );
  expect(await rows(`select command from subscription_history where to_status = 'expired'`)).toHaveLength(1);
  expect(await rows('select status from invoice where period_start = $1', end)).toEqual([{ status: 'void' }]);
  const open = `select id from attempt where status in ('created', 'open', 'processing')`;
  expect(await rows(open), 'nothing can be paid any more').toEqual([]);
  expect(await rows('select address from static_ip where reserved_until is not null')).toHaveLength(1);
  await until(async () => host.set()?.subscriptions.length === 0, 'its host has let go of it');
  await emailTo(stack.place, EMAIL, /has ended/);
  const found = await fetch(`${stack.place.sandboxUrl}/mail/api/v1/search?limit=1000&query=to:${EMAIL}`);
  const { messages } = (await found.json()) as { messages: { Subject: string }[] };
  expect(messages.filter(({ Subject }) => /has ended/.test(Subject))).toHaveLength(1);
});
