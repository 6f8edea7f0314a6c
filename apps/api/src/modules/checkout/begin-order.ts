import { formatMetadata, socketToken } from '@fixpoint/contract/metadata.ts';
import { ORDER_LIFETIME_HOURS } from '@fixpoint/domain/order/order.ts';
import { failPoint } from '../../failpoints.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { newId, newReference, tokenHash } from '../../secrets.ts';
import { placesView, quote } from '../catalog/index.ts';
import type { CheckoutDeps } from './deps.ts';
import { reactivationOf } from './reactivation.ts';

/**
 * Begins an order: a draft with the price of this moment frozen in it. The reference and the check value leave in the
 * metadata string and are kept as hashes only (S47).
 * @param customerId whose subscription it takes up again
 */
export async function beginOrder(
  { db, clock, saleCountry }: CheckoutDeps,
  customerId: string | undefined,
  request: { category: string; productId: string; currency: string; subscriptionId?: string | undefined },
): Promise<{ metadata: string; expiresAt: string } | Refusal> {
  const { subscriptionId } = request;
  if (subscriptionId && !customerId) return refuse('subscriptionNotFound');
  const again =
    subscriptionId && customerId
      ? await reactivationOf(db, clock.now(), saleCountry, { customerId, subscriptionId })
      : undefined;
  if (again && isRefusal(again)) return again;
  const found = again ?? (await quote(db, saleCountry, request.currency, request));
  if (found?.product.category !== request.category) return refuse('productNotFound');
  const asked = { id: found.product.id, currency: found.currency };
  if (asked.id !== request.productId || asked.currency !== request.currency) return refuse('productNotFound');
  const { providerId: provider, regionId: region, vendorId: vendor } = found.product;
  const [offer] = (await placesView(db, clock.now(), { provider, region, vendor })).offers;
  if (!again?.held && !offer?.available) return refuse('productNotFound');
  const [reference, check] = [newReference(), newReference()];
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + ORDER_LIFETIME_HOURS * 60 * 60 * 1000);
  await db
    .insertInto('shop_order')
    .values({
      id: newId('ord'),
      token_hash: tokenHash(socketToken(reference)),
      check_hash: tokenHash(check),
      status: 'draft',
      category: found.product.category,
      product_id: found.product.id,
      subscription_id: subscriptionId ?? null,
      currency: found.currency,
      price: found.price,
      net: found.net,
      vat: found.vat,
      vat_rate_bp: found.vatRateBp,
      renewal: found.renewal,
      first_year: found.firstYear,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
  failPoint('order.begun');
  const metadata = formatMetadata({
    category: request.category,
    reference,
    productId: found.product.id,
    check,
    ...(subscriptionId && { subscriptionId }),
  });
  return { metadata, expiresAt: expiresAt.toISOString() };
}
