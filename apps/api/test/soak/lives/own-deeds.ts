import { wholeUnits } from '@fixpoint/domain/kernel/money.ts';
import { expect } from 'vitest';
import { CARDS, isGood, typedCard } from './bills.ts';
import { allOf, type Deed, isServed, moneyOf, NothingToDo } from './deeds.ts';
import { creditOf, DAY_MS, type Life } from './life.ts';

const WITHDRAWABLE_MS = 14 * DAY_MS;

const cancel = (undo: boolean): Deed => ({
  name: undo ? 'turns the renewal on' : 'turns the renewal off',
  can: known => isServed(known) && known.renews !== undo,
  async run({ shop }, life) {
    const { period_end: end } = await life.row();
    const client = await life.now();
    const { code } = await client.subscription.cancelSubscription({
      body: { id: life.subscriptionId, undo },
    });
    await shop.sweep();
    // What is owed for a period that is over cannot be taken up by turning it on.
    if (undo && end! <= shop.clock.now()) return expect(code).toBe('4002');
    expect(code).toBe('0000');
    life.known.renews = undo;
    life.post.counted[undo ? 'resumed' : 'cancelled'] += 1;
  },
});

/** His default card at his bank, as the bank changes its mind about it. */
const bank = (pays: boolean): Deed => ({
  name: pays ? 'has a bank that pays again' : 'has a bank that refuses',
  can: ({ charged }) => charged === 'card',
  async run({ shop }, life) {
    const { cards } = (await (await life.now()).payment.getCard()).data!;
    const card = cards.find(({ isDefault }) => isDefault);
    if (!card || (await isGood(shop, card.id)) === pays) throw new NothingToDo();
    const { ref } = await shop.db
      .selectFrom('saved_method')
      .innerJoin('gateway_customer', 'gateway_customer.id', 'gateway_customer_id')
      .select('gateway_customer.provider_ref as ref')
      .where('saved_method.id', '=', card.id)
      .executeTakeFirstOrThrow();
    const token = pays ? 'pm_card_visa' : 'pm_card_chargeCustomerFail';
    const { id: provider_ref } = await shop.stripe.paymentMethods.attach(token, { customer: ref! });
    await shop.db.updateTable('saved_method').set({ provider_ref }).where('id', '=', card.id).execute();
  },
});

const saves = (name: string, number: string, months?: number): Deed => ({
  name,
  can: () => true,
  async run({ shop }, life) {
    const body = { card: await typedCard(shop, number, months) };
    const { code, data } = await (await life.now()).payment.updPayment({ body });
    expect(code, JSON.stringify(data)).toBe(number === CARDS.refused ? '2002' : '0000');
    await shop.sweep();
  },
});

/** What he owes then he can pay by the account that he keeps. */
export const savesRefused = saves('saves a card that will be refused', CARDS.refusedLater);

const methods: Deed[] = [
  bank(false),
  bank(true),
  saves('saves another card', CARDS.another),
  saves('saves a card that runs out soon', CARDS.another, 2),
  savesRefused,
  saves('wants to save a card that is refused', CARDS.refused),
  {
    name: 'removes what he pays with',
    can: ({ keeps }) => keeps.card || keeps.account,
    async run({ shop }, life) {
      const client = await life.now();
      const { cards, accounts } = (await client.payment.getCard()).data!;
      const method = [...cards, ...accounts].find(({ isDefault }) => isDefault);
      if (!method) throw new NothingToDo();
      expect((await client.payment.updPayment({ body: { remove: method.id } })).code).toBe('0000');
      await shop.sweep();
    },
  },
  {
    name: 'wants to be charged by PayPal',
    can: ({ keeps, charged }) => keeps.account && charged !== 'account',
    async run(_, life) {
      const client = await life.now();
      const { accounts } = (await client.payment.getCard()).data!;
      const other = accounts.find(({ isDefault }) => !isDefault);
      if (!other) throw new NothingToDo();
      expect((await client.payment.updPayment({ body: { makeDefault: other.id } })).code).toBe('0000');
    },
  },
  {
    name: 'ends at PayPal what he had agreed to',
    // Who has agreed to it has something charged by it first.
    can: ({ charged, accountSince }, now) =>
      charged === 'account' && now.getTime() > accountSince!.getTime() + 60 * DAY_MS,
    async run({ shop }, life) {
      const { customer_id } = await life.row();
      const kept = await shop.db
        .selectFrom('saved_method')
        .select('provider_ref')
        .where('customer_id', '=', customer_id)
        .where('method', '=', 'paypal')
        .executeTakeFirst();
      const { tokens } = await shop.sandbox.paypalLedger();
      if (!kept || !tokens.includes(kept.provider_ref)) throw new NothingToDo();
      await shop.sandbox.control('paypal/vault/revoke', { token: kept.provider_ref });
      await shop.sweep();
    },
  },
];

/** What of an order comes back, reckoned from what was agreed to: all of it once, else all but the days that were used. */
function comesBack(
  { known }: Life,
  country: 'FR' | 'DE',
  { period_start: start, period_end: end }: Awaited<ReturnType<Life['row']>>,
  now: Date,
  { money, credit }: { money: number; credit: number },
): void {
  const { currency, contract } = known;
  const { price, plain, changed, cash } = contract;
  const days = (from: Date, to: Date) => (to.getTime() - from.getTime()) / DAY_MS;
  const share = (price * Math.ceil(days(now, end!))) / Math.round(days(start!, end!));
  const unused = wholeUnits(currency, share);
  const once = country === 'FR' && !known.withdrew;
  expect(money + credit, 'no more than was paid comes back').toBeLessThanOrEqual(price);
  if (!plain || (changed && !once)) return;
  expect(money + credit, 'what was paid, or its unused days').toBe(once ? price : unused);
  if (cash) expect(credit, 'money comes back as money').toBe(0);
}

const withdraw = (country: 'FR' | 'DE'): Deed => ({
  name: `withdraws from the contract in ${country}`,
  can: (known, now) => isServed(known) && now.getTime() < known.concludedAt.getTime() + WITHDRAWABLE_MS,
  async run(world, life) {
    const client = await life.now();
    const { subscriptionId: id } = life;
    const { data: back, code } = await client.subscription.withdrawal({ query: { id, country } });
    expect(code).toBe('0000');
    comesBack(life, country, await life.row(), world.shop.clock.now(), back!);
    const [money, credit] = [await moneyOf(world, life), await creditOf(client, life.known.currency)];
    const { data } = await client.subscription.withdraw({ body: { id, country, back: back! } });
    expect(data).toEqual(back);
    expect(await moneyOf(world, life), 'money goes back at once').toBe(money - back!.money);
    await world.shop.sweep();
    expect(await creditOf(client, life.known.currency)).toBeGreaterThanOrEqual(credit + back!.credit);
    life.known.ended = true;
    for (const { known } of allOf(world, life)) known.withdrew = true;
    life.post.counted.withdrawn += 1;
    expect((await life.row()).status).toBe('expired');
  },
});

/** What a customer does by himself, without paying. */
export const ownDeeds: readonly Deed[] = [
  ...[cancel(false), cancel(true)],
  ...methods,
  ...[withdraw('FR'), withdraw('DE')],
];
