import type { FailPoint } from '@fixpoint/api/failpoints.ts';
import { beginOrder, clientSecretOf, confirmCard, until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import type { FakeHost } from '@fixpoint/testkit/fake-host.ts';
import { sampled } from '@fixpoint/testkit/sample.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { passTime } from '../pass-time.ts';
import { startKillableStack } from './killable-stack.ts';

/** kill -9 of the API at each step of a renewal, a month apart, against the real database and sandbox. */
const HOUR_MS = 60 * 60_000;
const EMAIL = 'chaos-renewal@example.com';

let stack: Awaited<ReturnType<typeof startKillableStack>>;
let host: FakeHost;

beforeAll(async () => {
  stack = await startKillableStack();
  host = await stack.startHost();
  const client = createClient(stack.place.url);
  const { consent, metadata } = await beginOrder(client);
  const bought = await client.order.purchase({ body: { ...consent, email: EMAIL, language: 'en' } });
  await confirmCard(stack.place, clientSecretOf(bought.data));
  await client.order.confirmPurchase({ body: { metadata } });
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

/** Undefined also when the shop dies of what falls due. */
const pass = (ms: number) =>
  passTime({ url: stack.place.url, controlToken: stack.controlToken }, ms).catch(() => undefined);

const points = sampled<FailPoint>(['renewal.stepped', 'attempt.created', 'provider.paymentMade'], 1);

test.each(points)('killed at %s of a renewal: one invoice and one charge for its period', async point => {
  const before = (await subscription())!;
  await pass(before.period_end.getTime() - before.ahead.getTime() - 25 * HOUR_MS);
  await stack.arm(point);
  const dying = pass(2 * HOUR_MS);
  await stack.killedAndStartedAgain(point);
  await dying;
  await until(
    async () => {
      await pass(60_000);
      return (await subscription())!.period_end > before.period_end;
    },
    'the next period',
    120_000,
  );
  const { rows } = await stack.database.query(
    'select status from invoice where period_start = $1 and status <> $2',
    [before.period_end, 'void'],
  );
  expect(rows).toEqual([{ status: 'paid' }]);
});

test('each month was charged once, and the books balance', async () => {
  const intents = await stack.stripe.paymentIntents.list({ limit: 100 });
  const paid = intents.data.filter(({ status }) => status === 'succeeded');
  expect(paid).toHaveLength(1 + points.length);
  const { rows } = await stack.database.query(
    'select txn from ledger_entry group by txn, currency having sum(amount) <> 0',
  );
  expect(rows).toEqual([]);
});
