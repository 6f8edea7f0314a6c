import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/**
 * Erases the names of devices, which are often names of people: all of a customer's, and those that its founder had elsewhere, which
 * ended with the account.
 */
export async function eraseKeys(tx: Db, customerId: string): Promise<void> {
  await eraseNames(tx).where('customer_id', '=', customerId).execute();
  await eraseNames(tx)
    .where('user_id', '=', customerId)
    .whereRef('user_id', '<>', 'customer_id')
    .where('deleted_at', 'is not', null)
    .execute();
}

const eraseNames = (tx: Db) =>
  tx.updateTable('vpn_key').set(eb => ({
    name: eb.ref('id'),
    label: null,
    device: null,
    link_hash: null,
    link_expires_at: null,
    forwarded_port: null,
    notify_at: null,
  }));

/** Keys of a customer with their usage, for the data export. */
export async function keysOf(db: Db, customerId: string) {
  const rows = await db
    .selectFrom('vpn_key')
    .leftJoin('key_usage', 'key_usage.key_id', 'vpn_key.id')
    .select(eb => [
      ...([
        'vpn_key.id',
        'subscription_id',
        'name',
        'label',
        'device',
        'forwarded_port',
        'created_at',
        'user_id',
        'month',
      ] as const),
      eb.fn.sum<number>('down_bytes').as('down_bytes'),
      eb.fn.sum<number>('up_bytes').as('up_bytes'),
    ])
    .groupBy(['vpn_key.id', 'month'])
    .where('vpn_key.customer_id', '=', customerId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('month')
    .execute();
  const days = await db
    .selectFrom('key_usage_day')
    .select(['key_id', 'day'])
    .select(sql<number>`sum(down_bytes)::bigint`.as('downBytes'))
    .select(sql<number>`sum(up_bytes)::bigint`.as('upBytes'))
    .where('customer_id', '=', customerId)
    .groupBy(['key_id', 'day'])
    .orderBy('day')
    .execute();
  const daysOf = Map.groupBy(days, ({ key_id }) => key_id);
  // Nobody reads how a colleague uses their device.
  const isOwn = ({ user_id }: { user_id: string | null }) => user_id === null || user_id === customerId;
  const keys = [...Map.groupBy(rows, ({ id }) => id).values()].map(months => ({
    subscription: months[0]!.subscription_id,
    name: months[0]!.name,
    label: months[0]!.label,
    device: months[0]!.device,
    forwardedPort: months[0]!.forwarded_port,
    createdAt: months[0]!.created_at.toISOString(),
    usage: months.flatMap(({ month, down_bytes, up_bytes }) =>
      month === null || !isOwn(months[0]!)
        ? []
        : [{ month, downBytes: Number(down_bytes), upBytes: Number(up_bytes) }],
    ),
    days: ((isOwn(months[0]!) && daysOf.get(months[0]!.id)) || []).map(({ key_id: _, ...day }) => day),
  }));
  return { keys };
}
