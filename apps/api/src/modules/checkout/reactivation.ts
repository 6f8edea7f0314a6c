import { withVat } from '@fixpoint/domain/kernel/money.ts';
import { can } from '@fixpoint/domain/subscription/subscription.ts';
import { type Selectable, sql } from 'kysely';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import type { Tables } from '../../ports/tables.ts';
import { productAsAgreed, type Quote, quote, vatRateOf } from '../catalog/index.ts';
import { extendReservation, isStranded } from '../provisioning/index.ts';
import { stateOf } from '../subscription/index.ts';
import type { Order } from './store.ts';

/** Coins are waited for a while longer than an order's time. */
const COINS_MS = 2 * 24 * 60 * 60_000;

/** Until when what was promised with an order is held for it: as long as money may come. */
const heldForOrder = (expiresAt: Date): Date => new Date(expiresAt.getTime() + COINS_MS);

/** What was promised with an order stays there as long as it may be paid. */
export const holdForOrder = (tx: Db, { subscription_id: id, expires_at }: Order): Promise<void> =>
  extendReservation(tx, id!, heldForOrder(expires_at));

/** What re-activating a subscription is; `held`: the address that comes with it. Without one it gets another. */
export type Reactivation = Quote & { held?: { address: string; until: Date } };

/** A subscription that is sold no more goes on as it was agreed, as a renewal of it would; its VAT is that of the day. */
const asAgreed = async (db: Db, saleCountry: string, row: Selectable<Tables['subscription']>) => ({
  product: await productAsAgreed(db, row.product_id, {
    devices: row.devices,
    dataTransferGb: row.data_transfer_gb,
    rateMbit: row.rate_mbit,
    portForward: row.port_forward,
  }),
  currency: row.currency,
  renewal: row.renewal,
  vatRateBp: (await vatRateOf(db, saleCountry)) ?? row.vat_rate_bp,
});

/**
 * What a customer can buy again of a subscription of his that has ended: a new period from then on, at the price of a
 * renewal. The address that it still has is promised where it can be held until an order of it is paid: with that he goes on
 * where it is sold no more, too.
 * @param expiresAt of the order
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
        .on('static_ip.reserved_at_most', '>=', heldForOrder(expiresAt))
        .on(({ not }) => not(isStranded)),
    )
    .selectAll('subscription')
    .select(['static_ip.reserved_until', sql<string | null>`host(static_ip.address)`.as('address')])
    .where('subscription.id', '=', of.subscriptionId)
    .where('subscription.customer_id', '=', of.customerId)
    .executeTakeFirst();
  if (!row) return refuse('subscriptionNotFound');
  const decision = can(stateOf(row), 'reactivate', now);
  if (!decision.ok) return refuse(decision.refusal);
  const { product_id: productId, currency, address, reserved_until: until } = row;
  const held = address !== null && until !== null && { address, until };
  const sold = await quote(db, saleCountry, currency, { productId });
  const found = sold ?? (held ? await asAgreed(db, saleCountry, row) : undefined);
  if (!found) return refuse('productNotFound');
  const price = withVat(currency, found.renewal, found.vatRateBp);
  return { ...found, ...price, firstYear: false, ...(held && { held }) };
}
