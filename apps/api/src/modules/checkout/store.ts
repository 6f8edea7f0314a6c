import { type OrderMetadata, parseMetadata, socketToken } from '@fixpoint/contract/metadata.ts';
import { decideOrder, type OrderCommand } from '@fixpoint/domain/order/order.ts';
import { type Selectable, sql } from 'kysely';
import { tokenHash } from '../../crypto/secrets.ts';
import type { Db } from '../../ports/database.ts';
import type { Tables } from '../../ports/tables.ts';
import { type Product, type SoldProduct, soldProductOf } from '../catalog/index.ts';

export type Order = Selectable<Tables['shop_order']>;
/** An order with its product, and with what its page shows of its invoice; null: none is drafted yet. */
export type OrderOnPage = Order & {
  product: SoldProduct;
  invoice_id: string | null;
  credit_used: number | null;
  prepaid: number | null;
  /** Net and VAT of the invoice, which a payment on another day than the order's changes (M4). */
  taxed: { net: number; vat: number } | null;
};

export type Draft = Pick<
  Order,
  | 'id'
  | 'token_hash'
  | 'check_hash'
  | 'category'
  | 'product_id'
  | 'entitlements'
  | 'subscription_id'
  | 'upgrade'
  | 'replacement'
  | 'keeps_address'
  | 'currency'
  | 'price'
  | 'net'
  | 'vat'
  | 'vat_rate_bp'
  | 'renewal'
  | 'first_year'
  | 'created_at'
  | 'expires_at'
>;

/** Stores a new order, which has no buyer yet. */
export async function storeDraft(db: Db, draft: Draft): Promise<void> {
  await db
    .insertInto('shop_order')
    .values({ ...draft, status: 'draft' })
    .execute();
}

const onPage = (db: Db) =>
  db
    .selectFrom('shop_order')
    .leftJoin('invoice', 'invoice.order_id', 'shop_order.id')
    .selectAll('shop_order')
    .select(['invoice.id as invoice_id', 'invoice.credit_used', 'invoice.prepaid'])
    .select(
      sql<OrderOnPage['taxed']>`case when invoice.id is not null
        then jsonb_build_object('net', invoice.net, 'vat', invoice.vat) end`.as('taxed'),
    )
    .select(soldProductOf(db, 'shop_order.product_id').as('product'));

const byToken = (db: Db, token: string) => onPage(db).where('token_hash', '=', tokenHash(token));

/** The order of a metadata string, whose check value must match; undefined for a foreign or forged one. */
export async function orderOfMetadata(db: Db, metadata: string): Promise<OrderOnPage | undefined> {
  const parsed = parseMetadata(metadata);
  if (!parsed) return undefined;
  const order = await byToken(db, socketToken(parsed.reference)).executeTakeFirst();
  return order && matches(order, parsed) ? order : undefined;
}

const matches = (order: Order, metadata: OrderMetadata): boolean =>
  order.product_id === metadata.productId &&
  order.category === metadata.category &&
  order.subscription_id === (metadata.subscriptionId ?? null) &&
  order.check_hash.equals(tokenHash(metadata.check));

/** The order of a socket token. */
export const orderOfToken = (db: Db, token: string): Promise<Order | undefined> =>
  byToken(db, token).executeTakeFirst();

export const orderById = (db: Db, id: string): Promise<OrderOnPage | undefined> =>
  onPage(db).where('shop_order.id', '=', id).executeTakeFirst();

/** The ordered product, as it was when the order began. */
export const productOf = ({ product: { place: _, ...product }, entitlements }: OrderOnPage): Product => ({
  ...product,
  ...entitlements,
});

export const lockOrder = (tx: Db, id: string): Promise<Order> =>
  tx.selectFrom('shop_order').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();

/**
 * Moves an order by a command, together with other fields, which locks its row. Answers undefined when the order does not
 * allow it; a command that has had its effect already leaves the state as it is.
 * @param order locked, or as it was read
 * @throws when it has changed since it was read
 */
export async function transitionOrder(
  tx: Db,
  order: Order,
  command: OrderCommand,
  change: Partial<Omit<Order, 'id' | 'status' | 'version'>> = {},
): Promise<Order | undefined> {
  const decision = decideOrder(order.status, command);
  if (!decision.ok) return undefined;
  if (!decision.changed && Object.keys(change).length === 0) return order;
  return tx
    .updateTable('shop_order')
    .set({ ...change, status: decision.next, version: order.version + 1 })
    .where('id', '=', order.id)
    .where('version', '=', order.version)
    .returningAll()
    .executeTakeFirstOrThrow();
}
