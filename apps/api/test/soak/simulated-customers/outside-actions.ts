import { toProviderUnit, wholeUnits } from '@fixpoint/domain/kernel/money.ts';
import { expect } from 'vitest';
import { liveBus } from '../../../src/adapters/postgres-bus.ts';
import { asApplication } from '../../../src/database/scope.ts';
import { planRefund, refundInvoice } from '../../../src/modules/payment/index.ts';
import { announcePrice } from '../../../src/modules/subscription/index.ts';
import { type CustomerAction, isServed, markUnpredictable, NothingToDo, type Simulation } from './actions.ts';
import { creditOf, DAY_MS, HOUR_MS, monthIn, PLANS, type Simulated } from './customer.ts';

const CHARGES = 'POST /v1/payment_intents';
const ORDERS = 'POST /v2/checkout/orders';

const refund = (name: string, asked: { part?: boolean; asCredit?: boolean }): CustomerAction => ({
  name,
  afterLeaving: !asked.asCredit,
  can: () => true,
  async run(simulation, simulated, prng) {
    const { shop, jobs } = simulation;
    const { part = false, asCredit = false } = asked;
    const { customer_id } = await simulated.row();
    const paid = await shop.db
      .selectFrom('invoice')
      .select('number')
      .where('customer_id', '=', customer_id)
      .where('status', '=', 'paid')
      .where('total', '>', 0)
      .orderBy('serial')
      .execute();
    const { number } = prng.pick(paid.slice(-4));
    const wish = { reason: 'Asked for', asCredit };
    const all = await planRefund(shop, number!, wish).catch((error: Error) => {
      expect(error.name).toBe('NotRefundable');
    });
    if (!all) throw new NothingToDo();
    const amount = part ? Math.ceil(all.left / 300) * 100 : all.left;
    const exact = { ...wish, amount: Math.min(amount, all.left) };
    const plan = await planRefund(shop, number!, exact);
    const deps = { db: shop.db, clock: shop.clock, jobs };
    const credit = asCredit && (await creditIn(simulation, simulated, number!));
    await asApplication(() => refundInvoice(deps, number!, exact, plan.code));
    markUnpredictable(simulation, simulated);
    if (credit !== false) expect(await creditIn(simulation, simulated, number!)).toBe(credit + exact.amount);
    await shop.sweep();
  },
});

/** Credit in the currency of an invoice. */
async function creditIn({ shop }: Simulation, simulated: Simulated, number: string): Promise<number> {
  const { currency } = await shop.db
    .selectFrom('invoice')
    .select('currency')
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
  return creditOf(await simulated.now(), currency);
}

/** Payments that can be disputed: nothing of them was refunded or disputed before. */
const disputable = async ({ shop }: Simulation, simulated: Simulated) =>
  shop.db
    .selectFrom('attempt')
    .innerJoin('gateway_customer', 'gateway_customer.id', 'gateway_customer_id')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .select([
      'attempt.provider_ref',
      'charge_ref',
      'gateway_customer.provider',
      'received',
      'subscription_id',
    ])
    .select('attempt.currency')
    .where('attempt.customer_id', '=', (await simulated.row()).customer_id)
    .where('attempt.status', '=', 'succeeded')
    .where('method', 'in', ['card', 'paypal'])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('dispute').select('id').whereRef('attempt_id', '=', 'attempt.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('refund').select('id').whereRef('attempt_id', '=', 'attempt.id'))),
    )
    .orderBy('attempt.created_at', 'desc')
    .limit(4)
    .execute();

const dispute = (inPart: boolean): CustomerAction => ({
  name: inPart ? 'has his bank take a part of a payment back' : 'has his bank take a payment back',
  afterLeaving: true,
  can: () => true,
  async run(simulation, simulated, prng) {
    const { control } = simulation.shop.sandbox;
    const found = (await disputable(simulation, simulated)).filter(
      ({ provider }) => !inPart || provider === 'stripe',
    );
    if (found.length === 0) throw new NothingToDo();
    const { provider, provider_ref, charge_ref, received, currency, subscription_id } = prng.pick(found);
    const third = toProviderUnit(currency, wholeUnits(currency, received / 3));
    const amount = inPart ? { amount: third } : {};
    const { id: ref } =
      provider === 'stripe'
        ? await control('disputes/open', { payment_intent: provider_ref, ...amount })
        : await control('paypal/disputes/open', { capture: charge_ref });
    markUnpredictable(simulation, simulated);
    simulated.known.disputes.push({ ref, provider: provider as 'stripe' | 'paypal' });
    await simulation.shop.sweep();
    await expectStatus(simulation, ref, 'open');
    await expectSuspended(simulation, simulated, subscription_id);
  },
});

const expectStatus = async ({ shop }: Simulation, ref: string, status: string) => {
  const known = await shop.db
    .selectFrom('dispute')
    .select('status')
    .where('provider_ref', '=', ref)
    .executeTakeFirst();
  expect(known?.status).toBe(status);
};

/** Expects a disputed payment to suspend the renewed subscription, where the shop is set so. */
async function expectSuspended(
  { suspends }: Simulation,
  simulated: Simulated,
  renewed: string | null,
): Promise<void> {
  const { status, suspended } = await simulated.row();
  if (!suspends) expect(suspended).toBe(false);
  else if (renewed === simulated.subscriptionId && status !== 'expired') expect(suspended).toBe(true);
}

const decideDispute = (outcome: 'won' | 'lost'): CustomerAction => ({
  name: outcome === 'won' ? 'gives back what his bank took' : 'keeps what his bank took',
  afterLeaving: true,
  can: ({ disputes }) => disputes.length > 0,
  async run(simulation, simulated) {
    const { ref, provider } = simulated.known.disputes.shift()!;
    const path = provider === 'stripe' ? 'disputes/close' : 'paypal/disputes/close';
    await simulation.shop.sandbox.control(path, { dispute: ref, outcome });
    await simulation.shop.sweep();
    await expectStatus(simulation, ref, outcome);
  },
});

const reprice: CustomerAction = {
  name: 'hears of another price',
  can: () => true,
  async run({ shop, jobs }, { known: { currency } }, prng) {
    const planId = prng.pick(PLANS);
    // From three quarters of the smallest plan's price to more than the biggest plan's.
    const price = Math.ceil((monthIn(currency) * (75 + prng.below(375))) / 100_00) * 100;
    await shop.db
      .updateTable('plan_price')
      .set({ price, renewal: price })
      .where('plan_id', '=', planId)
      .where('cycle_count', '=', 1)
      .where('currency', '=', currency)
      .execute();
    const deps = { db: shop.db, clock: shop.clock, jobs, live: liveBus };
    await asApplication(() => announcePrice(deps, { planId }, shop.clock.now()));
    await shop.sweep();
  },
};

const sleep: CustomerAction = {
  name: 'waits for workers that sleep for days',
  can: () => true,
  run: ({ time }, _, prng) => time.sleep((1 + prng.below(12)) * DAY_MS),
};

/** Faults that strike a few calls or events; polling repairs each of them. */
const FAULTS: Record<string, readonly { match: object; do: unknown; times: number }[]> = {
  'is charged, and the answer is lost': [
    { match: { provider: 'stripe', path: CHARGES }, do: 'commitThenDropConnection', times: 1 },
    { match: { provider: 'paypal', path: ORDERS }, do: 'commitThenDropConnection', times: 1 },
  ],
  'is charged, and the provider answers that it is broken': [
    { match: { provider: 'stripe', path: CHARGES }, do: '500', times: 1 },
    { match: { provider: 'stripe', path: CHARGES }, do: '500AfterCommit', times: 1 },
    { match: { provider: 'paypal', path: ORDERS }, do: '500AfterCommit', times: 1 },
  ],
  'is charged by a provider that is slow, and tells late': [
    { match: { provider: 'stripe', path: CHARGES }, do: { delayAfterCommit: 300 }, times: 2 },
    { match: { provider: 'paypal', path: ORDERS }, do: { delayAfterCommit: 300 }, times: 2 },
    { match: { provider: 'stripe', event: '*' }, do: { delay: HOUR_MS }, times: 3 },
    { match: { provider: 'paypal', event: '*' }, do: 'reorder', times: 1 },
  ],
  'is charged, and nobody tells of it': [
    { match: { provider: 'stripe', event: '*' }, do: 'drop', times: 5 },
    { match: { provider: 'paypal', event: '*' }, do: 'drop', times: 5 },
  ],
};

const strikeFaults = (name: string): CustomerAction => ({
  name,
  can: known => isServed(known) && known.renews && !known.suspendedSince,
  async run({ shop: { sandbox }, time }) {
    for (const fault of FAULTS[name]!) await sandbox.control('faults', fault);
    // Everybody who is charged next meets the fault.
    await time.liveToAnEnd(-HOUR_MS);
    const { struck } = await sandbox.control<{ struck: Record<string, number> }>('faults');
    await sandbox.calm();
    // A payment without an answer is polled after minutes, then after an hour.
    for (let hours = 0; hours < 2; hours += 1) await time.later(HOUR_MS);
    if (Object.keys(struck).length === 0) throw new NothingToDo();
  },
});

/** What the operator, banks and faults do to a customer. */
export const outsideActions: readonly CustomerAction[] = [
  refund('is given all of a payment back', {}),
  refund('is given a part of a payment back', { part: true }),
  refund('is given a part of a payment as credit', { part: true, asCredit: true }),
  ...[dispute(false), dispute(true), decideDispute('won'), decideDispute('lost')],
  ...[reprice, sleep, ...Object.keys(FAULTS).map(strikeFaults)],
];
