import { sql } from 'kysely';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';
import { listSessions } from './my-sessions.ts';
import { listPasskeys } from './passkeys.ts';
import { profileOf } from './profile.ts';

const iso = (at: Date): string => at.toISOString();
const isoOrNull = (at: Date | null): string | null => (at === null ? null : iso(at));

/** Everything the shop keeps about a customer, in words that he can read (S83). */
export async function exportData(
  deps: { db: Db; clock: Clock; live: LiveBus },
  { customerId, sessionId }: { customerId: string; sessionId: string },
) {
  const { db, clock } = deps;
  const { id, email, language, createdAt, totp } = await profileOf(db, customerId);
  const sessions = await listSessions(deps, customerId, sessionId);
  return {
    exportedAt: iso(clock.now()),
    account: { id, email, language, createdAt, totp },
    sessions: sessions.map(({ device, createdAt, lastUsedOn }) => ({ ...device, createdAt, lastUsedOn })),
    passkeys: await listPasskeys(db, customerId),
    ...(await purchases(db, customerId)),
    subscriptions: await subscriptions(db, customerId),
  };
}

async function purchases(db: Db, customerId: string) {
  const orders = await db
    .selectFrom('shop_order')
    .select(['id', 'product_id', 'status', 'currency', 'price', 'created_at'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .execute();
  const invoices = await db
    .selectFrom('invoice')
    .select(['number', 'status', 'currency', 'net', 'vat', 'total', 'created_at', 'issued_at'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .execute();
  const cards = await db
    .selectFrom('saved_card')
    .select(['brand', 'last4', 'expiry_month as expiryMonth', 'expiry_year as expiryYear'])
    .where('customer_id', '=', customerId)
    .execute();
  return {
    orders: orders.map(({ product_id, created_at, ...order }) => ({
      ...order,
      productId: product_id,
      createdAt: iso(created_at),
    })),
    invoices: invoices.map(({ created_at, issued_at, ...invoice }) => ({
      ...invoice,
      createdAt: iso(created_at),
      issuedAt: isoOrNull(issued_at),
    })),
    cards,
  };
}

async function subscriptions(db: Db, customerId: string) {
  const rows = await db
    .selectFrom('subscription')
    .leftJoin('static_ip', 'static_ip.subscription_id', 'subscription.id')
    .select(['id', 'product_id', 'status', 'created_at', 'started_at', 'period_end'])
    .select(sql<string | null>`host(static_ip.public_address)`.as('address'))
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .execute();
  return Promise.all(
    rows.map(async ({ id, status, address, product_id, created_at, started_at, period_end }) => ({
      ...{ id, status, address, productId: product_id, createdAt: iso(created_at) },
      startedAt: isoOrNull(started_at),
      periodEnd: isoOrNull(period_end),
      keys: await keys(db, id),
    })),
  );
}

async function keys(db: Db, subscriptionId: string) {
  const rows = await db
    .selectFrom('vpn_key')
    .leftJoin('key_usage', 'key_usage.key_id', 'vpn_key.id')
    .select(['vpn_key.id', 'name', 'created_at', 'month', 'down_bytes', 'up_bytes'])
    .where('subscription_id', '=', subscriptionId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('month')
    .execute();
  const byKey = Map.groupBy(rows, ({ id }) => id);
  return [...byKey.values()].map(months => ({
    name: months[0]!.name,
    createdAt: iso(months[0]!.created_at),
    usage: months.flatMap(({ month, down_bytes, up_bytes }) =>
      month === null ? [] : [{ month, downBytes: down_bytes ?? 0, upBytes: up_bytes ?? 0 }],
    ),
  }));
}
