import { beginOrder, logInByEmail, paypalOrderOf, until } from '@fixpoint/testkit/buyer.ts';
import { untilJobsDone } from '@fixpoint/testkit/load-test/load-test.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openProviders } from '../../src/compose/providers.ts';
import { readProviderEnv } from '../../src/env/env.ts';
import { checkDatabase, compareGateway } from '../../src/modules/books/index.ts';
import { sumsOf } from '../../src/ports/gateway-books.ts';
import { followed, leaveAlone } from '../subscription/renewing.ts';
import { type NewOrder, type PaypalBuyers, paypalBuyers } from './paypal-buyers.ts';

/** Purchases with PayPal: approved there, captured by us. */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const provider = 'paypal';
const CAPTURES = { provider, path: 'POST /v2/checkout/orders/*/capture' } as const;
const EVENTS = { provider, event: '*' } as const;
let shop: TestShop;
let buyers: PaypalBuyers;
beforeAll(async () => {
  shop = await startTestShop();
  buyers = paypalBuyers(shop);
});
afterEach(async () => {
  await shop.sandbox.calm();
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
  await leaveAlone(shop);
});
afterAll(() => shop?.stop());

describe('a PayPal purchase', () => {
  test('is what the buyer approved, captured when they return', async () => {
    const order = await buyers.newOrder('back');
    const paypal = paypalOrderOf(await order.press());
    expect((await order.confirm()).data).toMatchObject({
      status: 'awaitingPayment',
      payment: { nextAction: { kind: 'redirect' } },
    });
    expect(paypalOrderOf(await order.press())).toBe(paypal);
    await shop.sandbox.fault(EVENTS, 'drop', 10);
    await buyers.agree(paypal);
    const { data } = await order.confirm();
    expect(data).toMatchObject({ status: expect.stringMatching(/^(paid|fulfilled)$/) });
    expect(data?.payment).toBeUndefined();
    await buyers.is(order, 'fulfilled');
    const [attempt] = await buyers.attemptsOf(order);
    expect(attempt).toMatchObject({ status: 'succeeded', received: 199_00, fee: 19_76, unapplied: 0 });
    expect(await buyers.capturesOf(paypal)).toMatchObject([
      { status: 'COMPLETED', amount: '199.00', customId: attempt!.id, capture: attempt!.charge_ref },
    ]);
  });

  test('P29 is captured too when they close the window', async () => {
    const order = await buyers.newOrder('closed-window');
    const paypal = paypalOrderOf(await order.press());
    await buyers.agree(paypal);
    await buyers.is(order, 'fulfilled');
    expect(await buyers.capturesOf(paypal)).toHaveLength(1);
  });

  test('is captured too when no webhook event arrives', async () => {
    const order = await buyers.newOrder('no-news');
    const paypal = paypalOrderOf(await order.press());
    await shop.sandbox.fault(EVENTS, 'drop', 10);
    await buyers.agree(paypal);
    await buyers.later(2 * MINUTE_MS);
    await buyers.is(order, 'fulfilled');
  });

  test('FM1 is captured once, however many events arrive at once', async () => {
    const order = await buyers.newOrder('all-at-once');
    const paypal = paypalOrderOf(await order.press());
    await shop.sandbox.fault(EVENTS, { duplicate: 5 }, 10);
    await buyers.agree(paypal);
    await Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 ? order.confirm() : order.press())));
    await buyers.is(order, 'fulfilled');
    expect(await buyers.capturesOf(paypal)).toHaveLength(1);
    expect(await buyers.attemptsOf(order)).toMatchObject([{ status: 'succeeded', unapplied: 0 }]);
  });

  test.each(['commitThenDropConnection', 'drop', '500', '500AfterCommit'])(
    'FM1 is captured once when the capture ends with %s',
    async how => {
      const order = await buyers.newOrder(`lost-${how.toLowerCase()}`);
      const paypal = paypalOrderOf(await order.press());
      await shop.sandbox.fault(EVENTS, 'drop', 10);
      await buyers.agree(paypal);
      await shop.sandbox.fault(CAPTURES, how);
      expect(await order.confirm()).toMatchObject({ code: '9901' });
      // A capture that may be in progress is waited for, and not offered again.
      expect(await order.press()).toMatchObject({ status: expect.not.stringMatching('failed') });
      await buyers.later(2 * MINUTE_MS);
      await buyers.is(order, 'fulfilled');
      expect(await buyers.capturesOf(paypal)).toHaveLength(1);
      expect(await buyers.attemptsOf(order)).toMatchObject([{ status: 'succeeded', unapplied: 0 }]);
    },
  );

  test('funded by a bank is paid when the bank confirms, and declined when it declines', async () => {
    for (const [outcome, status] of [
      ['completed', 'fulfilled'],
      ['declined', 'failed'],
    ] as const) {
      const order = await buyers.newOrder(`bank-${outcome}`);
      const paypal = paypalOrderOf(await order.press());
      await buyers.agree(paypal, 'bank');
      await until(
        async () => (await buyers.attemptsOf(order))[0]!.status === 'processing',
        'the pending payment',
      );
      const { data } = await order.confirm();
      const waits = { method: 'paypal', nextAction: { kind: 'wait' } };
      expect(data).toMatchObject({ status: 'awaitingPayment', payment: waits });
      // Another payment method waits for it too.
      expect(await order.press('card')).toMatchObject({ payment: waits });
      const { capture } = await until(async () => (await buyers.capturesOf(paypal))[0], 'the capture');
      await shop.sandbox.control('paypal/captures/settle', { capture, outcome });
      await buyers.is(order, status);
    }
  });
});

test('X20 a movement where two spans of the report meet is counted once', async () => {
  const order = await buyers.newOrder('where-two-meet');
  await buyers.agree(paypalOrderOf(await order.press()));
  await buyers.is(order, 'fulfilled');
  const moved = shop.clock.now().getTime();
  await buyers.later(HOUR_MS);
  const { paypal } = await openProviders(readProviderEnv(shop.sandbox.settings)!, shop.clock);
  // A span has 30 days.
  const ends = new Date(moved - 30 * 24 * HOUR_MS);
  const besides = new Date(ends.getTime() + MINUTE_MS);
  const movedSince = async (since: Date) => sumsOf((await paypal!.books.read(since)).movements);
  expect(await movedSince(ends)).toEqual(await movedSince(besides));
});

describe('a declined PayPal payment', () => {
  test('says so, is not retried by itself, and the next try pays once', async () => {
    const order = await buyers.newOrder('refused');
    const first = paypalOrderOf(await order.press());
    await shop.sandbox.fault(CAPTURES, { delayBefore: 1 }, 100);
    await buyers.agree(first, 'refusedCard');
    await buyers.is(order, 'failed');
    expect((await order.confirm()).data).toMatchObject({ status: 'failed', failure: '2002' });
    await buyers.later(2 * MINUTE_MS);
    const { struck } = await shop.sandbox.control<{ struck: object }>('faults');
    expect(struck).toEqual({ delayBefore: 1 });
    const second = paypalOrderOf(await order.press());
    expect(second).not.toBe(first);
    await buyers.agree(second);
    await buyers.is(order, 'fulfilled');
    expect(await buyers.capturesOf(first, second)).toMatchObject([{ order: second }]);
    expect(await buyers.attemptsOf(order)).toMatchObject([{ status: 'closed' }, { status: 'succeeded' }]);
  });

  test('begins again when PayPal has deleted it after hours', async () => {
    const order = await buyers.newOrder('forgotten');
    const first = paypalOrderOf(await order.press());
    await buyers.later(4 * HOUR_MS);
    const second = paypalOrderOf(await order.press());
    expect(second).not.toBe(first);
    await buyers.agree(second);
    await buyers.is(order, 'fulfilled');
  });

  test('BG9 offers only methods that can pay the order in its currency', async () => {
    const { metadata } = await buyers.newOrder('currency');
    const id = metadata.split('|')[3]!;
    const methods = async () =>
      (await shop.client.order.getPaymentMethod({ query: { id } })).data!.methods.map(({ method }) => method);
    expect(await methods()).toEqual(['card', 'paypal', 'promptpay', 'bitcoin']);
    await shop.db
      .updateTable('shop_order')
      .set({ currency: 'KRW', price: 19_900_00, net: 19_900_00, vat: 0 })
      .where('product_id', 'is not', null)
      .where('status', '=', 'draft')
      .execute();
    // The store has no rate for it, and PayPal does not take it.
    expect(await methods()).toEqual(['card']);
  });
});

describe('P30 a PayPal account that may be charged again', () => {
  const savedOf = ({ email }: NewOrder) =>
    shop.db
      .selectFrom('saved_method')
      .innerJoin('customer', 'customer.id', 'saved_method.customer_id')
      .select(['saved_method.method', 'account', 'provider_ref'])
      .where('customer.email', '=', email)
      .execute();

  test('is saved under its masked name, also when PayPal takes a while, and is removed when its owner withdraws it', async () => {
    const order = await buyers.newOrder('credited');
    await shop.sandbox.control('paypal/vault/late', { ms: 5 * MINUTE_MS });
    await buyers.agree(paypalOrderOf(await order.press()));
    await buyers.is(order, 'fulfilled');
    await shop.sandbox.control('paypal/vault/late', { ms: 0 });
    expect(await savedOf(order)).toEqual([]);
    shop.clock.advance(6 * MINUTE_MS);
    await shop.sandbox.catchUp();
    const [saved] = await until(async () => {
      const rows = await savedOf(order);
      return rows.length > 0 && rows;
    }, 'the kept account');
    expect(saved).toMatchObject({ method: 'paypal', account: 's***@buyer.example' });
    await shop.sandbox.control('paypal/vault/revoke', { token: saved!.provider_ref });
    await until(async () => (await savedOf(order)).length === 0, 'nothing kept');
  });

  test('FU8 pays its owner’s next order once without a redirect; declined, it says so', async () => {
    const order = await buyers.newOrder('regular');
    await buyers.agree(paypalOrderOf(await order.press()));
    await buyers.is(order, 'fulfilled');
    const [saved] = await until(async () => {
      const rows = await savedOf(order);
      return rows.length > 0 && rows;
    }, 'the kept account');
    const { client } = await logInByEmail(shop, order.email);
    const accountId = (await client.payment.getCard()).data!.accounts[0]!.id;
    const buy = async (paymentMethod: 'paypal' | 'card' = 'paypal') => {
      const { consent } = await beginOrder(client);
      return (more: object = { accountId }) =>
        client.order.purchaseLogin({ body: { ...consent, paymentMethod, ...more } });
    };
    const press = await buy();
    for (const { data } of await Promise.all([press(), press()])) {
      expect(data).toMatchObject({ status: expect.stringMatching(/^(paid|fulfilled)$/) });
    }
    const charged = (await buyers.attemptsOf(order)).filter(({ saved_method_id }) => saved_method_id);
    expect(charged).toMatchObject([{ status: 'succeeded', received: 199_00, unapplied: 0 }]);
    expect(await (await buy('card'))()).toMatchObject({ code: '6007' });

    await shop.sandbox.fault(EVENTS, 'drop', 10);
    await shop.sandbox.control('paypal/vault/revoke', { token: saved!.provider_ref });
    const again = await buy();
    const refused = (await again()).data!;
    expect(refused).toMatchObject({ status: 'failed', failure: '2002' });
    expect(refused).not.toHaveProperty('payment');
    expect((await again({})).data).toMatchObject({ payment: { nextAction: { kind: 'redirect' } } });
  });
});

describe('P31 FM1 a charge of a saved account whose answer was lost and whose key has expired', () => {
  const ORDERS = { provider, path: 'POST /v2/checkout/orders' } as const;
  const FORGOTTEN_MS = 7 * HOUR_MS;

  /** Charges an account without the shop's knowledge. @param lasts whether the order still exists when the key has expired */
  async function charged(name: string, lasts: boolean) {
    const first = await buyers.newOrder(name);
    await buyers.agree(paypalOrderOf(await first.press()));
    await buyers.is(first, 'fulfilled');
    const { client } = await logInByEmail(shop, first.email);
    const { id: accountId } = await until(
      async () => (await client.payment.getCard()).data!.accounts[0],
      'the kept account',
    );
    const { consent, metadata } = await beginOrder(client);
    await shop.sandbox.fault(EVENTS, 'drop', 10);
    await shop.sandbox.fault(ORDERS, 'commitThenDropConnection');
    const body = { ...consent, paymentMethod: 'paypal' as const, accountId };
    expect(await client.order.purchaseLogin({ body })).toMatchObject({ code: '9901' });
    const expires_at = new Date(shop.clock.now().getTime() + FORGOTTEN_MS * (lasts ? 10 : 1));
    await shop.db
      .updateTable('shop_order')
      .set({ expires_at })
      .where('email', '=', first.email)
      .where('status', '=', 'awaitingPayment')
      .execute();
    shop.clock.advance(FORGOTTEN_MS);
    const credited = async () =>
      (await buyers.attemptsOf(first)).find(({ saved_method_id }) => saved_method_id !== null)!;
    const captures = async () => {
      const { id } = await credited();
      return (await shop.sandbox.paypalLedger()).captures.filter(({ customId }) => customId === id);
    };
    return { client, metadata, credited, captures, id: (await credited()).id };
  }
  /** Delivers the lost event at last. */
  async function redeliverLast() {
    type Deliveries = { deliveries: { event: string; state: string }[] };
    const { deliveries } = await shop.sandbox.control<Deliveries>('deliveries');
    await shop.sandbox.control('redeliver', {
      event: deliveries.findLast(({ state }) => state === 'dropped')!.event,
    });
  }
  const paid = (one: Awaited<ReturnType<typeof charged>>) =>
    until(async () => {
      const { data } = await one.client.order.purchaseData({ body: { metadata: one.metadata } });
      return data?.status === 'fulfilled';
    }, 'the order');

  test("is found by our own id among PayPal's captures", async () => {
    const one = await charged('forgotten', true);
    await buyers.later(MINUTE_MS);
    await paid(one);
    const [capture, ...more] = await one.captures();
    expect(more).toEqual([]);
    expect(await one.credited()).toMatchObject({
      status: 'succeeded',
      unapplied: 0,
      received: 199_00,
      provider_ref: capture!.order,
      charge_ref: capture!.capture,
    });
  });

  test('is found by the id in PayPal’s event while PayPal lists nothing', async () => {
    await shop.sandbox.control('paypal/report/late', { ms: 90 * 24 * HOUR_MS });
    const one = await charged('forgotten-and-told', true);
    await buyers.later(MINUTE_MS);
    expect(await one.credited()).toMatchObject({ status: 'created', provider_ref: null });
    await redeliverLast();
    await paid(one);
    await shop.sandbox.control('paypal/report/late', { ms: 0 });
    expect(await one.captures()).toHaveLength(1);
    expect(await one.credited()).toMatchObject({ status: 'succeeded', unapplied: 0 });
  });

  test('is not closed without a query when its order ends, because it was paid', async () => {
    const one = await charged('forgotten-and-over', false);
    // The order ends before the poll.
    const ask_at = new Date(shop.clock.now().getTime() + HOUR_MS);
    await shop.db.updateTable('attempt').set({ ask_at }).where('id', '=', one.id).execute();
    await buyers.later(MINUTE_MS);
    await paid(one);
    expect(await one.captures()).toMatchObject([{ status: 'COMPLETED' }]);
  });

  test('is closed where PayPal has no trace of it, and events that arrive after all count', async () => {
    const one = await charged('never-arrived', false);
    // As if PayPal had another id for it.
    const rename = (from: string, to: string) =>
      shop.db.updateTable('attempt').set({ id: to }).where('id', '=', from).execute();
    await rename(one.id, 'att_unheard');
    await until(async () => {
      await buyers.later(MINUTE_MS);
      const ended = shop.db.selectFrom('shop_order').select('id').where('status', '=', 'expired');
      return (await ended.execute()).length > 0;
    }, 'the end of the order');
    expect(await one.credited()).toMatchObject({ status: 'closed', provider_ref: null });
    await rename('att_unheard', one.id);
    expect(await one.captures()).toHaveLength(1);
    await redeliverLast();
    await paid(one);
    expect(await one.captures()).toHaveLength(1);
    expect(await one.credited()).toMatchObject({ status: 'succeeded', received: 199_00 });
  });
});

test('FU8 a past-due renewal is paid by the saved account with one press', async () => {
  const order = await buyers.newOrder('owes');
  await buyers.agree(paypalOrderOf(await order.press()));
  await buyers.is(order, 'fulfilled');
  const { client } = await logInByEmail(shop, order.email);
  const account = await until(
    async () => (await client.payment.getCard()).data!.accounts[0],
    'the kept account',
  );
  const subscriptionId = await until(async () => {
    const { items } = (await client.subscription.mySubscription({ body: {} })).data!;
    return items[0]?.status === 'active' && items[0].id;
  }, 'what was bought');
  const person = await followed(shop, { email: order.email, subscriptionId });
  // PayPal fails at the renewal, which becomes past due.
  await shop.sandbox.fault({ provider, path: 'POST /v2/checkout/orders' }, '500', 10_000);
  await person.at(-0.5);
  const pastDue = await until(
    async () => (await person.invoices()).find(({ status }) => status === 'open'),
    'the invoice',
  );
  await shop.sandbox.calm();
  const body = { invoiceId: pastDue.id, paymentMethod: 'paypal' as const, accountId: account.id };
  const pressed = await (await person.now()).payment.payment({ body });
  expect(pressed.data).toEqual({ status: 'paid' });
  expect((await person.row()).period_start).toEqual(person.firstEnd);
});

test("FS9 a buyer's complaint raises an alert, and PayPal's fee for it is booked", async () => {
  const order = await buyers.newOrder('complains');
  const paypal = paypalOrderOf(await order.press());
  await buyers.agree(paypal);
  await buyers.is(order, 'fulfilled');
  const { capture } = (await buyers.capturesOf(paypal))[0]!;
  const { id } = await shop.sandbox.control('paypal/disputes/open', { capture });
  const alerts = (kind: string) =>
    shop.db.selectFrom('open_alert').select('subject').where('kind', '=', kind).execute();
  await until(async () => (await alerts('dispute')).some(({ subject }) => subject === id), 'the matter');
  const books = await paypalBooks();
  const balances = async () => (await compareGateway(shop.db, books, shop.clock.now())).found;
  expect(await balances()).toEqual([]);
  await shop.sandbox.control('paypal/disputes/close', { dispute: id, outcome: 'lost' });
  await until(async () => (await alerts('dispute.lost')).some(({ subject }) => subject === id), 'the loss');
  expect(await balances()).toEqual([]);
  // An appeal: the loss has its credit note, so the money is the payer's.
  await shop.sandbox.control('paypal/disputes/close', { dispute: id, outcome: 'won' });
  await until(
    async () => (await alerts('dispute.regained')).some(({ subject }) => subject === id),
    'the gain',
  );
  expect(await alerts('dispute.lost')).toEqual([]);
  expect(await balances()).toEqual([]);
});

/** Creates a captured payment. @returns its id at PayPal, and PayPal's entries about it */
async function taken(name: string) {
  const order = await buyers.newOrder(name);
  const paypal = paypalOrderOf(await order.press());
  await buyers.agree(paypal);
  await buyers.is(order, 'fulfilled');
  const [attempt] = await buyers.attemptsOf(order);
  const rows = (from: 'dispute' | 'credit_note') =>
    from === 'dispute'
      ? shop.db
          .selectFrom('dispute')
          .select(['provider_ref', 'status', 'withdrawn', 'fee'])
          .where('attempt_id', '=', attempt!.id)
          .execute()
      : shop.db
          .selectFrom('credit_note')
          .select(['total', 'credited'])
          .where('invoice_id', '=', attempt!.invoice_id)
          .execute();
  return { capture: attempt!.charge_ref!, attempt: attempt!, rows };
}
const untilAlert = (kind: string, subject: string) =>
  until(async () => {
    const told = await shop.db
      .selectFrom('open_alert')
      .select('kind')
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .execute();
    return told.length > 0;
  }, `${kind} of ${subject}`);

test('P40 M17 a dispute that is decided in part loses that part, once', async () => {
  const { capture, rows } = await taken('gets-a-part');
  const { id } = await shop.sandbox.control('paypal/disputes/open', { capture });
  await untilAlert('dispute', id);
  expect(await rows('dispute')).toMatchObject([{ withdrawn: 199_00, status: 'open' }]);
  await shop.sandbox.control('paypal/disputes/close', { dispute: id, outcome: 'lost', amount: 50_00 });
  await untilAlert('dispute.lost', id);
  // PayPal reports the reversal too, with another id.
  await shop.sweep();
  expect(await rows('dispute')).toEqual([{ provider_ref: id, status: 'lost', withdrawn: 50_00, fee: 0 }]);
  expect(await rows('credit_note')).toEqual([{ total: 50_00, credited: false }]);
  expect((await compareGateway(shop.db, await paypalBooks(), shop.clock.now())).found).toEqual([]);
});

test('P41 M17 a dispute fee that PayPal charges long after the decision is booked, also its partial return', async () => {
  const { capture, rows } = await taken('costs-a-fee');
  const { id } = await shop.sandbox.control('paypal/disputes/open', { capture });
  await shop.sandbox.control('paypal/disputes/close', { dispute: id, outcome: 'lost' });
  await untilAlert('dispute.lost', id);
  const lost = { provider_ref: id, status: 'lost', withdrawn: 199_00 };
  expect(await rows('dispute')).toEqual([{ ...lost, fee: 0 }]);
  for (const [days, amount, fee] of [
    [1, 250_00, 250_00],
    // By then the payment and its events are older than the compared span.
    [20, -100_00, 150_00],
  ] as const) {
    shop.clock.advance(days * 24 * HOUR_MS);
    await shop.sandbox.control('paypal/disputes/fee', { dispute: id, amount });
    shop.clock.advance(2 * HOUR_MS);
    await shop.sweep();
    await until(async () => (await rows('dispute')).some(row => 'fee' in row && row.fee === fee), 'its fee');
  }
  expect(await rows('credit_note')).toEqual([{ total: 199_00, credited: false }]);
  expect((await compareGateway(shop.db, await paypalBooks(), shop.clock.now())).found).toEqual([]);
});

test('P40 M17 a reversal by PayPal itself is a loss, also a partial one, under any id', async () => {
  const { capture, rows } = await taken('reversed');
  const { id } = await shop.sandbox.control('paypal/captures/reverse', { capture, amount: 120_00 });
  await untilAlert('dispute.lost', id);
  expect(await rows('dispute')).toEqual([{ provider_ref: id, status: 'lost', withdrawn: 120_00, fee: 0 }]);
  expect(await rows('credit_note')).toEqual([{ total: 120_00, credited: false }]);
  // A repeated event changes nothing.
  const { deliveries } = await shop.sandbox.control<{
    deliveries: { event: string; type: string }[];
  }>('deliveries');
  const last = deliveries.findLast(({ type }) => type === 'PAYMENT.CAPTURE.REVERSED')!;
  await shop.sandbox.control('redeliver', { event: last.event });
  await shop.sweep();
  expect(await rows('dispute')).toHaveLength(1);
  // Another part is another loss, beside the first.
  const { id: next } = await shop.sandbox.control('paypal/captures/reverse', { capture, amount: 30_00 });
  await untilAlert('dispute.lost', next);
  const parts = await rows('dispute');
  expect(parts).toHaveLength(2);
  expect(parts).toContainEqual({ provider_ref: id, status: 'lost', withdrawn: 120_00, fee: 0 });
  expect(parts).toContainEqual({ provider_ref: next, status: 'lost', withdrawn: 30_00, fee: 0 });
  const notes = await rows('credit_note');
  expect(notes).toHaveLength(2);
  expect(notes).toContainEqual({ total: 30_00, credited: false });
  expect((await compareGateway(shop.db, await paypalBooks(), shop.clock.now())).found).toEqual([]);
});

test('P40 X25 a reversal that is reported before its dispute can be found is lost once', async () => {
  const { capture, rows } = await taken('told-early');
  await shop.sandbox.fault({ provider: 'paypal', path: 'GET /v1/customer/disputes*' }, '403', 1_000);
  const { id } = await shop.sandbox.control('paypal/disputes/open', { capture });
  await shop.sandbox.control('paypal/disputes/close', { dispute: id, outcome: 'lost' });
  await until(async () => (await rows('dispute')).length > 0, 'the reversal');
  const [reversal] = (await rows('dispute')) as { provider_ref: string }[];
  expect(reversal!.provider_ref).not.toBe(id);
  await untilAlert('dispute.lost', reversal!.provider_ref);
  await shop.sandbox.calm();
  // Its events are used up; the hourly comparison finds it.
  shop.clock.advance(2 * HOUR_MS);
  await shop.sweep();
  await untilAlert('dispute.lost', id);
  await shop.sweep();
  expect(await rows('dispute')).toEqual([{ provider_ref: id, status: 'lost', withdrawn: 199_00, fee: 0 }]);
  expect(await rows('credit_note')).toEqual([{ total: 199_00, credited: false }]);
  expect((await compareGateway(shop.db, await paypalBooks(), shop.clock.now())).found).toEqual([]);
});

async function paypalBooks() {
  const { paypal } = await openProviders(readProviderEnv(shop.sandbox.settings)!, shop.clock);
  return paypal!.books;
}

test('X25 PayPal’s transaction report agrees with the books', async () => {
  const books = await paypalBooks();
  const balance = () => compareGateway(shop.db, books, shop.clock.now());
  const { balances } = await shop.sandbox.paypalLedger();
  const thb = {
    currency: 'THB',
    ours: balances.THB!.net,
    theirs: balances.THB!.net,
    holds: balances.THB!.net,
    fees: balances.THB!.fees,
  };
  expect(await balance()).toMatchObject({ found: [] });
  expect((await balance()).balances).toContainEqual(expect.objectContaining(thb));
  // The report is up to three hours late: missing entries are no difference.
  await shop.sandbox.control('paypal/report/late', { ms: 3 * HOUR_MS });
  const order = await buyers.newOrder('late-report');
  await buyers.agree(paypalOrderOf(await order.press()));
  await buyers.is(order, 'fulfilled');
  expect((await balance()).found).toEqual([]);
  await shop.sandbox.control('paypal/report/late', { ms: 0 });
});

test("X25 the books agree with PayPal's balance", async () => {
  // Jobs book the last events.
  await shop.sandbox.catchUp();
  await untilJobsDone(shop.db);
  const { rows } = await sql<{ sum: number }>`select coalesce(sum(amount), 0)::int as sum from ledger_entry
    where account = 'provider' and provider = 'paypal' and currency = 'THB'`.execute(shop.db);
  const { balances } = await shop.sandbox.paypalLedger();
  expect(rows[0]!.sum).toBe(balances.THB!.net);
  expect(balances.THB!.fees).toBeGreaterThan(0);
});

test('the return address leads to the order page, in the remembered language, without PayPal’s parameters', async () => {
  const back = async (path: string, cookie = '') =>
    (await fetch(`${shop.url}${path}`, { redirect: 'manual', headers: { cookie } })).headers.get('location');
  expect(await back('/back/agreed?token=O1&PayerID=P1')).toBe('/#/en/order?back=agreed');
  expect(await back('/back/cancelled?token=O1', 'a=b; i18n_redirected=th')).toBe(
    '/#/th/order?back=cancelled',
  );
  expect(await back('/back/agreed', 'i18n_redirected=xx')).toBe('/#/en/order?back=agreed');
});
