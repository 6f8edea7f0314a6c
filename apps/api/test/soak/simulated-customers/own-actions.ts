import { wholeUnits } from '@fixpoint/domain/kernel/money.ts';
import { expect } from 'vitest';
import { allOf, type CustomerAction, isServed, moneyOf, NothingToDo } from './actions.ts';
import { CARDS, isChargeable, typedCard } from './bills.ts';
import { creditOf, DAY_MS, type Simulated } from './customer.ts';

const WITHDRAWABLE_MS = 14 * DAY_MS;

const cancel = (undo: boolean): CustomerAction => ({
  name: undo ? 'turns the renewal on' : 'turns the renewal off',
  can: known => isServed(known) && known.renews !== undo,
  async run({ shop }, simulated) {
    const { period_end: end } = await simulated.row();
    const client = await simulated.now();
    const { code } = await client.subscription.cancelSubscription({
      body: { id: simulated.subscriptionId, undo },
    });
    await shop.sweep();
    // Turning renewal on does not restart a period that is over and unpaid.
    if (undo && end! <= shop.clock.now()) return expect(code).toBe('7004');
    expect(code).toBe('0000');
    simulated.known.renews = undo;
    simulated.post.counted[undo ? 'resumed' : 'cancelled'] += 1;
  },
});

/** Changes whether the bank of the default card accepts charges. */
const bank = (pays: boolean): CustomerAction => ({
  name: pays ? 'has a bank that pays again' : 'has a bank that refuses',
  can: ({ charged }) => charged === 'card',
  async run({ shop }, simulated) {
    const { cards } = (await (await simulated.now()).payment.getCard()).data!;
    const card = cards.find(({ isDefault }) => isDefault);
    if (!card || (await isChargeable(shop, card.id)) === pays) throw new NothingToDo();
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

const saves = (name: string, number: string, months?: number): CustomerAction => ({
  name,
  can: () => true,
  async run({ shop }, simulated) {
    const body = { card: await typedCard(shop, number, months), asDefault: true };
    const { code, data } = await (await simulated.now()).payment.updPayment({ body });
    expect(code, JSON.stringify(data)).toBe(number === CARDS.refused ? '2002' : '0000');
    await shop.sweep();
  },
});

/** A customer with a past-due invoice can then pay by their saved account. */
export const savesRefused = saves('saves a card that will be refused', CARDS.refusedLater);

const methods: CustomerAction[] = [
  bank(false),
  bank(true),
  saves('saves another card', CARDS.another),
  saves('saves a card that runs out soon', CARDS.another, 2),
  savesRefused,
  saves('wants to save a card that is refused', CARDS.refused),
  {
    name: 'removes what he pays with',
    can: ({ keeps }) => keeps.card || keeps.account,
    async run({ shop }, simulated) {
      const client = await simulated.now();
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
    async run(_, simulated) {
      const client = await simulated.now();
      const { accounts } = (await client.payment.getCard()).data!;
      const other = accounts.find(({ isDefault }) => !isDefault);
      if (!other) throw new NothingToDo();
      expect((await client.payment.updPayment({ body: { makeDefault: other.id } })).code).toBe('0000');
    },
  },
  {
    name: 'ends at PayPal what he had agreed to',
    // A charge by the saved account comes first.
    can: ({ charged, accountSince }, now) =>
      charged === 'account' && now.getTime() > accountSince!.getTime() + 60 * DAY_MS,
    async run({ shop }, simulated) {
      const { customer_id } = await simulated.row();
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

/** Refund of an order by its terms: the full price once, otherwise the unused days. */
function refundOf(
  { known }: Simulated,
  country: 'FR' | 'DE',
  { period_start: start, period_end: end }: Awaited<ReturnType<Simulated['row']>>,
  now: Date,
  { money, credit }: { money: number; credit: number },
): void {
  const { currency, contract } = known;
  const { price, plain, changed, cash } = contract;
  const days = (from: Date, to: Date) => (to.getTime() - from.getTime()) / DAY_MS;
  // The day that has begun is used.
  const share = (price * (Math.ceil(days(now, end!)) - 1)) / Math.round(days(start!, end!));
  const unused = wholeUnits(currency, share);
  const once = country === 'FR' && !known.withdrew;
  expect(money + credit, 'no more than was paid comes back').toBeLessThanOrEqual(price);
  if (!plain || (changed && !once)) return;
  expect(money + credit, 'what was paid, or its days that have not begun').toBe(once ? price : unused);
  if (cash) expect(credit, 'money comes back as money').toBe(0);
}

const withdraw = (country: 'FR' | 'DE'): CustomerAction => ({
  name: `withdraws from the contract in ${country}`,
  can: (known, now) => isServed(known) && now.getTime() < known.concludedAt.getTime() + WITHDRAWABLE_MS,
  async run(simulation, simulated) {
    const client = await simulated.now();
    const { subscriptionId: id } = simulated;
    const { data: back, code } = await client.subscription.withdrawal({ query: { id, country } });
    expect(code).toBe('0000');
    refundOf(simulated, country, await simulated.row(), simulation.shop.clock.now(), back!);
    const [money, credit] = [
      await moneyOf(simulation, simulated),
      await creditOf(client, simulated.known.currency),
    ];
    const { data } = await client.subscription.withdraw({ body: { id, country, back: back! } });
    expect(data).toEqual(back);
    expect(await moneyOf(simulation, simulated), 'money goes back at once').toBe(money - back!.money);
    await simulation.shop.sweep();
    expect(await creditOf(client, simulated.known.currency)).toBeGreaterThanOrEqual(credit + back!.credit);
    simulated.known.ended = true;
    for (const { known } of allOf(simulation, simulated)) known.withdrew = true;
    simulated.post.counted.withdrawn += 1;
    expect((await simulated.row()).status).toBe('expired');
  },
});

/** What a customer does without paying. */
export const ownActions: readonly CustomerAction[] = [
  ...[cancel(false), cancel(true)],
  ...methods,
  ...[withdraw('FR'), withdraw('DE')],
];
