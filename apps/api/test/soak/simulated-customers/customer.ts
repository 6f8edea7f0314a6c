import { beginOrder, buyAsVisitor, logInByEmail, paypalOrderOf, until } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { followed } from '../../subscription/renewing.ts';
import { emptyPost, type Post } from './post.ts';

export const HOUR_MS = 60 * 60_000;
export const DAY_MS = 24 * HOUR_MS;
export const MINUTE_MS = 60_000;

export const PLANS = ['solo', 'plus', 'team'] as const;
export type PlanId = (typeof PLANS)[number];
/** Entitlements of each plan: number of devices, line rate in Mbit/s, and whether a port can be forwarded. */
export const ENTITLEMENTS: Record<PlanId, { devices: number; lineMbit: number; port: boolean }> = {
  solo: { devices: 2, lineMbit: 50, port: false },
  plus: { devices: 5, lineMbit: 100, port: true },
  team: { devices: 15, lineMbit: 300, port: true },
};

export type Currency = 'THB' | 'USD' | 'JPY';
/** Places with one host each. */
export type Place = 'th-bkk' | 'sg-sin';

/**
 * State of a customer by their own actions and what they saw last, without asking the shop. The invariants compare the shop
 * with it (`invariants.ts`).
 */
export type Known = {
  /** When the account ended, and whether the customer has returned with another one. */
  left: { at: Date; back: boolean } | undefined;
  currency: Currency;
  place: Place;
  /** A gift from somebody else that its owner has not paid for yet. */
  given: boolean;
  status: 'active' | 'pastDue' | 'expired';
  plan: PlanId;
  months: 1 | 3 | 6 | 12;
  /** A scheduled downgrade and its start. */
  planned: { plan: PlanId; from: Date } | undefined;
  renews: boolean;
  /** Since when it renews: turned on, and not suspended by a dispute. */
  renewableSince: Date | undefined;
  /** Since when its keys are refused because of a disputed or reversed payment. */
  suspendedSince: Date | undefined;
  /** Names of the devices, the oldest first. */
  keys: string[];
  /** Rate limits in Mbit/s by device name. */
  limits: Map<string, number>;
  /** The forwarded port and its device. */
  port: { port: number; to: string } | undefined;
  /** Serials of valid files by device name. */
  files: Map<string, string[]>;
  /** Time of the purchase or reactivation; withdrawal is possible for two weeks after it. */
  concludedAt: Date;
  /** The contract that a withdrawal ends. */
  contract: Contract;
  /** Whether this account has withdrawn once: the full price is refunded only once. */
  withdrew: boolean;
  endedAt: Date | undefined;
  /** Until when its address is reserved after its end. */
  reservedUntil: Date | undefined;
  /** Whether a paid period has run to its end since the purchase or reactivation. */
  ranPeriod: boolean;
  /** When it ended unpaid after days beyond its paid period, which an account gets once a year. */
  graceSpentAt: Date | undefined;
  /** Ended by its owner: withdrawn or replaced. */
  ended: boolean;
  /** Reference of the open invoice, as emails name it. */
  owes: string | undefined;
  /** End of the paid period. */
  paidUntil: Date | undefined;
  /** Since when everything for a charge is in place: renewal on, a saved method, a bank that pays. */
  chargeableSince: Date | undefined;
  /** Saved methods that can be charged: a card, a PayPal account. */
  keeps: { card: boolean; account: boolean };
  /** Since when they have a saved PayPal account. */
  accountSince: Date | undefined;
  /** The default method. */
  charged: 'card' | 'account' | undefined;
  /** Expiry of the default card. */
  cardEnds: Date | undefined;
  /** Open disputes of their payments. */
  disputes: Dispute[];
  /** Has a friend who may buy them a gift. */
  friend: boolean;
};
/**
 * Contract since the purchase or reactivation. `price`: of all its orders; `plain`: nothing was refunded since; `changed`: to
 * another plan; `cash`: paid without credit.
 */
export type Contract = { price: number; plain: boolean; changed: boolean; cash: boolean };
export type Dispute = { ref: string; provider: 'stripe' | 'paypal' };

/** A simulated customer. */
export type Simulated = Awaited<ReturnType<typeof joined>> & { known: Known; post: Post };

/** A first purchase of the smallest plan: one month by card, or three by PayPal. */
export type First = { by: 'card' | 'account'; currency?: Currency; friend?: boolean };

/** Creates a customer by a visitor's purchase, which creates the account. */
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

/** Logs in for the first time after an order. */
async function joined(shop: TestShop, email: string, metadata: string) {
  const subscriptionId = await runs(shop, metadata);
  // The saved method and the email with the link follow a moment later.
  await shop.sweep();
  return followed(shop, { ...(await logInByEmail(shop, email)), email, subscriptionId });
}

/** Buys with PayPal and lets it be charged for renewals. */
export async function payerByPaypal(shop: TestShop, name: string, cycleCount: 1 | 3) {
  const email = `${name}@example.com`;
  return joined(shop, email, (await buyByPaypal(shop, email, { cycleCount })).metadata);
}

/** Buys a second subscription for a month in another currency, with a saved method. */
export async function beginSecond(shop: TestShop, first: Simulated, currency: Currency): Promise<Simulated> {
  const client = await first.now();
  const { consent, metadata } = await beginOrder(client, { currency });
  const { cards } = (await client.payment.getCard()).data!;
  await client.order.purchaseLogin({ body: { ...consent, cardId: cards[0]!.id } });
  return another(shop, first, await runs(shop, metadata), knownAtFirst(shop, 1, currency));
}

/** Buys a gift of one month for a customer's address as somebody else. */
export async function beginGiven(shop: TestShop, to: Simulated, currency: Currency): Promise<Simulated> {
  const { metadata } = await buyAsVisitor(shop, to.email, { currency });
  const known = { ...knownAtFirst(shop, 1, currency), given: true };
  return another(shop, to, await runs(shop, metadata), known);
}

/** Adds a subscription of a customer, who keeps one inbox. */
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

/** Price of a first order of the smallest plan, by months. */
const BOUGHT: Record<Currency, { 1: number; 3: number }> = {
  THB: { 1: 199_00, 3: 567_00 },
  USD: { 1: 5_99, 3: 17_00 },
  JPY: { 1: 898_00, 3: 2550_00 },
};
/** Price of the smallest plan for the first month. */
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
    reservedUntil: undefined,
    ranPeriod: false,
    graceSpentAt: undefined,
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

/** State of a new subscription without devices. */
export const noDevices = (): Pick<Known, 'keys' | 'limits' | 'port' | 'files'> => ({
  keys: [],
  limits: new Map(),
  port: undefined,
  files: new Map(),
});

/** Applies a plan that starts: what it does not include ends, and so do the newest devices above its limit. */
export function beginPlan(known: Known, plan: PlanId): void {
  const { devices, lineMbit, port } = ENTITLEMENTS[plan];
  for (const name of known.keys.slice(devices)) endDevice(known, name);
  for (const [name, limit] of known.limits) if (limit > lineMbit) known.limits.delete(name);
  if (!port) known.port = undefined;
  Object.assign(known, { plan, planned: undefined });
}

/** Removes a device with its limit, port and files. */
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

/** Waits until the subscription of an order is active. @returns its id */
const runs = (shop: TestShop, metadata: string): Promise<string> =>
  until(async () => {
    const { subscription } = (await shop.client.order.purchaseData({ body: { metadata } })).data!;
    return subscription?.status === 'active' && subscription.id;
  }, 'what was bought');

/** Credit of a customer in a currency. */
export const creditOf = async (client: TestClient, currency: string): Promise<number> =>
  (await client.payment.getCard()).data!.credit.find(one => one.currency === currency)?.amount ?? 0;
