import type { FailPoint } from '@fixpoint/api/kernel/failpoints.ts';
import type { PaypalLedger } from '@fixpoint/sandbox/paypal/ledger.ts';
import {
  beginOrder,
  cardPaymentOf,
  makeCard,
  type OrderState,
  paypalOrderOf,
  until,
} from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import { controlOf } from '@fixpoint/testkit/sandbox.ts';
import { variants } from '@fixpoint/testkit/test-gate.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startKillableStack } from './killable-stack.ts';

/** kill -9 of the API at each step of a purchase, against the real database and sandbox. */
let stack: Awaited<ReturnType<typeof startKillableStack>>;
let client: TestClient;

beforeAll(async () => {
  stack = await startKillableStack();
  client = createClient(stack.place.url);
});
afterAll(() => stack?.stop());

/** Long enough for all kills on a busy machine, because a buyer may wait for the last one. */
const TIMEOUT_MS = 300_000;

/** Repeats a call until the shop answers it. */
const retryUntilAnswered = <T>(call: () => Promise<T>): Promise<T> =>
  until(() => call().catch(() => undefined), 'an answer of the shop', TIMEOUT_MS);

const rows = async (sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]> =>
  (await stack.database.query(sql, values)).rows;

const subscriptionsOf = (email: string) =>
  rows('select s.id from subscription s join customer c on c.id = s.customer_id where c.email = $1', email);

/** Charges at the provider for this buyer, from the provider's ledger. */
async function charges(email: string): Promise<number> {
  const invoices = await rows(
    'select invoice.id from invoice join shop_order on shop_order.id = order_id where email = $1',
    email,
  );
  const ids = new Set(invoices.map(({ id }) => id));
  const intents = await stack.stripe.paymentIntents.list({ limit: 100 }).autoPagingToArray({ limit: 1000 });
  return intents.filter(({ status, metadata }) => status === 'succeeded' && ids.has(metadata.invoice_id))
    .length;
}

/** Presses “Pay” until the order needs no more money, as a buyer whose page gets no answer does. */
async function pay(
  email: string,
  metadata: string,
  submit: () => Promise<{ data?: OrderState }>,
): Promise<void> {
  const answers: unknown[] = [];
  while (answers.length < 5) {
    const data = await retryUntilAnswered(async () => (await submit()).data);
    if (!data!.payment) return;
    // Without an answer the payment may have succeeded all the same. Such a call is no try: the process was killed for any
    // of the buyers, and nearly each of a dozen deaths can hit the same one.
    await client.order.confirmPurchase({ body: { metadata, card: 'pm_card_visa' } }).then(
      answer => answers.push(answer),
      () => undefined,
    );
  }
  throw new Error(`${email} could not pay in five tries: ${JSON.stringify(answers)}`);
}

/** First those between the gateway's money and the shop's record of it. */
const points = variants<FailPoint>(
  [
    'provider.paymentMade',
    'card.confirmed',
    'attempt.created',
    'webhook.stored',
    'payment.settled',
    'order.fulfilling',
    'order.begun',
    'order.submitted',
    'provider.customerMade',
    'attempt.sent',
    'payment.read',
    'order.fulfilled',
  ],
  2,
);

const emailOf = (point: FailPoint) => `chaos-${point.replace('.', '-').toLowerCase()}@example.com`;

/** Buys whatever happens to the process. @returns the fulfilled order */
async function buy(email: string): Promise<OrderState> {
  const { consent, metadata } = await retryUntilAnswered(() => beginOrder(client));
  await pay(email, metadata, () => client.order.purchase({ body: { ...consent, email, language: 'en' } }));
  return until(
    async () => {
      const { data } = await client.order
        .confirmPurchase({ body: { metadata } })
        .catch(() => ({ data: undefined }));
      return data?.status === 'fulfilled' && data;
    },
    `the order of ${email}`,
    TIMEOUT_MS,
  );
}

/** Orders during which the process was killed. Their work is taken over after ten seconds; all wait together. */
const orders = new Map<FailPoint, Promise<OrderState>>();

test.each(points)('a process killed at %s starts again', async point => {
  await stack.arm(point);
  const order = buy(emailOf(point));
  order.catch(() => undefined); // looked at below; until then it must not count as unhandled
  orders.set(point, order);
  await stack.waitForKillAndRestart(point);
});

test.each(points)(
  'F1 a purchase killed at %s ends with one charge and one subscription',
  async point => {
    const email = emailOf(point);
    expect((await orders.get(point))?.status).toBe('fulfilled');
    expect(await charges(email)).toBe(1);
    expect(await subscriptionsOf(email)).toHaveLength(1);
  },
  360_000,
);

test("a card killed between its bank's answer and the shop's confirmation is charged once", async () => {
  const email = 'chaos-answered@example.com';
  const control = controlOf(stack.place.sandboxUrl, stack.controlToken);
  const { consent, metadata } = await beginOrder(client);
  const { data } = await client.order.purchase({ body: { ...consent, email, language: 'en' } });
  const card = await makeCard(stack.place, { number: '4000002760003184' });
  const asked = await client.order.confirmPurchase({ body: { metadata, card } });
  expect(asked.data?.payment?.nextAction.kind).toBe('authenticate');
  await stack.arm('payment.taking');
  await control('3ds/complete', { intent: cardPaymentOf(data) });
  const page = client.order.confirmPurchase({ body: { metadata } }).catch(() => undefined);
  await stack.waitForKillAndRestart('payment.taking');
  await page;
  expect(await charges(email)).toBe(0);
  await until(
    async () => {
      const { data } = await client.order.confirmPurchase({ body: { metadata } });
      return data?.status === 'fulfilled';
    },
    'the order whose bank had answered',
    TIMEOUT_MS,
  );
  expect(await charges(email)).toBe(1);
  expect(await subscriptionsOf(email)).toHaveLength(1);
}, 360_000);

/** Points at which a purchase with PayPal differs. */
const paypalPoints = variants<FailPoint>(
  ['payment.taking', 'provider.paymentMade', 'payment.read', 'payment.settled'],
  1,
);

const paypalEmailOf = (point: FailPoint) =>
  `chaos-paypal-${point.replace('.', '-').toLowerCase()}@example.com`;

/** PayPal's id of each order, and a promise of its fulfilment. */
const paypalOrders = new Map<FailPoint, { order: string; fulfilled: Promise<unknown> }>();

test.each(paypalPoints)('a process killed at %s of a PayPal purchase starts again', async point => {
  const control = controlOf(stack.place.sandboxUrl, stack.controlToken);
  const { consent, metadata } = await beginOrder(client);
  const body = {
    ...consent,
    paymentMethod: 'paypal' as const,
    email: paypalEmailOf(point),
    language: 'en' as const,
  };
  // The later points come after the buyer's approval.
  const before = point === 'provider.paymentMade';
  if (before) await stack.arm(point);
  const startedAgain = before && stack.waitForKillAndRestart(point);
  const order = await retryUntilAnswered(async () => {
    const { data } = await client.order.purchase({ body });
    return data?.payment && paypalOrderOf(data);
  });
  await startedAgain;
  if (!before) await stack.arm(point);
  const started = before || stack.waitForKillAndRestart(point);
  await control('paypal/approve', { order: order! });
  const fulfilled = until(
    async () => {
      const { data } = await client.order
        .confirmPurchase({ body: { metadata } })
        .catch(() => ({ data: undefined }));
      return data?.status === 'fulfilled';
    },
    `the order that was killed at ${point}`,
    TIMEOUT_MS,
  );
  fulfilled.catch(() => undefined); // looked at below, like those of the cards
  paypalOrders.set(point, { order: order!, fulfilled });
  await started;
});

// A capture has half a minute before another node takes over; these wait together too.
test.each(paypalPoints)(
  'a PayPal purchase killed at %s ends with one capture and one subscription',
  async point => {
    const { order, fulfilled } = paypalOrders.get(point)!;
    await fulfilled;
    const control = controlOf(stack.place.sandboxUrl, stack.controlToken);
    const { captures } = await control<PaypalLedger>('paypal/ledger');
    expect(captures.filter(one => one.order === order)).toHaveLength(1);
    expect(await subscriptionsOf(paypalEmailOf(point))).toHaveLength(1);
  },
  360_000,
);

test("the shop's records are consistent afterwards", async () => {
  expect(
    await rows(`select series from invoice where number is not null group by series
      having min(serial) <> 1 or max(serial) <> count(*)`),
    'invoice numbers have no gaps',
  ).toEqual([]);
  expect(
    await rows('select txn from ledger_entry group by txn, currency having sum(amount) <> 0'),
    'every ledger transaction sums to zero',
  ).toEqual([]);
  expect(
    await rows(`select i.id from invoice i where (i.status = 'paid') <> exists (
      select from attempt a where a.invoice_id = i.id and a.status = 'succeeded' and a.received - a.unapplied = i.total - i.credit_used - i.prorated)`),
    'an invoice is paid exactly when its money has arrived',
  ).toEqual([]);
  expect(
    await rows(`select a.id from attempt a where a.unapplied > 0 and not exists (
      select from refund r where r.attempt_id = a.id and r.amount = a.unapplied)`),
    'a duplicate payment is refunded',
  ).toEqual([]);
});
