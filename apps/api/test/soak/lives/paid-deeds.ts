import { until } from '@fixpoint/testkit/buyer.ts';
import type { Dice } from '@fixpoint/testkit/storm/dice.ts';
import { expect } from 'vitest';
import { leftOf, orderElsewhere } from '../../checkout/replacing.ts';
import { orderPlan } from '../../checkout/upgrading.ts';
import { followed, orderAgain } from '../../subscription/renewing.ts';
import { type Bill, canPayBy, invoiceBill, orderBill, payBill, WAYS, type Way } from './bills.ts';
import { type Deed, isChangeable, NothingToDo, type World } from './deeds.ts';
import {
  beginPlan,
  creditOf,
  DAY_MS,
  type Known,
  type Life,
  MINUTE_MS,
  noDevices,
  ordered,
  PLANS,
  type Place,
  type PlanId,
} from './life.ts';

const HELD_MS = 30 * DAY_MS;

/** Pays an order by one of the ways that he has, one that was used least. @returns whether it is paid */
async function order(world: World, life: Life, bill: Bill, dice: Dice): Promise<boolean> {
  const { used } = world;
  const can = WAYS.filter(way => canPayBy(way, life.known));
  const least = Math.min(...can.map(way => used.get(way) ?? 0));
  const way = dice.pick(can.filter(each => (used.get(each) ?? 0) === least));
  used.set(way, least + 1);
  return payBill(world, life, bill, way);
}

const owed = (way: Way): Deed => ({
  name: `pays what he owes by ${way}`,
  can: known => known.owes !== undefined && canPayBy(way, known),
  async run(world, life) {
    const client = await life.now();
    const { data } = await client.subscription.getSubscription({ query: { id: life.subscriptionId } });
    const { openInvoice } = data!;
    if (!openInvoice) throw new NothingToDo();
    const before = await life.row();
    const paid = await payBill(world, life, invoiceBill(client, openInvoice.id), way);
    // A cheaper plan begins with what is paid, a look later.
    await world.time.later(MINUTE_MS);
    const after = await life.row();
    if (!paid) expect(after.period_end).toEqual(before.period_end);
    else expect([after.status, after.period_start]).toEqual(['active', before.period_end]);
  },
});

const change = (planId: PlanId): Deed => ({
  name: `wants the plan ${planId}`,
  can: known => isChangeable(known) && known.plan !== planId,
  async run(world, life, dice) {
    const { known, subscriptionId: id } = life;
    const client = await life.now();
    const { data: offer, code } = await client.order.getData({ query: { id, planId } });
    expect(code).toBe('0000');
    if (!offer!.change!.now) {
      const { code: said, data } = await client.subscription.planDowngrade({ body: { id, planId } });
      await world.shop.sweep();
      // One that is paid for is final.
      if (known.planned && said === '4003') return;
      expect(said).toBe('0000');
      known.planned = { plan: planId, from: new Date(data!.planned!.from) };
      return;
    }
    if (known.planned && (await planIsPaid(world, life))) throw new NothingToDo();
    const consent = await orderPlan(client, life, planId);
    const { price, cash } = known.contract;
    const byCash = cash && (await creditOf(client, life.known.currency)) === 0;
    if (!(await order(world, life, orderBill(client, consent), dice))) return;
    const contract = { ...known.contract, price: price + consent.price.price, changed: true, cash: byCash };
    beginPlan(known, planId);
    Object.assign(known, { contract });
    await until(async () => (await life.row()).product_id.startsWith(planId), 'the other plan');
  },
});

const planIsPaid = async (_: World, life: Life) => {
  const client = await life.now();
  const { data } = await client.subscription.getSubscription({ query: { id: life.subscriptionId } });
  return data!.planned?.final === true;
};

const keepPlan: Deed = {
  name: 'keeps his plan after all',
  can: known => isChangeable(known) && known.planned !== undefined,
  async run({ shop }, life) {
    const client = await life.now();
    const { code } = await client.subscription.planDowngrade({
      body: { id: life.subscriptionId, planId: null },
    });
    await shop.sweep();
    if (code === '4003') return;
    expect(code).toBe('0000');
    life.known.planned = undefined;
  },
};

const PLACES = {
  'th-bkk': { providerId: 'demo', regionId: 'th-bkk', vendorId: 'fixpoint' },
  'sg-sin': { providerId: 'hetzner', regionId: 'sg-sin', vendorId: 'fixpoint' },
} as const satisfies Record<Place, object>;
const otherThan = (place: Place): Place => (place === 'th-bkk' ? 'sg-sin' : 'th-bkk');

/**
 * Another subscription, for so many months or at another place: what is left of this one pays first, what is more than the
 * price is credit, and this one ends as that runs.
 */
const move = (to: Known['months'] | 'another place'): Deed => ({
  name: to === 'another place' ? 'moves to another place' : `moves to ${to} months`,
  can: known => isChangeable(known) && known.months !== to,
  async run(world, life, dice) {
    const { shop } = world;
    const { known } = life;
    const client = await life.now();
    const before = await life.row();
    const { code, data: left } = await leftOf(client, life);
    expect(code).toBe('0000');
    const months = to === 'another place' ? known.months : to;
    const place = to === 'another place' ? otherThan(known.place) : known.place;
    const consent = await orderElsewhere(client, life, { cycleCount: months, place: PLACES[place] });
    const credit = await creditOf(client, life.known.currency);
    const paid = await order(world, life, orderBill(client, consent), dice);
    if (!paid) return expect((await life.row()).version).toBe(before.version);
    const { subscription } = await until(async () => {
      const { data } = await client.order.purchaseData({ body: { metadata: consent.metadata } });
      return data?.subscription?.status === 'active' && data;
    }, 'the new one');
    await shop.sweep();
    expect((await life.row()).status, 'the old one ends as the new one runs').toBe('expired');
    life.post.counted.expired += 1;
    const rest = credit + left!.unused - consent.price.price;
    expect(await creditOf(await life.now(), known.currency)).toBeGreaterThanOrEqual(Math.max(0, rest));
    Object.assign(life, await followed(shop, { ...life, subscriptionId: subscription!.id }));
    const again = {
      contract: ordered(consent.price.price, credit === 0 && consent.prorated === 0),
      months,
      place,
      planned: undefined,
      given: false,
      ...noDevices(),
      renews: true,
      concludedAt: shop.clock.now(),
    };
    Object.assign(known, again);
  },
});

const again = (held: boolean): Deed => ({
  name: held ? 'takes it up again with its address' : 'takes it up again when its address is gone',
  can: ({ status, endedAt }, now) =>
    status === 'expired' && now.getTime() < endedAt!.getTime() + HELD_MS === held,
  async run(world, life, dice) {
    const client = await life.now();
    const { data } = await client.order.getData({ query: { id: life.subscriptionId } });
    expect(data!.held !== undefined, 'its address is held for 30 days').toBe(held);
    const consent = await orderAgain(client, life.subscriptionId);
    const byCash = (await creditOf(client, life.known.currency)) === 0;
    const paid = await order(world, life, orderBill(client, consent, 'purchaseReactivate'), dice);
    if (!paid) return expect((await life.row()).status).toBe('expired');
    await until(async () => (await life.row()).status === 'active', 'it is active again');
    const row = await world.shop.db
      .selectFrom('static_ip')
      .select('address')
      .where('subscription_id', '=', life.subscriptionId)
      .executeTakeFirstOrThrow();
    if (held) expect(String(row.address)).toContain(data!.held!.address);
    const contract = ordered(consent.price.price, byCash);
    const again = {
      renews: true,
      given: false,
      planned: undefined,
      ended: false,
      concludedAt: world.shop.clock.now(),
    };
    Object.assign(life.known, { ...again, contract });
  },
});

/** What a customer does about what he owes. */
export const owedDeeds: readonly Deed[] = WAYS.map(owed);
export const owedByAccount = owedDeeds[WAYS.indexOf('the account that he keeps')]!;
/** What he does about his plan. */
export const planDeeds: readonly Deed[] = [...PLANS.map(change), keepPlan];
/** What he buys in the place of what he has or had. */
export const moveDeeds: readonly Deed[] = [
  ...[move(1), move(3), move(6), move(12), move('another place')],
  ...[again(true), again(false)],
];
