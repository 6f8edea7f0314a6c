import { sql } from 'kysely';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { announceClock } from './postgres-bus.ts';

/** The shop clock: the system clock plus an offset from the database. */
export type ShopClock = Clock & {
  /** Offset in ms. */
  ahead(): number;
  /** Call it when the clock was or may have been advanced. */
  refresh(): Promise<void>;
};

/** Opens the clock that all nodes on a database share. */
export async function openShopClock(db: Db, systemClock: Clock): Promise<ShopClock> {
  const read = async () =>
    Number((await db.selectFrom('shop_clock').select('ahead_ms').executeTakeFirstOrThrow()).ahead_ms);
  let ahead = await read();
  return {
    now: () => new Date(systemClock.now().getTime() + ahead),
    ahead: () => ahead,
    async refresh() {
      ahead = await read();
    },
  };
}

/**
 * Advances the clock of all nodes.
 * @param from current offset as known to the caller
 * @returns false if it was advanced by somebody else meanwhile
 */
export async function moveShopClock(tx: Db, from: number, ms: number): Promise<boolean> {
  const moved = await tx
    .updateTable('shop_clock')
    .set({ ahead_ms: sql<number>`ahead_ms + ${ms}::bigint` })
    .where('ahead_ms', '=', from)
    .returning('ahead_ms')
    .executeTakeFirst();
  if (moved) await announceClock(tx);
  return moved !== undefined;
}
