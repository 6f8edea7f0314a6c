import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';

const DAY_MS = 24 * 60 * 60_000;
/** An ended session is remembered this long: a replayed token is still known, and so is the device. */
export const SESSION_KEPT_MS = 30 * DAY_MS;
/** Limits of one-time codes look back a day. */
const CHALLENGE_KEPT_MS = 2 * DAY_MS;

/** Deletes what has run out: sessions, codes, links, ceremonies. */
export async function sweepAccounts({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock.now();
  const ago = (ms: number): Date => new Date(now.getTime() - ms);
  await db
    .deleteFrom('session')
    .where(eb =>
      eb.or([
        eb('expires_at', '<', ago(SESSION_KEPT_MS)),
        eb('ended_at', '<', ago(SESSION_KEPT_MS)),
        eb('idle_expires_at', '<', ago(SESSION_KEPT_MS)),
      ]),
    )
    .execute();
  await db.deleteFrom('challenge').where('sent_at', '<', ago(CHALLENGE_KEPT_MS)).execute();
  await db.deleteFrom('link_token').where('expires_at', '<', ago(DAY_MS)).execute();
  await db.deleteFrom('ceremony').where('expires_at', '<', now).execute();
}
