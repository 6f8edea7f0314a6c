import { beginOrder, cardPaymentOf, confirmCard, makeCard, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { subscriber } from '../subscription/renewing.ts';

/** Staff delete a customer at Stripe, which removes their saved methods and makes the customer's id unusable. */
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());
afterEach(async () => expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]));

type Person = Awaited<ReturnType<typeof subscriber>>;

async function deleted(name: string): Promise<Person> {
  const person = await subscriber(shop, name);
  await until(async () => (await cardsOf(person)).length > 0, 'the card that paid');
  await shop.stripe.customers.del(await person.gatewayCustomerRef());
  return person;
}
const cardsOf = async (person: Person) => (await (await person.now()).payment.getCard()).data!.cards;

test('the charge of a renewal is refused, its customer is told, and another card pays it and later ones', async () => {
  const ann = await deleted('ann');
  await ann.at(-1);
  await ann.message(/couldn’t charge/);
  const [attempt] = await ann.attempts();
  expect(attempt).toMatchObject({ unattended: true, status: 'closed' });
  expect(await cardsOf(ann), 'nobody can be charged by it').toEqual([]);
  const client = await ann.now();
  const { data } = await client.subscription.getSubscription({ query: { id: ann.subscriptionId } });
  const body = { invoiceId: data!.openInvoice!.id, paymentMethod: 'card' as const };
  const card = await makeCard(shop);
  expect((await client.payment.payment({ body: { ...body, card } })).data).toEqual({ status: 'paid' });
  const secondEnd = (await ann.row()).period_end!;
  expect((await ann.row()).period_start).toEqual(ann.firstEnd);
  await ann.liveUntil(secondEnd);
  expect(await ann.row()).toMatchObject({ status: 'active', period_start: secondEnd });
});

test('a card that was detached there without an event is refused too', async () => {
  const ben = await subscriber(shop, 'ben');
  const { provider_ref } = await until(
    async () =>
      shop.db
        .selectFrom('saved_method')
        .select('provider_ref')
        .where('customer_id', '=', (await ben.row()).customer_id)
        .executeTakeFirst(),
    'the card that paid',
  );
  await shop.sandbox.fault({ provider: 'stripe', event: 'payment_method.detached' }, 'drop', 10);
  await shop.stripe.paymentMethods.detach(provider_ref);
  expect(await cardsOf(ben)).toHaveLength(1);
  await ben.at(-1);
  await ben.message(/couldn’t charge/);
  expect(await cardsOf(ben)).toEqual([]);
  await shop.sandbox.calm();
});

test('the customer buys again, by card and by PromptPay', async () => {
  for (const [name, paymentMethod] of [
    ['cat', 'card'],
    ['dan', 'promptpay'],
  ] as const) {
    const person = await deleted(name);
    const before = await person.gatewayCustomerRef();
    const client = await person.now();
    const { consent, metadata } = await beginOrder(client);
    const { data } = await client.order.purchaseLogin({ body: { ...consent, paymentMethod } });
    if (paymentMethod === 'card') await confirmCard(shop, cardPaymentOf(data));
    else {
      const { payments } = await shop.sandbox.ledger();
      await shop.sandbox.control('promptpay/pay', { intent: payments.at(-1)!.payment_intent });
    }
    await until(async () => {
      const order = await client.order.purchaseData({ body: { metadata } });
      return order.data?.status === 'fulfilled';
    }, 'the second subscription');
    expect(await person.gatewayCustomerRef()).not.toBe(before);
  }
});

test('the customer saves a card', async () => {
  const eve = await deleted('eve');
  const client = await eve.now();
  const card = await makeCard(shop, { number: '5555555555554444' });
  expect((await client.payment.updPayment({ body: { card, asDefault: true } })).code).toBe('0000');
  expect((await cardsOf(eve)).filter(({ last4 }) => last4 === '4444')).toMatchObject([{ isDefault: true }]);
  await eve.at(-1);
  expect(await eve.row()).toMatchObject({ status: 'active', period_start: eve.firstEnd });
});
