import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';

const KEY = 'maintenance';

const read = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('setting').select('value').where('key', '=', KEY).executeTakeFirst())?.value === 'on';

/**
 * Maintenance flag, kept in memory because every answer names it: no call costs a statement. The live bus reports changes
 * (`heard`); call `forget` where one may have been missed.
 */
export function createMaintenance(db: Db) {
  let current: { on?: boolean; asked: Promise<boolean> } | undefined;
  let forgotten = false;
  const ask = () => {
    // Until it is read again, the last value is the likely one.
    const entry: NonNullable<typeof current> = { ...current, asked: read(db) };
    current = entry;
    forgotten = false;
    entry.asked.then(
      on => {
        entry.on = on;
      },
      () => {
        if (current === entry) forgotten = true;
      },
    );
    return entry;
  };
  const latest = () => (current && !forgotten ? current : ask());
  return {
    isOn: (): Promise<boolean> => latest().asked,
    /** The flag without waiting; undefined until it is read for the first time, which this begins. */
    known: (): boolean | undefined => latest().on,
    heard(on: boolean): void {
      current = { on, asked: Promise.resolve(on) };
      forgotten = false;
    },
    forget(): void {
      forgotten = true;
    },
  };
}
export type Maintenance = ReturnType<typeof createMaintenance>;

/**
 * Switches maintenance on or off. New orders and tries to pay are refused with 9904; account pages and what is with a bank
 * already continue. Pages with a live connection are notified at once, others by a header of their next answer.
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
