import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';

const DAY_MS = 24 * 60 * 60_000;
/** An ended session is remembered this long: a replayed token is still known, and so is the device. */
export const SESSION_KEPT_MS = 30 * DAY_MS;
/** Limits of one-time codes look back a day. */
const CHALLENGE_KEPT_MS = 2 * DAY_MS;

/** So many of each a minute: more than run out, and never a statement that takes long. */
const BATCH = 1000;

/** Deletes what has run out: sessions, codes, links, ceremonies. */
export async function sweepAccounts({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock.now();
  const ago = (ms: number): Date => new Date(now.getTime() - ms);
  const forget = (table: string, end: RawBuilder<Date>, before: Date) =>
    sql`delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${end} < ${before} order by ${end} limit ${BATCH}))`.execute(
      db,
    );
  await forget('session', sql`least(expires_at, idle_expires_at, ended_at)`, ago(SESSION_KEPT_MS));
  await forget('challenge', sql`sent_at`, ago(CHALLENGE_KEPT_MS));
  await forget('link_token', sql`expires_at`, ago(DAY_MS));
  await forget('ceremony', sql`expires_at`, now);
}
