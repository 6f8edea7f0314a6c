import { withVat } from '@fixpoint/domain/kernel/money.ts';
import { LATE_COINS_MS } from '@fixpoint/domain/order/order.ts';
import { can } from '@fixpoint/domain/subscription/subscription.ts';
import { type Selectable, sql } from 'kysely';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import type { Tables } from '../../ports/tables.ts';
import { productAsAgreed, type Quote, quote, vatRateOf } from '../catalog/index.ts';
import { extendReservation, isStranded } from '../provisioning/index.ts';
import { isHeldByStaff, refuseAction, stateOf } from '../subscription/index.ts';
import type { Order } from './store.ts';

/** The end of the reservation of an address that an order promises: the address stays as long as money may come. */
const reservedUntil = (expiresAt: Date): Date => new Date(expiresAt.getTime() + LATE_COINS_MS);

/** Extends the reservation of an address for as long as the order that promises it may be paid. */
export const reserveForOrder = (tx: Db, { subscription_id: id, expires_at }: Order): Promise<void> =>
  extendReservation(tx, id!, reservedUntil(expires_at));

/** The offer to reactivate a subscription. `reserved`: the address that comes with it; undefined: it gets another. */
export type Reactivation = Quote & { reserved?: { address: string; until: Date } };

/** The agreed terms of a subscription whose product is sold no more, as for its renewals, with the VAT of today. */
const asAgreed = async (db: Db, now: Date, saleCountry: string, row: Selectable<Tables['subscription']>) => ({
  product: await productAsAgreed(db, row.product_id, {
    devices: row.devices,
    dataTransferGb: row.data_transfer_gb,
    rateMbit: row.rate_mbit,
    portForward: row.port_forward,
  }),
  currency: row.currency,
  renewal: row.renewal,
  vatRateBp: (await vatRateOf(db, saleCountry, now)) ?? row.vat_rate_bp,
});

/**
 * Offers a customer to reactivate an ended subscription at the price of a renewal. Its address is promised where it can stay
 * reserved until the order is paid; with its address a subscription goes on even where the product is sold no more.
 * @param expiresAt when the order expires
 */
export async function reactivationOf(
  db: Db,
  now: Date,
  saleCountry: string,
  of: { customerId: string; subscriptionId: string },
  expiresAt: Date,
): Promise<Reactivation | Refusal> {
  const row = await db
    .selectFrom('subscription')
    .leftJoin('static_ip', join =>
      join
        .onRef('static_ip.subscription_id', '=', 'subscription.id')
        .on('static_ip.reserved_until', '>', now)
        .on('static_ip.reserved_at_most', '>=', reservedUntil(expiresAt))
        .on(({ not }) => not(isStranded)),
    )
    .selectAll('subscription')
    .select(['static_ip.reserved_until', sql<string | null>`host(static_ip.address)`.as('address')])
    .where('subscription.id', '=', of.subscriptionId)
    .where('subscription.customer_id', '=', of.customerId)
    .executeTakeFirst();
  if (!row) return refuse('subscriptionNotFound');
  const decision = can(stateOf(row), 'reactivate', now);
  if (!decision.ok) return refuseAction(decision.refusal);
  if (await isHeldByStaff(db, row.id)) return refuse('accessRestricted');
  const { product_id: productId, currency, address, reserved_until: until } = row;
  const reserved = address !== null && until !== null && { address, until };
  const sold = await quote(db, now, saleCountry, currency, { productId });
  const found = sold ?? (reserved ? await asAgreed(db, now, saleCountry, row) : undefined);
  if (!found) return refuse('productNotFound');
  const price = withVat(currency, found.renewal, found.vatRateBp);
  return { ...found, ...price, firstYear: false, ...(reserved && { reserved }) };
}
