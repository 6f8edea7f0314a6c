import { sql } from 'kysely';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { announceClock } from './postgres-bus.ts';

/** The shop's time: the real one, and as far ahead of it as the database says. */
export type ShopClock = Clock & {
  /** How far it is ahead, in ms. */
  ahead(): number;
  /** Somebody has moved it, or may have. */
  refresh(): Promise<void>;
};

/** Opens the clock that all nodes on a database share. */
export async function openShopClock(db: Db, wall: Clock): Promise<ShopClock> {
  const read = async () =>
    Number((await db.selectFrom('shop_clock').select('ahead_ms').executeTakeFirstOrThrow()).ahead_ms);
  let ahead = await read();
  return {
    now: () => new Date(wall.now().getTime() + ahead),
    ahead: () => ahead,
    async refresh() {
      ahead = await read();
    },
  };
}

/**
 * Moves the clock of all nodes forward.
 * @param from where it stands as its mover knows it
 * @returns false when somebody else has moved it meanwhile
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
