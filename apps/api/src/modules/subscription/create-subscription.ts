import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { Signer } from '../../ports/signer.ts';
import { newId } from '../../secrets.ts';
import type { Product } from '../catalog/index.ts';
import { assign } from '../provisioning/index.ts';

/**
 * The subscription of a paid order, with a host and an address if there is one free; otherwise it waits in
 * `provisioning`. One for each order, also when the step runs again.
 */
export async function createSubscription(
  deps: { clock: Clock; signer: Signer; live: LiveBus },
  tx: Db,
  input: {
    customerId: string;
    orderId: string;
    product: Product;
    currency: string;
    renewal: number;
    vatRateBp: number;
  },
): Promise<string> {
  const { product } = input;
  const existing = await tx
    .selectFrom('subscription')
    .select('id')
    .where('order_id', '=', input.orderId)
    .executeTakeFirst();
  if (existing) return existing.id;
  const id = newId('sub');
  await tx
    .insertInto('subscription')
    .values({
      id,
      customer_id: input.customerId,
      order_id: input.orderId,
      product_id: product.id,
      status: 'provisioning',
      devices: product.devices,
      data_transfer_gb: product.dataTransferGb,
      rate_mbit: product.rateMbit,
      currency: input.currency,
      renewal: input.renewal,
      vat_rate_bp: input.vatRateBp,
      cycle_count: product.cycleCount,
      created_at: deps.clock.now(),
    })
    .execute();
  await assign(deps, tx, {
    id,
    providerId: product.providerId,
    regionId: product.regionId,
    vendorId: product.vendorId,
  });
  await deps.live.publish(tx, `customer:${input.customerId}`, 'SUBSCRIPTION', { event: 'fetch', id });
  return id;
}
