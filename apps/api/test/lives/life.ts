import { beginOrder, logInByMail, paypalOrderOf, until } from '@fixpoint/testkit/buyer.ts';
import type { TestClient } from '@fixpoint/testkit/client.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { drained } from '@fixpoint/testkit/storm/storm.ts';
import { followed, subscriber } from '../renewing.ts';
import { emptyPost, type Post } from './post.ts';

export const HOUR_MS = 60 * 60_000;
export const DAY_MS = 24 * HOUR_MS;
export const MINUTE_MS = 60_000;

export const PLANS = ['solo', 'plus', 'team'] as const;
export type PlanId = (typeof PLANS)[number];
/** What each gives: room for so many devices, a line of so many Mbit/s, and a port that can lead to a device. */
export const GIVES: Record<PlanId, { devices: number; lineMbit: number; port: boolean }> = {
  solo: { devices: 2, lineMbit: 50, port: false },
  plus: { devices: 5, lineMbit: 100, port: true },
  team: { devices: 15, lineMbit: 300, port: true },
};

/**
 * What is known of a customer without asking the shop: what he has done, and what he saw the last time. The shop is held
 * against it (`well.ts`).
 */
export type Known = {
  status: 'active' | 'pastDue' | 'expired';
  plan: PlanId;
  months: 1 | 3 | 6 | 12;
  /** A cheaper plan, and when it begins. */
  planned: { plan: PlanId; from: Date } | undefined;
  renews: boolean;
  /** Since when no key of his is let in, because of a payment that is disputed or was taken back. */
  suspendedSince: Date | undefined;
  /** Names of his devices, the oldest first. */
  keys: string[];
  /** Limits of devices in Mbit/s, by their names. */
  limits: Map<string, number>;
  /** A port of his address, and the device that it leads to. */
  port: { port: number; to: string } | undefined;
  /** Serials of files that let his devices in, by the names of those. */
  files: Map<string, string[]>;
  /** When he bought what runs, or has bought it again: for two weeks he may withdraw from that. */
  concludedAt: Date;
  /** What he can withdraw from. */
  contract: Contract;
  endedAt: Date | undefined;
  /** It ended because he wanted that: withdrawn, or moved. */
  ended: boolean;
  /** An invoice waits to be paid: what letters call it. */
  owes: string | undefined;
  /** Until when it is paid for. */
  paidUntil: Date | undefined;
  /** Since when he has done all that is needed to be charged: it renews, he paid so before, and his bank pays. */
  chargeableSince: Date | undefined;
  /** He can be charged by what he keeps: a card, an account at PayPal. */
  keeps: { card: boolean; account: boolean };
  /** Since when he keeps an account. */
  accountSince: Date | undefined;
  /** What of that he is charged by. */
  charged: 'card' | 'account' | undefined;
  /** When the card that he is charged by has run out. */
  cardEnds: Date | undefined;
  /** Payments of his that his bank has taken back for now. */
  disputes: Dispute[];
};
/**
 * What was ordered since it was bought or taken up again. `price`: of all its orders; `plain`: nothing of his has come back
 * since; `changed`: by another plan; `cash`: no credit paid it.
 */
export type Contract = { price: number; plain: boolean; changed: boolean; cash: boolean };
export type Dispute = { ref: string; provider: 'stripe' | 'paypal' };

/** A customer of a random life. */
export type Life = Awaited<ReturnType<typeof subscriber>> & { known: Known; post: Post };

/** Begins one with a subscription that was bought by card for a month, or by PayPal for three. */
export async function beginLife(shop: TestShop, name: string, by: 'card' | 'account'): Promise<Life> {
  const person = by === 'card' ? await subscriber(shop, name) : await payerByPaypal(shop, name, 3);
  // What paid is kept a moment later.
  await shop.sweep();
  return { ...person, known: knownAtFirst(shop, by === 'card' ? 1 : 3), post: emptyPost() };
}

/** Somebody buys a second one with what he keeps, for a month. */
export async function beginSecond(shop: TestShop, first: Life): Promise<Life> {
  const client = await first.now();
  const { consent, metadata } = await beginOrder(client);
  const { cards } = (await client.payment.getCard()).data!;
  await client.order.purchaseLogin({ body: { ...consent, cardId: cards[0]!.id } });
  const subscriptionId = await runs(shop, metadata);
  const { post } = first;
  return { ...(await followed(shop, { ...first, subscriptionId })), known: knownAtFirst(shop, 1), post };
}

/** What a first order of the smallest plan costs. */
const BOUGHT = { 1: 199_00, 3: 567_00 };
export const ordered = (price: number, cash = true): Contract => ({
  price,
  plain: true,
  changed: false,
  cash,
});

function knownAtFirst(shop: TestShop, months: 1 | 3): Known {
  return {
    status: 'active',
    plan: 'solo',
    months,
    planned: undefined,
    renews: true,
    ...noDevices(),
    contract: ordered(BOUGHT[months]),
    concludedAt: shop.clock.now(),
    endedAt: undefined,
    ended: false,
    owes: undefined,
    chargeableSince: undefined,
    keeps: { card: false, account: false },
    charged: undefined,
    accountSince: undefined,
    disputes: [],
    suspendedSince: undefined,
    cardEnds: undefined,
    paidUntil: undefined,
  };
}

/** What a new subscription knows of devices: they are added one by one. */
export const noDevices = (): Pick<Known, 'keys' | 'limits' | 'port' | 'files'> => ({
  keys: [],
  limits: new Map(),
  port: undefined,
  files: new Map(),
});

/** Another plan has begun: what it does not give ends, and so do the devices made last that it has no room for. */
export function beginPlan(known: Known, plan: PlanId): void {
  const { devices, lineMbit, port } = GIVES[plan];
  for (const name of known.keys.slice(devices)) endDevice(known, name);
  for (const [name, limit] of known.limits) if (limit > lineMbit) known.limits.delete(name);
  if (!port) known.port = undefined;
  Object.assign(known, { plan, planned: undefined });
}

/** A device ends, with its limit, its port and its files. */
export function endDevice(known: Known, name: string): void {
  known.keys = known.keys.filter(each => each !== name);
  known.limits.delete(name);
  known.files.delete(name);
  if (known.port?.to === name) known.port = undefined;
}

/** Buys for so many months by PayPal, which may charge his account from then on. */
export async function payerByPaypal(shop: TestShop, name: string, cycleCount: 1 | 3) {
  const { order } = shop.client;
  const email = `${name}@example.com`;
  const { consent, metadata } = await beginOrder(shop.client, { cycleCount });
  const body = { ...consent, paymentMethod: 'paypal' as const, email, language: 'en' as const };
  const { data } = await order.purchase({ body });
  await shop.sandbox.control('paypal/approve', { order: paypalOrderOf(data), funding: 'balance' });
  await order.confirmPurchase({ body: { metadata } });
  const subscriptionId = await runs(shop, metadata);
  return followed(shop, { ...(await logInByMail(shop, email)), email, subscriptionId });
}

/** What an order bought, as soon as it runs. */
const runs = (shop: TestShop, metadata: string): Promise<string> =>
  until(async () => {
    const { subscription } = (await shop.client.order.purchaseData({ body: { metadata } })).data!;
    return subscription?.status === 'active' && subscription.id;
  }, 'what was bought');

export const creditOf = async (client: TestClient) =>
  (await client.payment.getCard()).data!.credit[0]?.amount ?? 0;

/** A world's clock, and what passes with it. */
export function timeOf(shop: TestShop, lives: readonly Life[]) {
  const to = async (at: Date) => {
    const ms = at.getTime() - shop.clock.now().getTime();
    shop.clock.advance(Math.max(0, ms));
    await shop.sweep();
    // The queue goes by the time of the database: a job that has failed is tried again when an hour has passed here.
    if (ms >= HOUR_MS) await drained(shop.db);
  };
  const later = (ms: number) => to(new Date(shop.clock.now().getTime() + ms));
  let woke = new Date(0);
  const soonest = async () => {
    const ids = lives.map(({ subscriptionId }) => subscriptionId);
    const { due } = await shop.db
      .selectFrom('subscription')
      .select(eb => eb.fn.min('due_at').as('due'))
      .where('id', 'in', ids)
      .executeTakeFirstOrThrow();
    return due?.getTime() ?? Number.POSITIVE_INFINITY;
  };
  const live = async (ms: number) => {
    const end = shop.clock.now().getTime() + ms;
    // Workers look every minute: what a deed leaves to them is not left for weeks because nothing is due.
    await to(new Date(Math.min(end, shop.clock.now().getTime() + 2 * MINUTE_MS)));
    for (;;) {
      const due = await soonest();
      if (due >= end) return to(new Date(end));
      if (shop.clock.now().getTime() - due > DAY_MS) throw new Error('What is due for a day is not done');
      await to(new Date(Math.max(due, shop.clock.now().getTime() + MINUTE_MS)));
    }
  };
  return {
    later,
    /** Time passes from one instant at which something is due to the next. */
    live,
    /** The same until so long before (-) or after the next end of what somebody has paid for. */
    async liveToAnEnd(ms: number) {
      const rows = await Promise.all(lives.map(life => life.row()));
      const now = shop.clock.now().getTime();
      const ends = rows.map(({ period_end }) => period_end!.getTime() + ms - now).filter(left => left > 0);
      if (ends.length > 0) await live(Math.min(...ends));
    },
    /** When workers woke up the last time: whoever was not asked before has all his days to pay from then on. */
    woke: () => woke,
    /** Nobody works for so long: everything is late, and done when somebody wakes up. */
    async sleep(ms: number) {
      await later(ms);
      woke = shop.clock.now();
      for (let looks = 0; looks < 3; looks += 1) await later(MINUTE_MS);
    },
  };
}
export type Time = ReturnType<typeof timeOf>;
