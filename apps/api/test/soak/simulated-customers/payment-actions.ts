import { until } from '@fixpoint/testkit/buyer.ts';
import type { Prng } from '@fixpoint/testkit/load-test/prng.ts';
import { expect } from 'vitest';
import { leftOf, orderElsewhere } from '../../checkout/replacing.ts';
import { orderPlan } from '../../checkout/upgrading.ts';
import { followed, orderAgain } from '../../subscription/renewing.ts';
import { type CustomerAction, isChangeable, NothingToDo, type Simulation } from './actions.ts';
import { type Bill, canPayBy, invoiceBill, orderBill, payBill, WAYS, type Way } from './bills.ts';
import {
  beginPlan,
  creditOf,
  type Known,
  MINUTE_MS,
  noDevices,
  ordered,
  PLANS,
  type Place,
  type PlanId,
  type Simulated,
} from './customer.ts';
import { reserveAddress, takeAddress } from './reserved-addresses.ts';

/** Pays an order by the least used of the possible methods. @returns whether it is paid */
async function order(simulation: Simulation, simulated: Simulated, bill: Bill, prng: Prng): Promise<boolean> {
  const { used } = simulation;
  const can = WAYS.filter(way => canPayBy(way, simulated.known));
  const least = Math.min(...can.map(way => used.get(way) ?? 0));
  const way = prng.pick(can.filter(each => (used.get(each) ?? 0) === least));
  used.set(way, least + 1);
  return payBill(simulation, simulated, bill, way);
}

const payPastDue = (way: Way): CustomerAction => ({
  name: `pays what he owes by ${way}`,
  can: known => known.owes !== undefined && canPayBy(way, known),
  async run(simulation, simulated) {
    const client = await simulated.now();
    const { data } = await client.subscription.getSubscription({ query: { id: simulated.subscriptionId } });
    const { openInvoice } = data!;
    if (!openInvoice) throw new NothingToDo();
    const before = await simulated.row();
    const paid = await payBill(simulation, simulated, invoiceBill(client, openInvoice.id), way);
    // A downgrade starts with the payment, at the next poll.
    await simulation.time.later(MINUTE_MS);
    const after = await simulated.row();
    if (!paid) expect(after.period_end).toEqual(before.period_end);
    else expect([after.status, after.period_start]).toEqual(['active', before.period_end]);
  },
});

const change = (planId: PlanId): CustomerAction => ({
  name: `wants the plan ${planId}`,
  can: known => isChangeable(known) && known.plan !== planId,
  async run(simulation, simulated, prng) {
    const { known, subscriptionId: id } = simulated;
    const client = await simulated.now();
    const { data: offer, code } = await client.order.getData({ query: { id, planId } });
    expect(code).toBe('0000');
    if (!offer!.change!.now) {
      const { code: said, data } = await client.subscription.planDowngrade({ body: { id, planId } });
      await simulation.shop.sweep();
      // A paid downgrade is final.
      if (known.planned && said === '7004') return;
      expect(said).toBe('0000');
      known.planned = { plan: planId, from: new Date(data!.planned!.from) };
      return;
    }
    if (known.planned && (await planIsPaid(simulation, simulated))) throw new NothingToDo();
    const consent = await orderPlan(client, simulated, planId);
    const { price, cash } = known.contract;
    const byCash = cash && (await creditOf(client, simulated.known.currency)) === 0;
    if (!(await order(simulation, simulated, orderBill(client, consent), prng))) return;
    const contract = { ...known.contract, price: price + consent.price.price, changed: true, cash: byCash };
    beginPlan(known, planId);
    Object.assign(known, { contract });
    await until(async () => (await simulated.row()).product_id.startsWith(planId), 'the other plan');
  },
});

const planIsPaid = async (_: Simulation, simulated: Simulated) => {
  const client = await simulated.now();
  const { data } = await client.subscription.getSubscription({ query: { id: simulated.subscriptionId } });
  return data!.planned?.final === true;
};

const keepPlan: CustomerAction = {
  name: 'keeps his plan after all',
  can: known => isChangeable(known) && known.planned !== undefined,
  async run({ shop }, simulated) {
    const client = await simulated.now();
    const { code } = await client.subscription.planDowngrade({
      body: { id: simulated.subscriptionId, planId: null },
    });
    await shop.sweep();
    if (code === '7004') return;
    expect(code).toBe('0000');
    simulated.known.planned = undefined;
  },
};

const PLACES = {
  'th-bkk': { providerId: 'demo', regionId: 'th-bkk', vendorId: 'fixpoint' },
  'sg-sin': { providerId: 'hetzner', regionId: 'sg-sin', vendorId: 'fixpoint' },
} as const satisfies Record<Place, object>;
const otherThan = (place: Place): Place => (place === 'th-bkk' ? 'sg-sin' : 'th-bkk');

/**
 * Replaces a subscription by one for another term or place. The rest of this one pays first, the surplus becomes credit, and
 * this one ends when the new one is active.
 */
const move = (to: Known['months'] | 'another place'): CustomerAction => ({
  name: to === 'another place' ? 'moves to another place' : `moves to ${to} months`,
  can: known => isChangeable(known) && known.months !== to,
  async run(simulation, simulated, prng) {
    const { shop } = simulation;
    const { known } = simulated;
    const client = await simulated.now();
    const before = await simulated.row();
    const { code, data: left } = await leftOf(client, simulated);
    expect(code).toBe('0000');
    const months = to === 'another place' ? known.months : to;
    const place = to === 'another place' ? otherThan(known.place) : known.place;
    const consent = await orderElsewhere(client, simulated, { cycleCount: months, place: PLACES[place] });
    const credit = await creditOf(client, simulated.known.currency);
    const paid = await order(simulation, simulated, orderBill(client, consent), prng);
    if (!paid) return expect((await simulated.row()).version).toBe(before.version);
    const { subscription } = await until(async () => {
      const { data } = await client.order.purchaseData({ body: { metadata: consent.metadata } });
      return data?.subscription?.status === 'active' && data;
    }, 'the new one');
    await shop.sweep();
    expect((await simulated.row()).status, 'the old one ends as the new one runs').toBe('expired');
    simulated.post.counted.expired += 1;
    reserveAddress(simulation, simulated, shop.clock.now(), true);
    const rest = credit + left!.unused - consent.price.price;
    expect(await creditOf(await simulated.now(), known.currency)).toBeGreaterThanOrEqual(Math.max(0, rest));
    Object.assign(simulated, await followed(shop, { ...simulated, subscriptionId: subscription!.id }));
    const again = {
      contract: ordered(consent.price.price, credit === 0 && consent.prorated === 0),
      months,
      place,
      planned: undefined,
      given: false,
      ...noDevices(),
      renews: true,
      paidUntil: undefined,
      ranPeriod: false,
      concludedAt: shop.clock.now(),
    };
    Object.assign(known, again);
  },
});

const again = (held: boolean): CustomerAction => ({
  name: held ? 'takes it up again with its address' : 'takes it up again when its address is gone',
  can: ({ status, reservedUntil }, now) =>
    status === 'expired' && (reservedUntil !== undefined && now < reservedUntil) === held,
  async run(simulation, simulated, prng) {
    const client = await simulated.now();
    const { data } = await client.order.getData({ query: { id: simulated.subscriptionId } });
    expect(data!.held !== undefined, 'its address is held for 30 days, by the rule').toBe(held);
    const consent = await orderAgain(client, simulated.subscriptionId);
    const byCash = (await creditOf(client, simulated.known.currency)) === 0;
    const paid = await order(simulation, simulated, orderBill(client, consent, 'purchaseReactivate'), prng);
    if (!paid) return expect((await simulated.row()).status).toBe('expired');
    await until(async () => (await simulated.row()).status === 'active', 'it is active again');
    const row = await simulation.shop.db
      .selectFrom('static_ip')
      .select('address')
      .where('subscription_id', '=', simulated.subscriptionId)
      .executeTakeFirstOrThrow();
    if (held) expect(String(row.address)).toContain(data!.held!.address);
    const contract = ordered(consent.price.price, byCash);
    const again = {
      renews: true,
      given: false,
      planned: undefined,
      ended: false,
      paidUntil: undefined,
      ranPeriod: false,
      concludedAt: simulation.shop.clock.now(),
    };
    takeAddress(simulation, simulated);
    Object.assign(simulated.known, { ...again, contract });
  },
});

/** What a customer does about a past-due invoice. */
export const pastDueActions: readonly CustomerAction[] = WAYS.map(payPastDue);
export const payPastDueByAccount = pastDueActions[WAYS.indexOf('the account that he keeps')]!;
/** What a customer does about their plan. */
export const planActions: readonly CustomerAction[] = [...PLANS.map(change), keepPlan];
/** Purchases that replace a present or former subscription. */
export const moveActions: readonly CustomerAction[] = [
  ...[move(1), move(3), move(6), move(12), move('another place')],
  ...[again(true), again(false)],
];
