import { formatMetadata, socketToken } from '@fixpoint/contract/metadata.ts';
import { ORDER_LIFETIME_HOURS } from '@fixpoint/domain/order/order.ts';
import { failPoint } from '../../failpoints.ts';
import type { Db } from '../../ports/database.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { newId, newReference, tokenHash } from '../../secrets.ts';
import { offered, productById } from '../catalog/index.ts';
import type { CheckoutDeps } from './deps.ts';
import { type Reactivation, reactivationOf } from './reactivation.ts';
import { isElsewhere, replacementOf } from './replacement.ts';
import { storeDraft } from './store.ts';
import { type Change, changeOf } from './upgrade.ts';

/** What of a subscription is bought: it is taken up again where it has ended, and gets another plan where it runs. */
async function offerFor(
  db: Db,
  now: Date,
  saleCountry: string,
  of: { customerId: string; subscriptionId: string; productId: string },
): Promise<Reactivation | Change | Refusal> {
  const again = await reactivationOf(db, now, saleCountry, of);
  if (!isRefusal(again) || again.refusal !== 'subscriptionNotExpired') return again;
  const product = await productById(db, of.productId);
  if (!product) return refuse('productNotFound');
  const change = await changeOf(db, now, saleCountry, { ...of, planId: product.planId });
  // What begins with the next period is paid then.
  return isRefusal(change) || change.upgrade ? change : refuse('productNotFound');
}

/**
 * Begins an order: a draft with the price of this moment frozen in it. The reference and the check value leave in the
 * metadata string and are kept as hashes only (S47).
 * @param customerId whose subscription it takes up again, gives another plan, or takes the place of
 */
export async function beginOrder(
  { db, clock, saleCountry }: CheckoutDeps,
  customerId: string | undefined,
  request: {
    category: string;
    productId: string;
    currency: string;
    subscriptionId?: string | undefined;
    replaces?: string | undefined;
  },
): Promise<{ metadata: string; expiresAt: string } | Refusal> {
  const { subscriptionId, replaces } = request;
  if ((subscriptionId || replaces) && !customerId) return refuse('subscriptionNotFound');
  if (subscriptionId && replaces) return refuse('productNotFound');
  const replaced =
    replaces && customerId
      ? await replacementOf(db, clock.now(), { customerId, subscriptionId: replaces })
      : undefined;
  if (replaced && isRefusal(replaced)) return replaced;
  const again =
    subscriptionId && customerId
      ? await offerFor(db, clock.now(), saleCountry, {
          customerId,
          subscriptionId,
          productId: request.productId,
        })
      : undefined;
  if (again && isRefusal(again)) return again;
  const upgrade = again && 'upgrade' in again ? again.upgrade : undefined;
  const keepsPlace = upgrade !== undefined || (again && 'held' in again);
  const offer = keepsPlace
    ? again
    : await offered(db, clock.now(), saleCountry, request.currency, request.productId);
  const found = offer && (again ?? offer);
  if (found?.product.category !== request.category) return refuse('productNotFound');
  const asked = { id: found.product.id, currency: found.currency };
  if (asked.id !== request.productId || asked.currency !== request.currency) return refuse('productNotFound');
  if (replaced && !(isElsewhere(found.product, replaced) && found.currency === replaced.currency)) {
    return refuse('productNotFound');
  }
  const [reference, check] = [newReference(), newReference()];
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + ORDER_LIFETIME_HOURS * 60 * 60 * 1000);
  await storeDraft(db, {
    id: newId('ord'),
    token_hash: tokenHash(socketToken(reference)),
    check_hash: tokenHash(check),
    category: found.product.category,
    product_id: found.product.id,
    subscription_id: subscriptionId ?? null,
    upgrade: upgrade ?? null,
    replacement: replaced?.offer ?? null,
    currency: found.currency,
    price: found.price,
    net: found.net,
    vat: found.vat,
    vat_rate_bp: found.vatRateBp,
    renewal: found.renewal,
    first_year: found.firstYear,
    created_at: now,
    expires_at: expiresAt,
  });
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
