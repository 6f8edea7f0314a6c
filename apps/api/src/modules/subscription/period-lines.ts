import { lineTotals, type Totals } from '@fixpoint/domain/billing/invoice.ts';
import type { Db } from '../../ports/database.ts';
import type { UpgradeOffer } from '../../ports/json-columns.ts';
import type { InvoiceLine } from '../billing/index.ts';
import { type SoldProduct, soldProduct } from '../catalog/index.ts';
import { namesIn } from '../text/index.ts';

/** The invoice line of a plan for one period, in the buyer's language. */
export async function periodLines(
  db: Db,
  sold: { product: SoldProduct; currency: string; price: number; vat_rate_bp: number },
  language: string,
): Promise<InvoiceLine[]> {
  const text = { kind: 'period' as const, ...(await planText(db, sold.product, language)) };
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
  paid: { product_id: string },
  language: string,
): Promise<InvoiceLine[]> {
  const { days } = sold.upgrade;
  const texts = [
    { kind: 'days' as const, days, ...(await planText(db, sold.product, language)) },
    {
      kind: 'unused' as const,
      days,
      ...(await planText(db, await soldProduct(db, paid.product_id), language)),
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
