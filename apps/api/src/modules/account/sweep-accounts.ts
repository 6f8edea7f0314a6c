import { sql } from 'kysely';
import { eachRow } from '../../jobs/each-row.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';

const DAY_MS = 24 * 60 * 60_000;
/** An ended session is kept this long, so that a replayed token and the device are still known. */
export const SESSION_RETENTION_MS = 30 * DAY_MS;
/** Limits of one-time codes look back a day, so challenges stay longer. */
const CHALLENGE_RETENTION_MS = 2 * DAY_MS;

/** Limit of each kind per run: more than expire in a minute, and no statement takes long. */
const BATCH = 1000;

/** Deletes ended sessions, and expired codes, links, ceremonies and changes of an address. One kind that fails does not stop the others. */
export async function sweepAccounts({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock.now();
  const ago = (ms: number): Date => new Date(now.getTime() - ms);
  const sweeps = {
    session: sql`delete from session where ctid = any(array(
      select ctid from session where least(expires_at, idle_expires_at, ended_at) < ${ago(SESSION_RETENTION_MS)}
      order by least(expires_at, idle_expires_at, ended_at) limit ${BATCH}))`,
    challenge: sql`delete from challenge where ctid = any(array(
      select ctid from challenge where sent_at < ${ago(CHALLENGE_RETENTION_MS)} order by sent_at limit ${BATCH}))`,
    link_token: sql`delete from link_token where ctid = any(array(
      select ctid from link_token where expires_at < ${ago(DAY_MS)} order by expires_at limit ${BATCH}))`,
    email_change: sql`delete from email_change where ctid = any(array(
      select ctid from email_change where undo_until < ${now} order by undo_until limit ${BATCH}))`,
    ceremony: sql`delete from ceremony where ctid = any(array(
      select ctid from ceremony where expires_at < ${now} order by expires_at limit ${BATCH}))`,
  };
  await eachRow(
    Object.entries(sweeps),
    ([table]) => table,
    ([, sweep]) => sweep.execute(db),
  );
}
