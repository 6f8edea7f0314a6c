import { beginOrder, buyAsVisitor, logInByEmail, paypalOrderOf, until } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import { untilJobsDone } from '@fixpoint/testkit/load-test/load-test.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { followed } from '../../subscription/renewing.ts';
import { emptyPost, type Post } from './post.ts';

export const HOUR_MS = 60 * 60_000;
export const DAY_MS = 24 * HOUR_MS;
export const MINUTE_MS = 60_000;

export const PLANS = ['solo', 'plus', 'team'] as const;
export type PlanId = (typeof PLANS)[number];
/** What each gives: room for so many devices, a line of so many Mbit/s, and a port that can lead to a device. */
export const ENTITLEMENTS: Record<PlanId, { devices: number; lineMbit: number; port: boolean }> = {
  solo: { devices: 2, lineMbit: 50, port: false },
  plus: { devices: 5, lineMbit: 100, port: true },
  team: { devices: 15, lineMbit: 300, port: true },
};

export type Currency = 'THB' | 'USD' | 'JPY';
/** Where subscriptions are served: each has a host of its own. */
export type Place = 'th-bkk' | 'sg-sin';

/**
 * What is known of a customer without asking the shop: what he has done, and what he saw the last time. The shop is held
 * against it (`well.ts`).
 */
export type Known = {
  /** His account has ended: since when, and whether he has come back and has another. */
  left: { at: Date; back: boolean } | undefined;
  currency: Currency;
  place: Place;
  /** Somebody else has bought it for him, and he has paid nothing for it yet. */
  given: boolean;
  status: 'active' | 'pastDue' | 'expired';
  plan: PlanId;
  months: 1 | 3 | 6 | 12;
  /** A cheaper plan, and when it begins. */
  planned: { plan: PlanId; from: Date } | undefined;
  renews: boolean;
  /** Since when it is to renew: it is turned on, and no dispute suspends it. */
  renewableSince: Date | undefined;
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
  /** With this account he has withdrawn from one before: all of a price comes back once. */
  withdrew: boolean;
  endedAt: Date | undefined;
  /** It ended because he wanted that: withdrawn, or moved. */
  ended: boolean;
  /** An invoice waits to be paid: what emails call it. */
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
  /** Has a friend who may give him something. */
  friend: boolean;
};
/**
 * What was ordered since it was bought or taken up again. `price`: of all its orders; `plain`: nothing of his has come back
 * since; `changed`: by another plan; `cash`: no credit paid it.
 */
export type Contract = { price: number; plain: boolean; changed: boolean; cash: boolean };
export type Dispute = { ref: string; provider: 'stripe' | 'paypal' };

/** A customer of a random life. */
export type Simulated = Awaited<ReturnType<typeof joined>> & { known: Known; post: Post };

/** What somebody buys at first: the smallest plan, for a month by card or for three by PayPal. */
export type First = { by: 'card' | 'account'; currency?: Currency; friend?: boolean };

/** Begins one with a subscription that a visitor buys: an account is made for his address. */
export async function beginSimulated(
  shop: TestShop,
  email: string,
  { by, currency = 'THB', friend = false }: First,
  post: Post = emptyPost(),
): Promise<Simulated> {
  const { metadata } =
    by === 'card'
      ? await buyAsVisitor(shop, email, { currency })
      : await buyByPaypal(shop, email, { currency, cycleCount: 3 });
  const person = await joined(shop, email, metadata);
  const known = { ...knownAtFirst(shop, by === 'card' ? 1 : 3, currency), friend };
  return { ...person, known, post };
}

/** Logged in for the first time after an order. */
async function joined(shop: TestShop, email: string, metadata: string) {
  const subscriptionId = await runs(shop, metadata);
  // What paid is kept a moment later, and the email with the link to the account has come.
  await shop.sweep();
  return followed(shop, { ...(await logInByEmail(shop, email)), email, subscriptionId });
}

/** Buys for so many months by PayPal, which may charge his account from then on. */
export async function payerByPaypal(shop: TestShop, name: string, cycleCount: 1 | 3) {
  const email = `${name}@example.com`;
  return joined(shop, email, (await buyByPaypal(shop, email, { cycleCount })).metadata);
}

/** Somebody buys a second one in another currency with what he keeps, for a month. */
export async function beginSecond(shop: TestShop, first: Simulated, currency: Currency): Promise<Simulated> {
  const client = await first.now();
  const { consent, metadata } = await beginOrder(client, { currency });
  const { cards } = (await client.payment.getCard()).data!;
  await client.order.purchaseLogin({ body: { ...consent, cardId: cards[0]!.id } });
  return another(shop, first, await runs(shop, metadata), knownAtFirst(shop, 1, currency));
}

/** Somebody else buys one for the address of a customer, for a month. */
export async function beginGiven(shop: TestShop, to: Simulated, currency: Currency): Promise<Simulated> {
  const { metadata } = await buyAsVisitor(shop, to.email, { currency });
  const known = { ...knownAtFirst(shop, 1, currency), given: true };
  return another(shop, to, await runs(shop, metadata), known);
}

/** One more subscription of a customer. His emails are in one box. */
const another = async (
  shop: TestShop,
  of: Simulated,
  subscriptionId: string,
  known: Known,
): Promise<Simulated> => ({
  ...(await followed(shop, { ...of, subscriptionId })),
  known: { ...known, withdrew: of.known.withdrew },
  post: of.post,
});

/** What a first order of the smallest plan costs. */
const BOUGHT: Record<Currency, { 1: number; 3: number }> = {
  THB: { 1: 199_00, 3: 567_00 },
  USD: { 1: 5_99, 3: 17_00 },
  JPY: { 1: 898_00, 3: 2550_00 },
};
/** What the smallest plan costs for a month at first. */
export const monthIn = (currency: Currency): number => BOUGHT[currency][1];
export const ordered = (price: number, cash = true): Contract => ({
  price,
  plain: true,
  changed: false,
  cash,
});

function knownAtFirst(shop: TestShop, months: 1 | 3, currency: Currency): Known {
  return {
    left: undefined,
    currency,
    place: 'th-bkk',
    given: false,
    friend: false,
    status: 'active',
    plan: 'solo',
    months,
    planned: undefined,
    renews: true,
    renewableSince: undefined,
    ...noDevices(),
    contract: ordered(BOUGHT[currency][months]),
    concludedAt: shop.clock.now(),
    withdrew: false,
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
  const { devices, lineMbit, port } = ENTITLEMENTS[plan];
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

async function buyByPaypal(
  shop: TestShop,
  email: string,
  choice: Parameters<typeof beginOrder>[1],
): Promise<{ metadata: string }> {
  const { order } = createClient(shop.url);
  const { consent, metadata } = await beginOrder(shop.client, choice);
  const body = { ...consent, paymentMethod: 'paypal' as const, email, language: 'en' as const };
  const { data } = await order.purchase({ body });
  await shop.sandbox.control('paypal/approve', { order: paypalOrderOf(data), funding: 'balance' });
  await order.confirmPurchase({ body: { metadata } });
  return { metadata };
}

/** What an order bought, as soon as it runs. */
const runs = (shop: TestShop, metadata: string): Promise<string> =>
  until(async () => {
    const { subscription } = (await shop.client.order.purchaseData({ body: { metadata } })).data!;
    return subscription?.status === 'active' && subscription.id;
  }, 'what was bought');

/** His credit in a currency. */
export const creditOf = async (client: TestClient, currency: string): Promise<number> =>
  (await client.payment.getCard()).data!.credit.find(one => one.currency === currency)?.amount ?? 0;

/** A world's clock, and what passes with it. */
export function timeOf(shop: TestShop, population: readonly Simulated[]) {
  const to = async (at: Date) => {
    const ms = at.getTime() - shop.clock.now().getTime();
    shop.clock.advance(Math.max(0, ms));
    await shop.sweep();
    // The queue goes by the time of the database: a job that has failed is tried again when an hour has passed here.
    if (ms >= HOUR_MS) await untilJobsDone(shop.db);
  };
  const later = (ms: number) => to(new Date(shop.clock.now().getTime() + ms));
  let woke = new Date(0);
  const soonest = async () => {
    const ids = population.map(({ subscriptionId }) => subscriptionId);
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
      const rows = await Promise.all(
        population.filter(({ known }) => !known.left).map(simulated => simulated.row()),
      );
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
