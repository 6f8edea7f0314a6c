import type { Db } from '../../ports/database.ts';
import type { Product } from '../catalog/index.ts';
import { insertIdentity, type NewIdentity } from '../provisioning/index.ts';
import type { MoveDeps } from './deps.ts';
import { planColumns } from './store.ts';

/** The subscription of a paid order; it has no host yet. One for each order: the order's lock sees to it. */
export async function createSubscription(
  deps: MoveDeps,
  tx: Db,
  input: {
    id: string;
    identity: NewIdentity;
    customerId: string;
    orderId: string;
    isGift: boolean;
    product: Product;
    currency: string;
    renewal: number;
    vatRateBp: number;
  },
): Promise<void> {
  const { id, product, customerId } = input;
  await tx
    .insertInto('subscription')
    .values({
      id,
      customer_id: customerId,
      order_id: input.orderId,
      is_gift: input.isGift,
      ...planColumns(product),
      status: 'provisioning',
      currency: input.currency,
      renewal: input.renewal,
      vat_rate_bp: input.vatRateBp,
      cycle_count: product.cycleCount,
      created_at: deps.clock.now(),
    })
    .execute();
  await insertIdentity(tx, { id, customerId }, input.identity);
  await deps.live.publish(tx, `customer:${customerId}`, 'SUBSCRIPTION', { event: 'fetch', id });
}
