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
  let last: boolean | undefined;
  /** Undefined: to be read again. */
  let asked: Promise<boolean> | undefined;
  const isOn = (): Promise<boolean> => {
    if (asked) return asked;
    const reading = read(db);
    asked = reading;
    // A change that was heard meanwhile is newer than what is being read.
    reading.then(
      on => {
        if (asked === reading) last = on;
      },
      () => {
        if (asked === reading) asked = undefined;
      },
    );
    return reading;
  };
  return {
    isOn,
    /** The last value without waiting; undefined until it is read for the first time, which this begins. */
    known(): boolean | undefined {
      void isOn();
      return last;
    },
    heard(on: boolean): void {
      last = on;
      asked = Promise.resolve(on);
    },
    forget(): void {
      asked = undefined;
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
