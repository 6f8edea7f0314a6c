import { formatMetadata, socketToken } from '@fixpoint/contract/metadata.ts';
import { ORDER_LIFETIME_HOURS } from '@fixpoint/domain/order/order.ts';
import { newId, newReference, tokenHash } from '../../crypto/secrets.ts';
import { failPoint } from '../../kernel/failpoints.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import { entitlementsOf, offered, productById, type Quote } from '../catalog/index.ts';
import type { CheckoutDeps } from './deps.ts';
import { type Reactivation, reactivationOf } from './reactivation.ts';
import { isElsewhere, replacementOf } from './replacement.ts';
import { type Draft, storeDraft } from './store.ts';
import { type Change, changeOf } from './upgrade.ts';

/** What of a subscription is bought: it is taken up again where it has ended, and gets another plan where it runs. */
async function offerFor(
  db: Db,
  now: Date,
  saleCountry: string,
  of: { customerId: string; subscriptionId: string; productId: string },
): Promise<Reactivation | Change | Refusal> {
  const again = await reactivationOf(db, now, saleCountry, of, endOfOrder(now));
  if (!isRefusal(again) || again.refusal !== 'subscriptionNotExpired') return again;
  const product = await productById(db, of.productId);
  if (!product) return refuse('productNotFound');
  const change = await changeOf(db, now, saleCountry, { ...of, planId: product.planId });
  // What begins with the next period is paid then.
  return isRefusal(change) || change.upgrade ? change : refuse('productNotFound');
}

type Request = {
  category: string;
  productId: string;
  currency: string;
  subscriptionId?: string | undefined;
  replaces?: string | undefined;
};
/** What an order freezes of its product and price, and what it is beside a new subscription. */
type Frozen = Quote & Pick<Draft, 'subscription_id' | 'upgrade' | 'replacement' | 'keeps_address'>;
type Begun = { metadata: string; expiresAt: string };

/** When an order that begins now is not waited for any more. */
export const endOfOrder = (now: Date): Date => new Date(now.getTime() + ORDER_LIFETIME_HOURS * 60 * 60_000);

/**
 * A new draft, and what its buyer gets of it: the reference and the check value leave in the metadata string and are kept as
 * hashes only (S47).
 */
function draftOf({ product, ...frozen }: Frozen, now: Date): { draft: Draft; begun: Begun } {
  const [reference, check] = [newReference(), newReference()];
  const expiresAt = endOfOrder(now);
  const { subscription_id: subscriptionId } = frozen;
  const draft = {
    id: newId('ord'),
    token_hash: tokenHash(socketToken(reference)),
    check_hash: tokenHash(check),
    category: product.category,
    product_id: product.id,
    entitlements: entitlementsOf(product),
    subscription_id: subscriptionId,
    upgrade: frozen.upgrade,
    replacement: frozen.replacement,
    keeps_address: frozen.keeps_address,
    currency: frozen.currency,
    price: frozen.price,
    net: frozen.net,
    vat: frozen.vat,
    vat_rate_bp: frozen.vatRateBp,
    renewal: frozen.renewal,
    first_year: frozen.firstYear,
    created_at: now,
    expires_at: expiresAt,
  };
  const metadata = formatMetadata({
    category: product.category,
    reference,
    productId: product.id,
    check,
    ...(subscriptionId && { subscriptionId }),
  });
  return { draft, begun: { metadata, expiresAt: expiresAt.toISOString() } };
}

/** What is ordered by a customer for a subscription of his, or in its place, or by anybody again. */
async function frozenFor(
  { db, clock, saleCountry }: CheckoutDeps,
  customerId: string | undefined,
  request: Request,
): Promise<Frozen | Refusal> {
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
  return {
    ...found,
    subscription_id: subscriptionId ?? null,
    upgrade: upgrade ?? null,
    replacement: replaced?.offer ?? null,
    keeps_address: again !== undefined && 'held' in again,
  };
}

/**
 * Begins an order: a draft with the price of its moment frozen in it.
 * @param customerId whose subscription it takes up again, gives another plan, or takes the place of
 */
export async function beginOrder(
  deps: CheckoutDeps,
  customerId: string | undefined,
  request: Request,
): Promise<Begun | Refusal> {
  const frozen = await frozenFor(deps, customerId, request);
  if (isRefusal(frozen)) return frozen;
  const { draft, begun } = draftOf(frozen, deps.clock.now());
  await storeDraft(deps.db, draft);
  failPoint('order.begun');
  return begun;
}
