import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';

const KEY = 'maintenance';

export const isMaintenance = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('setting').select('value').where('key', '=', KEY).executeTakeFirst())?.value === 'on';

/**
 * Switches maintenance: new purchases are refused with 9904, managing and payments under way go on. Pages with a live
 * connection hear it at once, the others ask every minute.
 */
export async function setMaintenance(db: Db, live: LiveBus, on: boolean): Promise<void> {
  const value = on ? 'on' : 'off';
  await db
    .insertInto('setting')
    .values({ key: KEY, value })
    .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
    .execute();
  await live.publish(db, 'everyone', 'MAINTENANCE', on ? 'MAINTENANCE' : 'NORMAL');
}
