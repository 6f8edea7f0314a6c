import { type ErrorName, errors } from '@fixpoint/contract/errors.ts';
import { periodEnd } from '@fixpoint/domain/kernel/bangkok.ts';
import { sql } from 'kysely';
import { maskEmail } from '../../log/mask-email.ts';
import { type OpenPayment, paymentView } from '../payment/index.ts';
import { surplusOf } from './credit-unapplied.ts';
import type { CheckoutDeps } from './deps.ts';
import { resendIn } from './email-buyer.ts';
import { proratedFor } from './replacement.ts';
import { type OrderOnPage, productOf } from './store.ts';

/** State of an order on the wire. `failure` is the code of the catalogue. */
export const orderState = (order: OrderOnPage, reference: string) => ({
  reference,
  status: order.status,
  version: order.version,
  total: {
    currency: order.currency,
    price: order.price,
    net: order.taxed?.net ?? order.net,
    vat: order.taxed?.vat ?? order.vat,
  },
  ...(proratedFor(order) > 0 && { prorated: proratedFor(order) }),
  ...(order.status === 'failed' && { failure: errors[(order.failure ?? 'cardDeclined') as ErrorName].code }),
});

/** The part of an order that credit pays, if any. */
export const creditState = ({ credit_used: credit }: OrderOnPage) => (credit ? { credit } : {});

/** The open payment of an order: its next action, and what was prepaid. */
export const paymentState = (now: Date, { prepaid, currency }: OrderOnPage, open: OpenPayment | undefined) =>
  open && prepaid !== null ? { payment: paymentView(now, open, { prepaid, currency }) } : {};

/** Everything that the order page and the success page show. */
export async function purchaseView(
  deps: Pick<CheckoutDeps, 'db' | 'clock' | 'limits'>,
  order: OrderOnPage,
  reference: string,
) {
  const { db, clock } = deps;
  const product = productOf(order);
  const subscription = await db
    .selectFrom('subscription')
    .leftJoin('static_ip', 'static_ip.subscription_id', 'subscription.id')
    .leftJoin('assignment', join =>
      join
        .onRef('assignment.subscription_id', '=', 'subscription.id')
        .on('assignment.status', '!=', sql.lit('leaving')),
    )
    .select([
      'subscription.id',
      'subscription.status',
      'assignment.delivery_ok',
      'subscription.period_end',
      sql<string | null>`host(static_ip.address)`.as('address'),
    ])
    .where(({ eb }) =>
      order.subscription_id
        ? eb('subscription.id', '=', order.subscription_id)
        : eb('subscription.order_id', '=', order.id),
    )
    .executeTakeFirst();
  const surplus = await surplusOf(db, order.id);
  const again = await resendIn(deps, order);
  const renewsAt = subscription?.period_end ?? periodEnd(order.paid_at ?? clock.now(), product.cycleCount);
  return {
    ...orderState(order, reference),
    ...creditState(order),
    ...(surplus > 0 && { surplus }),
    product,
    changesPlan: order.upgrade !== null || (order.status === 'refunded' && order.subscription_id !== null),
    ...(order.replacement && { replaces: order.replacement.subscriptionId }),
    renewal: order.renewal,
    renewsAt: renewsAt.toISOString(),
    ...(order.email && { email: maskEmail(order.email) }),
    ...(again !== undefined && { resendIn: again }),
    ...(subscription && {
      subscription: {
        id: subscription.id,
        status: subscription.status,
        ...(subscription.address && { address: subscription.address }),
        ...(subscription.delivery_ok !== null && { tested: subscription.delivery_ok }),
      },
    }),
  };
}
