import { bangkokDay } from '@fixpoint/domain/kernel/bangkok.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';
import { ofUser } from './sessions.ts';

type Deps = { db: Db; clock: Clock; live: LiveBus };

/** Active sessions of a user, newest first. */
export async function listSessions({ db, clock }: Deps, userId: string, sessionId: string) {
  const now = clock.now();
  const rows = await db
    .selectFrom('session')
    .select(['id', 'browser', 'system', 'created_at', 'rotated_at'])
    .where(ofUser(userId))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where('idle_expires_at', '>', now)
    .orderBy('rotated_at', 'desc')
    .execute();
  return rows.map(({ id, browser, system, created_at, rotated_at }) => ({
    id,
    device: { browser, system },
    current: id === sessionId,
    createdAt: created_at.toISOString(),
    lastUsedOn: bangkokDay(rotated_at),
  }));
}

/**
 * Ends sessions of a user, and their sockets.
 * @param which one session, or all but one
 * @returns how many were ended
 */
export async function endSessions(
  { db, clock, live }: Deps,
  userId: string,
  which: { only: string } | { allBut: string },
): Promise<number> {
  return db.transaction().execute(async tx => {
    const open = tx
      .updateTable('session')
      .set({ ended_at: clock.now() })
      .where(ofUser(userId))
      .where('ended_at', 'is', null);
    const ended = await ('only' in which
      ? open.where('id', '=', which.only)
      : open.where('id', '<>', which.allBut)
    )
      .returning('id')
      .execute();
    for (const { id } of ended) await live.disconnect(tx, `session:${id}`);
    return ended.length;
  });
}
