import { lineTotals } from '@fixpoint/domain/billing/invoice.ts';
import type { Db } from '../../ports/database.ts';
import type { InvoiceLine } from '../billing/index.ts';
import { placeName, productById } from '../catalog/index.ts';
import { namesIn } from '../text/index.ts';

/** What an invoice lists: a plan for one period, in the buyer's language. */
export async function periodLines(
  db: Db,
  sold: { product_id: string; currency: string; price: number; vat_rate_bp: number },
  language: string,
): Promise<InvoiceLine[]> {
  const product = (await productById(db, sold.product_id))!;
  const names = await namesIn(db, language);
  const text = {
    kind: 'period' as const,
    planId: product.planId,
    plan: names.plan(product.planId),
    place: names.region(product.regionId, await placeName(db, product.regionId)),
    cycleCount: product.cycleCount,
  };
  return [{ text, vatRateBp: sold.vat_rate_bp, ...lineTotals(sold.currency, sold.price, sold.vat_rate_bp) }];
}
