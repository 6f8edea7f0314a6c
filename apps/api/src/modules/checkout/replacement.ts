import { can } from '@fixpoint/domain/subscription/subscription.ts';
import { prorationCredit } from '@fixpoint/domain/subscription/upgrade.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import type { ReplacementOffer } from '../../ports/json-columns.ts';
import { uncredited } from '../billing/index.ts';
import { type Product, productById } from '../catalog/index.ts';
import { stateOf } from '../subscription/index.ts';
import { ownRow } from './own-row.ts';
import { paidPeriods, paidSince } from './paid-since.ts';
import { refunded } from './refunded.ts';

/** What a subscription has left for one that takes its place; `offer` is what an order freezes of it. */
type Replacement = { offer: ReplacementOffer; currency: string; product: Product };

/**
 * What of a customer's subscription a new one elsewhere, or for other months, can be paid with: what was paid for the days
 * that are left.
 */
export async function replacementOf(
  db: Db,
  now: Date,
  of: { customerId: string; subscriptionId: string },
): Promise<Replacement | Refusal> {
  const row = await ownRow(db, of);
  if (!row) return refuse('subscriptionNotFound');
  const allowed = can(stateOf(row), 'replace', now);
  if (!allowed.ok) return refuse(allowed.refusal);
  const paid = await paidPeriods(db, row.id, now);
  const periods = paid.map(({ starts_at: start, ends_at: end, worth }) => ({
    period: { start, end },
    worth,
  }));
  const since = await paidSince(db, row.id, paid[0]?.starts_at ?? now);
  const { days, unused } = prorationCredit(row.currency, now, periods, await refunded(db, since));
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

/** Whether a product is another place or other months than a subscription's; another plan alone is a change of plan. */
export const isElsewhere = (product: Product, { product: present }: Replacement): boolean =>
  (['providerId', 'regionId', 'vendorId', 'cycleCount'] as const).some(
    part => product[part] !== present[part],
  );

/** What of an order the unused days pay of the subscription whose place it takes. */
export const proratedFor = ({
  price,
  replacement,
}: {
  price: number;
  replacement: ReplacementOffer | null;
}): number => Math.min(price, replacement?.unused ?? 0);
