import { lineTotals, type Totals } from '@fixpoint/domain/billing/invoice.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { LineText, UpgradeOffer } from '../../ports/json-columns.ts';
import type { InvoiceLine } from '../billing/index.ts';
import { type SoldProduct, soldProduct } from '../catalog/index.ts';
import { namesIn } from '../text/index.ts';

/**
 * The invoice line of a plan for one period, in the buyer's language.
 * @param subscriptionId null: the payment creates it
 */
export async function periodLines(
  db: Db,
  sold: { product: SoldProduct; currency: string; price: number; vat_rate_bp: number },
  language: string,
  subscriptionId: string | null,
): Promise<InvoiceLine[]> {
  const named = await nameOf(db, subscriptionId);
  const text = { kind: 'period' as const, ...(await planText(db, sold.product, language)), ...named };
  return [{ text, vatRateBp: sold.vat_rate_bp, ...lineTotals(sold.currency, sold.price, sold.vat_rate_bp) }];
}

type Reckoned = Pick<UpgradeOffer, 'price' | 'unused'>;

/**
 * Amounts of an upgrade's lines: the new plan for the days left, less the proration credit of the old one up to that price.
 * Both have the rate of the day (M4): only the difference is paid, and the VAT of earlier payments stays as it was.
 */
export function changeTotals(currency: string, { price, unused }: Reckoned, vatRateBp: number): Totals[] {
  const credited = Math.min(price, unused);
  const lines = [lineTotals(currency, price, vatRateBp)];
  return credited > 0 ? [...lines, lineTotals(currency, -credited, vatRateBp)] : lines;
}

/** The invoice lines of an upgrade. @param paid the plan that was paid for before */
export async function changeLines(
  db: Db,
  sold: { product: SoldProduct; currency: string; vat_rate_bp: number; upgrade: UpgradeOffer },
  paid: { id: string; product_id: string },
  language: string,
): Promise<InvoiceLine[]> {
  const { days } = sold.upgrade;
  const named = await nameOf(db, paid.id);
  const texts = [
    { kind: 'days' as const, days, ...(await planText(db, sold.product, language)), ...named },
    {
      kind: 'unused' as const,
      days,
      ...(await planText(db, await soldProduct(db, paid.product_id), language)),
      ...named,
    },
  ];
  return changeTotals(sold.currency, sold.upgrade, sold.vat_rate_bp).map((totals, i) => ({
    text: texts[i]!,
    vatRateBp: sold.vat_rate_bp,
    ...totals,
  }));
}

async function planText(db: Db, { planId, cycleCount, regionId, place }: SoldProduct, language: string) {
  const names = await namesIn(db, language);
  return { planId, plan: names.plan(planId), place: names.region(regionId, place), cycleCount };
}

/** How its customer tells a subscription apart, as it is now. */
async function nameOf(db: Db, subscriptionId: string | null): Promise<Pick<LineText, 'label' | 'address'>> {
  if (subscriptionId === null) return {};
  const { label, address } = await db
    .selectFrom('subscription')
    .leftJoin('static_ip', 'static_ip.subscription_id', 'subscription.id')
    .select(['subscription.label', sql<string | null>`host(static_ip.address)`.as('address')])
    .where('subscription.id', '=', subscriptionId)
    .executeTakeFirstOrThrow();
  return { ...(label && { label }), ...(address && { address }) };
}
