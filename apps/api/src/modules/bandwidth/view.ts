import { lastDays } from '@fixpoint/domain/bandwidth/usage.ts';
import { bangkokMonth } from '@fixpoint/domain/kernel/bangkok.ts';
import { sql } from 'kysely';
import type { CustomerCaller } from '../../kernel/caller.ts';
import type { Db } from '../../ports/database.ts';
import { userOfDevice, usersOf } from '../subscription/index.ts';

/** Number of months shown. */
const MONTHS = 12;

/**
 * Line rate, key limits and usage of a subscription: of a day only that of the caller's own devices, so that nobody watches a
 * colleague. Undefined when it does not belong to the customer.
 */
export async function bandwidthView(
  db: Db,
  now: Date,
  { userId, customerId, role }: CustomerCaller,
  id: string,
) {
  const isOwn = sql<boolean>`${userOfDevice} = ${userId}`;
  const subscription = await db
    .selectFrom('subscription')
    .select(['rate_mbit', 'data_transfer_gb'])
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  if (!subscription) return undefined;
  const keys = await db
    .selectFrom('vpn_key')
    .leftJoin('key_rate', 'key_rate.key_id', 'vpn_key.id')
    .leftJoin('key_usage', join =>
      join.onRef('key_usage.key_id', '=', 'vpn_key.id').on('key_usage.month', '=', bangkokMonth(now)),
    )
    .select(['vpn_key.id', 'name', 'label', 'key_rate.rate_mbit'])
    .select(userOfDevice.as('user_id'))
    .select(sql<number>`coalesce(down_bytes + up_bytes, 0)::bigint`.as('usage_bytes'))
    .where('subscription_id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(role === 'member', qb => qb.where(isOwn))
    .orderBy('created_at')
    .execute();
  const users = await usersOf(db, userId, keys);
  const sums = [
    sql<number>`sum(down_bytes)::bigint`.as('downBytes'),
    sql<number>`sum(up_bytes)::bigint`.as('upBytes'),
  ] as const;
  const months = await db
    .selectFrom('key_usage')
    .innerJoin('vpn_key', 'vpn_key.id', 'key_usage.key_id')
    .select('month')
    .select(sums)
    .where('vpn_key.subscription_id', '=', id)
    .$if(role === 'member', qb => qb.where(isOwn))
    .groupBy('month')
    .orderBy('month', 'desc')
    .limit(MONTHS)
    .execute();
  const days = await db
    .selectFrom('key_usage_day')
    .innerJoin('vpn_key', 'vpn_key.id', 'key_usage_day.key_id')
    .select('day')
    .select(sums)
    .where('vpn_key.subscription_id', '=', id)
    .where(isOwn)
    .where('day', '>=', lastDays(now).first)
    .groupBy('day')
    .orderBy('day', 'desc')
    .execute();
  return {
    rateMbit: subscription.rate_mbit,
    dataTransferGb: subscription.data_transfer_gb,
    keys: keys.map(({ id, name, label, rate_mbit, usage_bytes, user_id }) => ({
      id,
      name,
      ...(label && { label }),
      ...(rate_mbit !== null && { rateMbit: rate_mbit }),
      ...users(user_id),
      ...(user_id === userId && { usageBytes: usage_bytes }),
    })),
    months,
    days,
  };
}
