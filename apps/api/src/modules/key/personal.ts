import type { Db } from '../../ports/database.ts';

/** Names of devices are often names of people. */
export async function eraseKeys(tx: Db, customerId: string): Promise<void> {
  await tx
    .updateTable('vpn_key')
    .set(eb => ({ name: eb.ref('id'), label: null, device: null, link_hash: null, link_expires_at: null }))
    .where('customer_id', '=', customerId)
    .execute();
}

/** A customer's keys with what went over each, for the export of his data. */
export async function keysOf(db: Db, customerId: string) {
  const rows = await db
    .selectFrom('vpn_key')
    .leftJoin('key_usage', 'key_usage.key_id', 'vpn_key.id')
    .select([
      'vpn_key.id',
      'subscription_id',
      'name',
      'label',
      'device',
      'created_at',
      'month',
      'down_bytes',
      'up_bytes',
    ])
    .where('vpn_key.customer_id', '=', customerId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('month')
    .execute();
  const keys = [...Map.groupBy(rows, ({ id }) => id).values()].map(months => ({
    subscription: months[0]!.subscription_id,
    name: months[0]!.name,
    label: months[0]!.label,
    device: months[0]!.device,
    createdAt: months[0]!.created_at.toISOString(),
    usage: months.flatMap(({ month, down_bytes, up_bytes }) =>
      month === null ? [] : [{ month, downBytes: down_bytes ?? 0, upBytes: up_bytes ?? 0 }],
    ),
  }));
  return { keys };
}
