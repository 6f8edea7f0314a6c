import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';

const KEY = 'maintenance';

const read = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('setting').select('value').where('key', '=', KEY).executeTakeFirst())?.value === 'on';

/**
 * Maintenance flag, cached in memory because every purchase and page reads it. The live bus reports changes (`heard`); call
 * `forget` where one may have been missed.
 */
export function createMaintenance(db: Db) {
  let known: Promise<boolean> | undefined;
  return {
    isOn(): Promise<boolean> {
      if (known) return known;
      const asked = read(db).catch(error => {
        if (known === asked) known = undefined;
        throw error;
      });
      known = asked;
      return asked;
    },
    heard(on: boolean): void {
      known = Promise.resolve(on);
    },
    forget(): void {
      known = undefined;
    },
  };
}
export type Maintenance = ReturnType<typeof createMaintenance>;

/**
 * Switches maintenance on or off. New purchases are refused with 9904; account pages and open payments continue. Pages with
 * a live connection are notified at once, others poll every minute.
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
