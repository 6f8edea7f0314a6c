import { until } from '@fixpoint/testkit/buyer.ts';
import type { TestClient } from '@fixpoint/testkit/client.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { expect } from 'vitest';
import { asApplication } from '../src/adapters/database/scope.ts';
import type { JobRunner } from '../src/adapters/jobs/runner.ts';
import { liveBus } from '../src/adapters/postgres-bus.ts';
import { checkDatabase } from '../src/modules/books/index.ts';
import { announcePrice } from '../src/modules/subscription/index.ts';
import { followed, subscriber } from './renewing.ts';
import { leftOf, orderElsewhere } from './replacing.ts';
import { buyPlan, orderPlan } from './upgrading.ts';

const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;
/** So long after its paid period anything is served: seven days of tries, and the hour in which the last may answer. */
const GRACE_MS = 7 * DAY_MS;

export const PLANS = ['solo', 'plus', 'team'] as const;
export type PlanId = (typeof PLANS)[number];

/** A customer of a random life, and what his bank says at present. */
export type Life = Awaited<ReturnType<typeof subscriber>> & { bankPays: boolean };

export const beginLife = async (shop: TestShop, name: string): Promise<Life> => ({
  ...(await subscriber(shop, name)),
  bankPays: true,
});

const creditOf = async (client: TestClient) => (await client.payment.getCard()).data!.credit[0]?.amount ?? 0;

/** What a customer, his bank, the operator and the clock do to subscriptions; each asserts what came of it at once. */
export function livesIn(shop: TestShop, lives: readonly Life[], jobs: JobRunner) {
  const to = async (at: Date) => {
    shop.clock.advance(Math.max(0, at.getTime() - shop.clock.now().getTime()));
    await shop.sweep();
  };
  const soonest = async () => {
    const due = (await Promise.all(lives.map(life => life.row()))).map(row => row.due_at?.getTime());
    return Math.min(...due.filter(at => at !== undefined), Number.POSITIVE_INFINITY);
  };
  /** His default card. That cards run out is another test's: the providers' are good for a year. */
  const defaultMethod = ({ subscriptionId: id }: Life) =>
    shop.db
      .updateTable('saved_method')
      .from('subscription')
      .set({ expiry_year: 2099 })
      .whereRef('subscription.customer_id', '=', 'saved_method.customer_id')
      .where('subscription.id', '=', id)
      .where('is_default', '=', true)
      .returning(['saved_method.id', 'saved_method.payer_id'])
      .executeTakeFirstOrThrow();

  return {
    /** Time passes from one instant at which something is due to the next. */
    async live(days: number) {
      const end = shop.clock.now().getTime() + days * DAY_MS;
      for (;;) {
        const due = await soonest();
        if (due >= end) return to(new Date(end));
        await to(new Date(Math.max(due, shop.clock.now().getTime() + MINUTE_MS)));
      }
    },

    /** Nobody works for so long: everything is late, and done when somebody wakes up. */
    async sleep(days: number) {
      await to(new Date(shop.clock.now().getTime() + days * DAY_MS));
      for (let looks = 0; looks < 3; looks += 1) await to(new Date(shop.clock.now().getTime() + MINUTE_MS));
    },

    async bank(life: Life, pays: boolean) {
      const { id, payer_id } = await defaultMethod(life);
      const { provider_ref: customer } = await shop.db
        .selectFrom('payer')
        .select('provider_ref')
        .where('id', '=', payer_id)
        .executeTakeFirstOrThrow();
      const token = pays ? 'pm_card_visa' : 'pm_card_chargeCustomerFail';
      const card = await shop.stripe.paymentMethods.attach(token, { customer: customer! });
      await shop.db.updateTable('saved_method').set({ provider_ref: card.id }).where('id', '=', id).execute();
      life.bankPays = pays;
    },

    async cancel(life: Life, undo: boolean) {
      const before = await life.row();
      const client = await life.now();
      const { code } = await client.subscription.cancelSubscription({
        body: { id: life.subscriptionId, undo },
      });
      const served = before.status === 'active' || before.status === 'pastDue';
      const over = before.period_end! <= shop.clock.now();
      if (!served) expect(code).toBe('4002');
      else if (!undo || !over)
        expect([code, (await life.row()).cancel_at_period_end]).toEqual(['0000', !undo]);
    },

    /** He pays by hand what he owes. */
    async pay(life: Life) {
      const client = await life.now();
      const query = { id: life.subscriptionId };
      const { openInvoice } = (await client.subscription.getSubscription({ query })).data!;
      if (!openInvoice) return;
      const before = await life.row();
      const { id: cardId } = await defaultMethod(life);
      const body = { invoiceId: openInvoice.id, paymentMethod: 'card' as const, cardId };
      const { data, code } = await client.payment.payment({ body });
      await shop.sweep();
      const after = await life.row();
      if (life.bankPays && code === '0000') {
        expect(data?.status).toBe('paid');
        expect([after.status, after.period_start]).toEqual(['active', before.period_end]);
      } else expect(after.period_end).toEqual(before.period_end);
    },

    /** Another plan, at what its preview says: at once, or with the next period. */
    async change(life: Life, planId: PlanId) {
      const client = await life.now();
      const before = await life.row();
      const { data: offer, code } = await client.order.getData({
        query: { id: life.subscriptionId, planId },
      });
      if (code !== '0000') {
        const allowed = before.status === 'active' && !before.cancel_at_period_end;
        expect(!allowed || before.product_id.startsWith(planId)).toBe(true);
        return;
      }
      if (!offer!.change!.now) {
        await client.subscription.planDowngrade({ body: { id: life.subscriptionId, planId } });
        await shop.sweep();
        return;
      }
      const bought = await buyPlan(client, await orderPlan(client, life, planId));
      await shop.sweep();
      const { product_id } = await life.row();
      const paid = bought.data?.status === 'paid' || bought.data?.status === 'fulfilled';
      // Credit may be enough, whatever his bank says.
      if (life.bankPays)
        expect(bought).toMatchObject({ data: { status: expect.stringMatching(/paid|fulfilled/) } });
      expect(product_id.startsWith(planId)).toBe(paid);
    },

    /** Another subscription, for so many months: what is left of this one pays first, and this one ends as that runs. */
    async move(life: Life, cycleCount: 1 | 3) {
      const client = await life.now();
      const before = await life.row();
      const { data: left, code } = await leftOf(client, life);
      if (code !== '0000') {
        const allowed = before.status === 'active' && !before.cancel_at_period_end;
        expect(allowed).toBe(false);
        return;
      }
      if (before.cycle_count === cycleCount) return;
      const credit = await creditOf(client);
      const order = await orderElsewhere(client, life, { cycleCount });
      const taken = (await life.taken()).reduce((sum, one) => sum + one, 0);
      const { data } = await buyPlan(client, order);
      await shop.sweep();
      const rest = order.price.price - order.carried;
      const paid = data?.status === 'paid' || data?.status === 'fulfilled';
      if (life.bankPays || rest <= credit) expect(paid).toBe(true);
      if (!paid) return expect((await life.row()).version).toBe(before.version);
      const { subscription } = await until(async () => {
        const { data: stands } = await client.order.purchaseData({ body: { metadata: order.metadata } });
        return stands?.subscription?.status === 'active' && stands;
      }, 'the new one');
      await shop.sweep();
      expect((await life.row()).status, 'the old one ends as the new one runs').toBe('expired');
      const money = (await life.taken()).reduce((sum, one) => sum + one, 0) - taken;
      const gained = (await creditOf(client)) - credit;
      expect(money - gained, 'what is left pays, and nothing twice').toBe(order.price.price - left!.unused);
      Object.assign(life, await followed(shop, { ...life, subscriptionId: subscription!.id }));
    },

    async keepPlan(life: Life) {
      const client = await life.now();
      await client.subscription.planDowngrade({ body: { id: life.subscriptionId, planId: null } });
      await shop.sweep();
    },

    /** Buys again what has ended, with the card that is kept. */
    async takeUpAgain(life: Life) {
      const client = await life.now();
      const { data: offer, code } = await client.order.getData({ query: { id: life.subscriptionId } });
      if (code !== '0000') {
        expect((await life.row()).status).not.toBe('expired');
        return;
      }
      const { currency, price } = offer!.total;
      const begin = { productId: offer!.product.id, currency, subscriptionId: life.subscriptionId };
      const { metadata } = (await client.order.getMetaData({ body: begin })).data!;
      const termsVersion = (await client.text.getTerm()).data!.version;
      const { id: cardId } = await defaultMethod(life);
      const consent = { metadata, paymentMethod: 'card' as const, termsVersion, price: { currency, price } };
      const bought = await client.order.purchaseReactivate({ body: { ...consent, cardId } });
      const paid = bought.data?.status === 'paid' || bought.data?.status === 'fulfilled';
      if (life.bankPays)
        expect(bought).toMatchObject({ data: { status: expect.stringMatching(/paid|fulfilled/) } });
      if (paid) await until(async () => (await life.row()).status === 'active', 'it is active again');
      await shop.sweep();
    },

    /** The operator asks another price of those who have the plan. */
    async reprice(planId: PlanId, price: number) {
      await shop.db
        .updateTable('plan_price')
        .set({ price, renewal: price })
        .where('plan_id', '=', planId)
        .where('cycle_count', '=', 1)
        .where('currency', '=', 'THB')
        .execute();
      const deps = { db: shop.db, clock: shop.clock, jobs, live: liveBus };
      await asApplication(() => announcePrice(deps, { planId }, shop.clock.now()));
      await shop.sweep();
    },

    /** What must be true whatever happened. */
    async allIsWell() {
      const now = shop.clock.now();
      expect(await checkDatabase(shop.db, now)).toEqual([]);
      const running = await shop.db
        .selectFrom('assignment')
        .select('subscription_id')
        .where('status', '=', 'up')
        .execute();
      for (const life of lives) {
        const row = await life.row();
        const runs = running.some(({ subscription_id: id }) => id === row.id);
        const served = row.status === 'active' || row.status === 'pastDue';
        expect(runs, 'a host runs just what is served').toBe(served);
        const periods = await life.periods();
        const paidFor = periods.some(({ starts_at, ends_at }) => starts_at <= now && now < ends_at);
        if (paidFor) expect(row.status, 'who has paid is served').toMatch(/active|pastDue/);
        const unpaidMs = now.getTime() - row.period_end!.getTime();
        if (served) expect(unpaidMs, 'nobody unpaid is served past the grace').toBeLessThan(GRACE_MS);
        const ended = await endsOf(row.id);
        for (const [index, { starts_at: start }] of periods.entries()) {
          if (index === 0) continue;
          const before = periods[index - 1]!.ends_at;
          const because = ended.some(at => at >= before && at <= start);
          if (!because) expect(start, 'a period begins where the one before ended').toEqual(before);
          else expect(start.getTime()).toBeGreaterThanOrEqual(before.getTime());
        }
      }
    },
  };

  async function endsOf(id: string): Promise<Date[]> {
    const rows = await shop.db
      .selectFrom('subscription_history')
      .select('at')
      .where('subscription_id', '=', id)
      .where('command', '=', 'expire')
      .execute();
    return rows.map(({ at }) => at);
  }
}
