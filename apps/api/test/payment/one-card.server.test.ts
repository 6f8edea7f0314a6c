import {
  beginOrder,
  cardPaymentOf,
  clientSecretOf,
  confirmPastShop,
  makeCard,
  until,
} from '@fixpoint/testkit/buyer.ts';
import { untilJobsDone } from '@fixpoint/testkit/load-test/load-test.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { leaveAlone, subscriber } from '../subscription/renewing.ts';

/** One card is one try: no card reaches a bank past the shop, and each payment is finished by the shop. */
const MINUTE_MS = 60_000;
const MANY = 60;
const ASKED = '4000002760003184';
const DECLINED = [
  '4000000000000002',
  '4000000000009995',
  '4000000000009987',
  '4000000000009979',
  '4000000000000119',
  '4000000000006975',
];
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ LIMITS_SCALE: '1', TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => shop?.stop());
afterEach(() => leaveAlone(shop));
// Each test has its own limits.
beforeEach(() => shop.clock.advance(2 * 60 * MINUTE_MS));

const made = (number: string) => makeCard(shop, { number });
const many = <T>(call: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: MANY }, (_, n) => call(n)));

async function guestOrder(email: string) {
  const { metadata, consent } = await beginOrder(shop.client);
  const purchase = (more: object = {}) =>
    shop.client.order.purchase({ body: { ...consent, email, language: 'en', ...more } });
  const confirm = (card?: string) => shop.client.order.confirmPurchase({ body: { metadata, card } });
  return { email, metadata, purchase, confirm };
}

/** An order whose bank asks. `intent`: its payment at the provider. */
async function askedOrder(email: string, number = ASKED) {
  const order = await guestOrder(email);
  const intent = cardPaymentOf((await order.purchase()).data);
  const { data } = await order.confirm(await made(number));
  expect(data!.status).toBe('awaitingPayment');
  // What the events of the question make the shop do is over.
  await shop.sandbox.catchUp();
  await untilJobsDone(shop.db);
  const answer = (how: 'complete' | 'fail') => shop.sandbox.control(`3ds/${how}`, { intent });
  return { ...order, intent, secret: clientSecretOf(data), answer };
}

/** All charges of a payment, by their cards. Each has reached a bank. */
async function chargesOf(...intents: (string | null)[]) {
  const lists = await Promise.all(
    intents.map(intent => shop.stripe.charges.list({ payment_intent: intent!, limit: 100 })),
  );
  return lists.flatMap(({ data }) =>
    data.map(({ status, payment_method_details }) => ({
      status,
      card: payment_method_details!.card!.fingerprint,
    })),
  );
}
const paidOnce = async (intent: string) =>
  expect((await chargesOf(intent)).map(({ status }) => status)).toEqual(['succeeded']);

const attemptsOf = (email: string) =>
  shop.db
    .selectFrom('attempt')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .innerJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .select(['attempt.status', 'attempt.provider_ref', 'attempt.received', 'attempt.unapplied'])
    .where('email', '=', email)
    .orderBy('attempt_no')
    .execute();
const fulfilled = ({ confirm }: { confirm: () => Promise<{ data?: { status: string } | undefined }> }) =>
  until(async () => (await confirm()).data?.status === 'fulfilled', 'the order');
/** Lets the worker look, as it does without a page. */
async function later(minutes: number): Promise<void> {
  shop.clock.advance(minutes * MINUTE_MS);
  await shop.sweep();
}

describe('S43 no card gets past the shop', () => {
  test('no call hands out a client secret before the bank asks', async () => {
    const { purchase, confirm } = await guestOrder('no-secret@example.com');
    expect(JSON.stringify([await purchase(), await purchase(), await confirm()])).not.toContain('_secret');
  });

  test('sixty cards at once by the secret of a bank’s question reach no bank, and it still pays', async () => {
    const order = await askedOrder('past-the-shop@example.com');
    const statuses = await many(async n => {
      const card = await made(DECLINED[n % DECLINED.length]!);
      return (await confirmPastShop(shop, order.secret, card)).status;
    });
    expect(new Set(statuses)).toEqual(new Set([400]));
    expect(await chargesOf(order.intent)).toEqual([]);
    await order.answer('complete');
    expect((await confirmPastShop(shop, order.secret, 'pm_card_visa')).status).toBe(400);
    await fulfilled(order);
    await paidOnce(order.intent);
  });

  test('sixty cards at once through the shop: at most three reach a bank', async () => {
    const order = await guestOrder('through-the-shop@example.com');
    const cards = await Promise.all(DECLINED.map(made));
    const answers = await many(async n => {
      await order.purchase();
      return order.confirm(cards[n % cards.length]);
    });
    expect(answers.filter(({ status }) => status === 500)).toEqual([]);
    const intents = (await attemptsOf(order.email)).map(({ provider_ref }) => provider_ref);
    const reached = new Set((await chargesOf(...intents)).map(({ card }) => card));
    expect(reached.size).toBeGreaterThan(0);
    expect(reached.size).toBeLessThanOrEqual(3);
  });

  test('sixty orders of one account at once: at most three cards reach a bank, and an expiry is not guessed', async () => {
    const { client } = await shop.customer('many-orders');
    const before = (await shop.stripe.charges.list({ limit: 100 })).data.length;
    const cards = await Promise.all(DECLINED.map(made));
    const orders = await Promise.all(Array.from({ length: 12 }, () => beginOrder(client)));
    for (const { consent } of orders) await client.order.purchaseLogin({ body: consent });
    const answers = await many(n =>
      client.order.confirmPurchase({
        body: { metadata: orders[n % orders.length]!.metadata, card: cards[n % cards.length] },
      }),
    );
    expect(answers.filter(({ status }) => status === 500)).toEqual([]);
    const all = (await shop.stripe.charges.list({ limit: 100 })).data;
    const declined = all.slice(0, all.length - before);
    const reached = new Set(declined.map(each => each.payment_method_details!.card!.fingerprint));
    expect(reached.size).toBeLessThanOrEqual(3);
    expect(declined.length).toBeLessThanOrEqual(3 * 4);
  });

  test('a card that pays leaves the others their tries', async () => {
    const { client } = await shop.customer('four-good-cards');
    const cards = ['4242424242424242', '5555555555554444', '378282246310005', '4000000000007726'];
    for (const number of cards) {
      const { metadata, consent } = await beginOrder(client);
      await client.order.purchaseLogin({ body: consent });
      const { data } = await client.order.confirmPurchase({ body: { metadata, card: await made(number) } });
      expect(['paid', 'fulfilled']).toContain(data!.status);
    }
  });
});

describe('after the bank’s question', () => {
  test('the page pays, once, whoever else asks at the same time', async () => {
    const order = await askedOrder('back@example.com');
    await order.answer('complete');
    const calls = Array.from({ length: 12 }, (_, n) => (n % 4 === 3 ? order.purchase() : order.confirm()));
    const answers = await Promise.all([...calls, shop.sweep()]);
    expect(answers.filter(answer => answer && answer.status !== 200)).toEqual([]);
    await fulfilled(order);
    await paidOnce(order.intent);
    expect(await attemptsOf(order.email)).toMatchObject([{ status: 'succeeded', unapplied: 0 }]);
  });

  // Nothing tells the shop: Stripe sends no event about `requires_confirmation`.
  test('a closed page pays all the same, also when the customer took their time', async () => {
    const order = await askedOrder('closed@example.com');
    for (let minutes = 0; minutes < 20; minutes += 1) await later(1);
    await order.answer('complete');
    await later(1);
    await fulfilled(order);
    await paidOnce(order.intent);
  });

  test('a second card has its own hour', async () => {
    const order = await askedOrder('second-card@example.com');
    await later(50);
    const again = await made('4000000000003220');
    expect(clientSecretOf((await order.confirm(again)).data)).toBe(order.secret);
    for (let minutes = 0; minutes < 15; minutes += 1) await later(1);
    await order.answer('complete');
    await later(1);
    await fulfilled(order);
    await paidOnce(order.intent);
  });

  test('a lost answer to the last confirmation is found out, and charges once', async () => {
    const order = await askedOrder('lost-answer@example.com');
    await order.answer('complete');
    await shop.sandbox.fault({ event: '*' }, 'drop', 100);
    await shop.sandbox.fault({ path: 'POST /v1/payment_intents/*/confirm' }, 'commitThenDropConnection', 2);
    expect(await order.confirm()).toMatchObject({ code: '9901' });
    expect((await attemptsOf(order.email))[0]).toMatchObject({ status: 'processing', received: 0 });
    await later(2);
    await shop.sandbox.calm();
    await fulfilled(order);
    await paidOnce(order.intent);
  });

  test('a confirmation that never left is sent again', async () => {
    const order = await askedOrder('never-sent@example.com');
    await order.answer('complete');
    await shop.sandbox.fault({ path: 'POST /v1/payment_intents/*/confirm' }, '500', 2);
    expect(await order.confirm()).toMatchObject({ code: '9901' });
    await later(2);
    await fulfilled(order);
    await paidOnce(order.intent);
  });

  test('its decline is said, and another card pays', async () => {
    const order = await askedOrder('poor@example.com', '4000008260003178');
    await order.answer('complete');
    const { data } = await until(async () => {
      const answer = await order.confirm();
      return answer.data!.status === 'failed' && answer;
    }, 'the decline');
    expect(data).toMatchObject({ failure: 'insufficient_funds' });
    expect((await order.purchase()).data!.status).toBe('awaitingPayment');
    expect(['paid', 'fulfilled']).toContain(
      (await order.confirm(await made('4242424242424242'))).data!.status,
    );
    const sums = (await attemptsOf(order.email)).map(({ received }) => received);
    expect(sums).toEqual([0, 199_00]);
  });

  test('an answer that the shop learns of too late charges nothing', async () => {
    const order = await askedOrder('too-late@example.com');
    await order.answer('complete');
    await shop.sandbox.fault({ path: 'GET /v1/payment_intents/*' }, '500', 100);
    await later(61);
    await shop.sandbox.calm();
    await later(61);
    expect((await order.confirm()).data!.status).toBe('failed');
    expect(await chargesOf(order.intent)).toEqual([]);
  });

  test('an answer to a payment that was given up for another method charges nothing', async () => {
    const order = await askedOrder('other-method@example.com');
    await order.purchase({ paymentMethod: 'bitcoin' });
    await expect(order.answer('complete')).rejects.toThrow('No open 3-D Secure question');
    await later(2);
    expect(await chargesOf(order.intent)).toEqual([]);
  });

  test('an answer about an invoice that takes no money any more charges nothing', async () => {
    const order = await askedOrder('void@example.com');
    await order.answer('complete');
    await shop.db
      .updateTable('invoice')
      .set({ status: 'void' })
      .where('order_id', 'in', eb =>
        eb.selectFrom('shop_order').select('id').where('email', '=', order.email),
      )
      .execute();
    await order.confirm();
    await later(2);
    expect(await attemptsOf(order.email)).toMatchObject([{ status: 'closed', received: 0 }]);
    expect((await shop.stripe.paymentIntents.retrieve(order.intent)).status).toBe('canceled');
    expect(await chargesOf(order.intent)).toEqual([]);
  });

  test('P12 a renewal that the bank refuses without its owner is paid once they have answered, also with a closed page', async () => {
    const person = await subscriber(shop, 'owner-asked');
    await person.cardIs('pm_card_authenticationRequired');
    await person.at(-0.5);
    const client = await person.now();
    const { openInvoice } = (
      await client.subscription.getSubscription({ query: { id: person.subscriptionId } })
    ).data!;
    const [card] = (await client.payment.getCard()).data!.cards;
    const body = { invoiceId: openInvoice!.id, paymentMethod: 'card' as const, cardId: card!.id };
    const [intent] = clientSecretOf((await client.payment.payment({ body })).data).split('_secret');
    await shop.sandbox.control('3ds/complete', { intent });
    await later(1);
    expect((await person.invoices()).map(({ status }) => status)).toEqual(['paid', 'paid']);
    await paidOnce(intent!);
  });
});
