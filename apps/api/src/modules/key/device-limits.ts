import { sql } from 'kysely';
import type { CustomerCaller } from '../../kernel/caller.ts';
import type { Db } from '../../ports/database.ts';

/** Names and addresses of a subscription's devices. A member does not see those of others, and is told only these two. */
export async function takenIn(
  tx: Db,
  { role }: CustomerCaller,
  subscriptionId: string,
): Promise<{ name: string; address: number }[]> {
  if (role === 'member') {
    const { rows } = await sql<{ name: string; address: number }>`
      select name, address from devices_taken(${subscriptionId})`.execute(tx);
    return rows;
  }
  return tx
    .selectFrom('vpn_key')
    .select(['name', 'address'])
    .where('subscription_id', '=', subscriptionId)
    .where('deleted_at', 'is', null)
    .execute();
}

/** How many devices a member has on a subscription, and may have. Undefined for others, who have no number. */
export async function ownNumber(
  tx: Db,
  { role, userId }: CustomerCaller,
  subscriptionId: string,
): Promise<{ has: number; most: number } | undefined> {
  if (role !== 'member') return undefined;
  const { rows } = await sql<{ has: number; most: number }>`
    select (select count(*)::int from vpn_key
        where subscription_id = ${subscriptionId} and user_id = ${userId} and deleted_at is null) as has,
      coalesce((select devices from device_allowance
        where subscription_id = ${subscriptionId} and user_id = ${userId}), 0) as most`.execute(tx);
  return rows[0]!;
}

/** Expiry of the nth newest file of all devices of a subscription, if it is after `since`. */
export async function nthNewestFile(
  tx: Db,
  { role }: CustomerCaller,
  subscriptionId: string,
  since: Date,
  nth: number,
): Promise<Date | undefined> {
  if (role === 'member') {
    const { rows } = await sql<{ end: Date | null }>`
      select nth_newest_file(${subscriptionId}, ${since}, ${nth}) as "end"`.execute(tx);
    return rows[0]!.end ?? undefined;
  }
  const found = await tx
    .selectFrom('certificate')
    .innerJoin('vpn_key', 'vpn_key.id', 'certificate.key_id')
    .select('certificate.not_after')
    .where('vpn_key.subscription_id', '=', subscriptionId)
    .where('certificate.not_after', '>', since)
    .orderBy('certificate.not_after', 'desc')
    .offset(nth - 1)
    .limit(1)
    .executeTakeFirst();
  return found?.not_after;
}
