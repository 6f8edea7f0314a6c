import type { Db } from '../../ports/database.ts';
import type { Product } from '../catalog/index.ts';
import { insertIdentity, type NewIdentity } from '../provisioning/index.ts';
import type { TransitionDeps } from './deps.ts';
import { planColumns } from './store.ts';

/** Creates the subscription of a paid order, which must be locked: that makes it one for each order. It has no host yet. */
export async function createSubscription(
  deps: TransitionDeps,
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
