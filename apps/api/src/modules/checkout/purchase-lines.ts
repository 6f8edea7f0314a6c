import { lineTotals } from '@fixpoint/domain/billing/invoice.ts';
import type { Db } from '../../ports/database.ts';
import type { InvoiceLine } from '../billing/index.ts';
import { placeName, productById } from '../catalog/index.ts';
import { namesIn } from '../text/index.ts';
import type { Order } from './store.ts';

/** What an order's invoice lists: its plan for its first period, in the buyer's language. */
export async function purchaseLines(
  db: Db,
  order: Pick<Order, 'product_id' | 'currency' | 'price' | 'vat_rate_bp'>,
  language: string,
): Promise<InvoiceLine[]> {
  const product = (await productById(db, order.product_id))!;
  const names = await namesIn(db, language);
  const text = {
    kind: 'period' as const,
    planId: product.planId,
    plan: names.plan(product.planId),
    place: names.region(product.regionId, await placeName(db, product.regionId)),
    cycleCount: product.cycleCount,
  };
  return [
    { text, vatRateBp: order.vat_rate_bp, ...lineTotals(order.currency, order.price, order.vat_rate_bp) },
  ];
}
