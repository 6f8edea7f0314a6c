import { replaceableAt } from '@fixpoint/domain/subscription/replacement-chain.ts';
import { can } from '@fixpoint/domain/subscription/subscription.ts';
import { replacementCredit } from '@fixpoint/domain/subscription/upgrade.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import type { ReplacementOffer } from '../../ports/json-columns.ts';
import { uncredited } from '../billing/index.ts';
import { type Product, productById } from '../catalog/index.ts';
import { refuseAction, replacementsBefore, stateOf } from '../subscription/index.ts';
import { ownSubscription } from './own-subscription.ts';
import { paidPeriods, paidSince } from './paid-since.ts';
import { refunded } from './refunded.ts';

/** The proration credit that a subscription has for its replacement. `offer`: the snapshot that an order stores. */
type Replacement = { offer: ReplacementOffer; currency: string; product: Product };

/**
 * Offers to replace a customer's subscription by one at another location or with another cycle, which its unused days pay in
 * part or in full.
 */
export async function replacementOf(
  db: Db,
  now: Date,
  of: { customerId: string; subscriptionId: string },
): Promise<Replacement | Refusal> {
  const row = await ownSubscription(db, of);
  if (!row) return refuse('subscriptionNotFound');
  const allowed = can(stateOf(row), 'replace', now);
  if (!allowed.ok) return refuseAction(allowed.refusal);
  const next = replaceableAt(await replacementsBefore(db, row.id), now);
  if (next) return { refusal: 'tooManyRequests', retryAfterSeconds: secondsUntil(next, now) };
  const paid = await paidPeriods(db, row.id, now);
  const since = await paidSince(db, row.id, paid[0]?.starts_at ?? now);
  const { days, unused } = replacementCredit(row.currency, now, worthOf(paid), await refunded(db, since));
  const invoices = since.map(({ id }) => id);
  const { total: left } = await uncredited(db, invoices);
  return {
    offer: {
      subscriptionId: row.id,
      version: row.version,
      days,
      unused: Math.min(unused, left),
      invoices,
      left,
    },
    currency: row.currency,
    product: (await productById(db, row.product_id))!,
  };
}

const secondsUntil = (at: Date, now: Date): number => Math.ceil((at.getTime() - now.getTime()) / 1000);

/** Free days are worth nothing, so that nobody turns them into credit. */
const worthOf = (paid: Awaited<ReturnType<typeof paidPeriods>>) =>
  paid.map(({ starts_at: start, paid_until: end, worth }) => ({ period: { start, end }, worth }));

/** Whether the days of an offer are still unused. Those that have begun since would pay twice. */
export async function areDaysUnused(db: Db, now: Date, offer: ReplacementOffer): Promise<boolean> {
  const paid = await paidPeriods(db, offer.subscriptionId, now);
  return replacementCredit('', now, worthOf(paid), 0).days === offer.days;
}

/** Whether a product has another location or cycle than a subscription. Another plan alone is an upgrade or downgrade. */
export const needsReplacement = (product: Product, { product: present }: Replacement): boolean =>
  (['providerId', 'regionId', 'vendorId', 'cycleCount'] as const).some(
    part => product[part] !== present[part],
  );

/** The part of an order's price that unused days of the replaced subscription pay, in hundredths. */
export const proratedFor = ({
  price,
  replacement,
}: {
  price: number;
  replacement: ReplacementOffer | null;
}): number => Math.min(price, replacement?.unused ?? 0);
