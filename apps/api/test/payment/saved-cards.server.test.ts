import { bangkokDate } from '@fixpoint/domain/kernel/bangkok.ts';
import { makeCard, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { subscriber } from '../subscription/renewing.ts';

const DAY_MS = 24 * 60 * 60_000;
const UPDATES = { event: 'payment_method.automatically_updated' };
const DEBIT = '4000056655665556';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());
afterEach(() => shop.sandbox.calm());

type Person = Awaited<ReturnType<typeof subscriber>>;
const cardsOf = async (person: Person) => (await (await person.now()).payment.getCard()).data!.cards;

/** Creates a subscriber. @returns them with their card's id at its provider */
async function owner(name: string) {
  const person = await subscriber(shop, name);
  await until(async () => (await cardsOf(person)).length > 0, 'the card that paid');
  return person;
}
/** Their cards at the provider, the default first. */
async function refsOf(person: Person): Promise<string[]> {
  const { customer_id } = await person.row();
  const rows = await shop.db
    .selectFrom('saved_method')
    .select('provider_ref')
    .where('customer_id', '=', customer_id)
    .orderBy('is_default', 'desc')
    .execute();
  return rows.map(({ provider_ref }) => provider_ref);
}
const save = async (person: Person, card: Record<string, string> = {}) => {
  const body = { card: await makeCard(shop, card), asDefault: true };
  expect((await (await person.now()).payment.updPayment({ body })).code).toBe('0000');
};
const renew = (payment_method: string, exp_year: number, number?: string) =>
  shop.sandbox.control('cards/renew', { payment_method, exp_month: 3, exp_year, ...(number && { number }) });

test('a card that its network renews shows its new data, and its owner gets no email about expiry', async () => {
  const [ivy, jack] = [await owner('ivy'), await owner('jack')];
  const { year, month } = bangkokDate(ivy.firstEnd);
  const printed = { exp_month: String(month), exp_year: String(year) };
  await save(ivy, printed);
  await save(jack, printed);
  const [ref] = await refsOf(ivy);
  await shop.sandbox.fault(UPDATES, { duplicate: 3 });
  await renew(ref!, year + 4, DEBIT);
  const renewed = { brand: 'visa', last4: '5556', expiryMonth: 3, expiryYear: year + 4, isDefault: true };
  await until(async () => (await cardsOf(ivy))[0]?.last4 === '5556', 'the renewed card');
  expect(await cardsOf(ivy)).toMatchObject([renewed]);
  // The renewal of a period that ends on the first is charged in the card's last month, so the next one is refused.
  const days = bangkokDate(ivy.firstEnd).day === 1 ? 50 : 20;
  await ivy.liveUntil(new Date(ivy.firstEnd.getTime() + days * DAY_MS));
  await jack.message(/card expires before your next payment/);
  expect([await ivy.emails(/card expires/), await jack.emails(/card expires/)]).toEqual([0, 1]);
  expect(await cardsOf(ivy)).toMatchObject([renewed]);
});

test("the shop queries a card's state: in any order of events the latest expiry is shown", async () => {
  const kim = await owner('kim');
  const [ref] = await refsOf(kim);
  await shop.sandbox.fault(UPDATES, 'reorder');
  await renew(ref!, 2041);
  await renew(ref!, 2042);
  const processed = () =>
    shop.db
      .selectFrom('provider_event')
      .select('event_id')
      .where('object_ref', '=', ref!)
      .where('processed_at', 'is not', null)
      .execute();
  await until(async () => (await processed()).length === 2, 'both notices');
  expect(await cardsOf(kim)).toMatchObject([{ expiryYear: 2042 }]);
});

test('a card that is detached at its provider is offered no more, and the other one becomes the default', async () => {
  const lee = await owner('lee');
  await save(lee, { number: '5555555555554444' });
  const [second, first] = await refsOf(lee);
  await shop.stripe.paymentMethods.detach(second!);
  await until(async () => (await cardsOf(lee)).length === 1, 'one card');
  expect(await cardsOf(lee)).toMatchObject([{ last4: '4242', isDefault: true }]);
  await shop.stripe.paymentMethods.detach(first!);
  await until(async () => (await cardsOf(lee)).length === 0, 'no card');
});

test('a card renewed into one that its owner has typed already is saved once', async () => {
  const mia = await owner('mia');
  const client = await mia.now();
  const [old] = await cardsOf(mia);
  await save(mia, { number: DEBIT });
  expect((await client.payment.updPayment({ body: { makeDefault: old!.id } })).code).toBe('0000');
  const [renewed, typed] = await refsOf(mia);
  await renew(renewed!, 2043, DEBIT);
  await until(async () => (await cardsOf(mia)).length === 1, 'one card');
  expect(await cardsOf(mia)).toMatchObject([{ last4: '5556', isDefault: true }]);
  expect(await refsOf(mia)).toEqual([typed]);
  const customerOf = async (ref: string) => (await shop.stripe.paymentMethods.retrieve(ref)).customer;
  await until(async () => (await customerOf(renewed!)) === null, 'nobody’s at the provider');
  expect(await customerOf(typed!)).not.toBeNull();
});
