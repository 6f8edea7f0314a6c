import type { Db } from '../../ports/database.ts';

const KEY = 'maintenance';

export const isMaintenance = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('setting').select('value').where('key', '=', KEY).executeTakeFirst())?.value === 'on';

/** Switches maintenance: new purchases are refused with 9904, managing and payments under way go on. */
export async function setMaintenance(db: Db, on: boolean): Promise<void> {
  const value = on ? 'on' : 'off';
  await db
    .insertInto('setting')
    .values({ key: KEY, value })
    .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
