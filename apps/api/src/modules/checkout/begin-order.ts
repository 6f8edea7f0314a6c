import { formatMetadata, socketToken } from '@fixpoint/contract/metadata.ts';
import { ORDER_LIFETIME_HOURS } from '@fixpoint/domain/order/order.ts';
import { newId, newReference, tokenHash } from '../../crypto/secrets.ts';
import { failPoint } from '../../kernel/failpoints.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import { entitlementsOf, hasRoomFor, offered, productById, type Quote } from '../catalog/index.ts';
import type { CheckoutDeps } from './deps.ts';
import { type Reactivation, reactivationOf } from './reactivation.ts';
import { needsReplacement, replacementOf } from './replacement.ts';
import { type Draft, storeDraft } from './store.ts';
import { type Change, changeOf } from './upgrade.ts';

/** The offer for an existing subscription: a reactivation where it has ended, an upgrade where it runs. */
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
  // A downgrade begins with the next period and is paid then: it needs no order.
  return isRefusal(change) || change.upgrade ? change : refuse('productNotFound');
}

type Request = {
  category: string;
  productId: string;
  currency: string;
  subscriptionId?: string | undefined;
  replaces?: string | undefined;
};
/** Snapshot of product and price at order time, and what is ordered if not a new subscription. */
type Frozen = Quote & Pick<Draft, 'subscription_id' | 'upgrade' | 'replacement' | 'keeps_address'>;
type Begun = { metadata: string; expiresAt: string };

/** The expiry of an order that begins now. */
export const endOfOrder = (now: Date): Date => new Date(now.getTime() + ORDER_LIFETIME_HOURS * 60 * 60_000);

/** A new draft and the buyer's metadata string. Reference and check value leave in that string; only hashes are stored (S47). */
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

/** Takes the snapshot: for a new subscription, or for a customer's own one that is reactivated, upgraded or replaced. */
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
  const keepsLocation = upgrade !== undefined || (again && 'reserved' in again);
  const offer = keepsLocation
    ? again
    : await offered(db, clock.now(), saleCountry, request.currency, request.productId);
  const found = offer && (again ?? offer);
  if (found?.product.category !== request.category) return refuse('productNotFound');
  const asked = { id: found.product.id, currency: found.currency };
  if (asked.id !== request.productId || asked.currency !== request.currency) return refuse('productNotFound');
  if (replaced && !(needsReplacement(found.product, replaced) && found.currency === replaced.currency)) {
    return refuse('productNotFound');
  }
  // The replaced one would serve all the time that the new one waits, although its days have paid for that.
  if (replaced && !(await hasRoomFor(db, clock.now(), found.product.id))) return refuse('productNotFound');
  return {
    ...found,
    subscription_id: subscriptionId ?? null,
    upgrade: upgrade ?? null,
    replacement: replaced?.offer ?? null,
    keeps_address: again !== undefined && 'reserved' in again,
  };
}

/**
 * Begins an order: stores a draft with a snapshot of the current price.
 * @param customerId owner of the subscription that is reactivated, upgraded or replaced
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
