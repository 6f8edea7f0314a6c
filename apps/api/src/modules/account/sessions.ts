import type { TeamRole } from '@fixpoint/contract/team-role.ts';
import type { Device } from '@fixpoint/domain/account/device.ts';
import { ABSOLUTE_MS, ACCESS_MS, GRACE_MS, IDLE_MS } from '@fixpoint/domain/account/session.ts';
import { sql } from 'kysely';
import { newId, newToken, tokenHash } from '../../crypto/secrets.ts';
import { createBatcher } from '../../database/batcher.ts';
import { prepareQuery } from '../../database/prepared-queries.ts';
import type { SessionRef } from '../../kernel/caller.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { AccountDeps } from './account.ts';

/** Tokens of a new session. */
export type Tokens = { sessionId: string; accessToken: string; refreshToken: string };

/** A refresh token contains its session ID, so that a replay is detected however old it is (S19). */
const newRefreshToken = (sessionId: string): string => `${sessionId}.${newToken()}`;
const sessionNamed = (refreshToken: string): string => refreshToken.split('.')[0]!;

/** What a session takes over from another one of the same browser. */
type Begun = Device & { ownBrowser?: boolean; confirmedAt?: Date; expiresAt?: Date };
/** `forOneself`: the session is for the user's own customer, also while it has bought nothing. */
type For = { forOneself?: boolean };

/**
 * Creates a session of a user for the customer that they worked for last, or else their own. Only hashes of its tokens are
 * stored. The lock on the membership orders it against a removal, which ends all sessions for that customer.
 */
export async function beginSession(
  db: Db,
  clock: Clock,
  userId: string,
  { browser, system, ownBrowser = false, confirmedAt, expiresAt, forOneself = false }: Begun & For,
): Promise<Tokens> {
  const now = clock.now();
  const sessionId = newId('ses');
  const tokens = { accessToken: newToken(), refreshToken: newRefreshToken(sessionId) };
  // A user without a membership works for their own customer, which has no one else.
  await sql`
    insert into session (id, browser, system, created_at, confirmed_at, own_browser, access_hash, access_expires_at,
      refresh_hash, rotated_at, idle_expires_at, expires_at, user_id, customer_id, role)
    select ${sessionId}, ${browser}, ${system}, ${now}, ${confirmedAt ?? now}, ${ownBrowser},
      ${tokenHash(tokens.accessToken)}, ${new Date(now.getTime() + ACCESS_MS)},
      ${tokenHash(tokens.refreshToken)}, ${now}, ${new Date(now.getTime() + IDLE_MS)},
      ${expiresAt ?? new Date(now.getTime() + ABSOLUTE_MS)},
      ${userId}, coalesce(working.customer_id, ${userId}), coalesce(working.role, 'owner')
    from (select) one left join lateral (
      select membership.customer_id, membership.role from membership
      join customer on customer.id = membership.customer_id
      left join app_user on app_user.id = membership.user_id
      where membership.user_id = ${userId} and customer.status = 'active' and not ${forOneself}::boolean
      order by (membership.customer_id = app_user.last_customer_id) desc nulls last,
        (membership.customer_id = ${userId}) desc, membership.since
      limit 1 for share of membership
    ) working on true`.execute(db);
  return { sessionId, ...tokens };
}

/** Sessions of a user. Those that a version without users has begun are the founder's. */
export const ofUser = (userId: string) =>
  sql<boolean>`coalesce(session.user_id, session.customer_id) = ${userId}`;

/** Live sessions, of active customers only. */
const liveSessions = (db: Db, now: Date) =>
  db
    .selectFrom('session')
    .innerJoin('customer', 'customer.id', 'session.customer_id')
    .select(['session.id as sessionId', 'customer.id as customerId', 'session.confirmed_at as confirmedAt'])
    .select(sql<string>`coalesce(session.user_id, session.customer_id)`.as('userId'))
    .select('session.own_browser as ownBrowser')
    // Null in rows that a version without users has written: the founder's.
    .select(sql<TeamRole>`coalesce(session.role, 'owner')`.as('role'))
    .select(sql<Date>`least(session.expires_at, session.idle_expires_at)`.as('endsAt'))
    .where('session.access_expires_at', '>', now)
    .where('session.expires_at', '>', now)
    .where('session.ended_at', 'is', null)
    .where('customer.status', '=', 'active');
const readOne = prepareQuery((db, { hash, now }: { hash: Buffer; now: Date }) =>
  liveSessions(db, now).where('session.access_hash', '=', hash),
);
const readSome = prepareQuery((db, { hashes, now }: { hashes: Buffer[]; now: Date }) =>
  liveSessions(db, now)
    .select('session.access_hash as hash')
    .where('session.access_hash', '=', sql<Buffer>`any(${hashes}::bytea[])`),
);

/** Finds the live session of an access token, or undefined. Concurrent lookups share one statement. */
export function createSessionOf(
  db: Db,
  clock: Clock,
): (accessToken: string) => Promise<SessionRef | undefined> {
  const sessionOf = createBatcher(async (hashes: readonly Buffer[]) => {
    const now = clock.now();
    // PostgreSQL plans a list by its length; a single lookup avoids that.
    if (hashes.length === 1) return readOne(db, { hash: hashes[0]!, now });
    const found = new Map<string, SessionRef>();
    for (const { hash, ...session } of await readSome(db, { hashes: [...hashes], now }))
      found.set(hash.toString('hex'), session);
    return hashes.map(hash => found.get(hash.toString('hex')));
  });
  return accessToken => sessionOf(tokenHash(accessToken));
}

/**
 * Exchanges a refresh token for new tokens (S19). Within the grace period the old token gets the same access token, but no
 * refresh token, so that concurrent tabs all continue. A later replay means theft and ends the session for both.
 */
export async function refreshSession(
  deps: Pick<AccountDeps, 'db' | 'clock' | 'accessToken' | 'live' | 'jobs'>,
  refreshToken: string,
): Promise<Omit<Tokens, 'sessionId'> | undefined> {
  const { db, clock, accessToken: accessTokenFor, live, jobs } = deps;
  const given = tokenHash(refreshToken);
  return db.transaction().execute(async tx => {
    const session = await tx
      .selectFrom('session')
      .innerJoin('customer', 'customer.id', 'session.customer_id')
      .selectAll('session')
      .where('session.id', '=', sessionNamed(refreshToken))
      .where('customer.status', '=', 'active')
      .forUpdate('session')
      .executeTakeFirst();
    const now = clock.now();
    if (!session || session.ended_at || session.expires_at <= now || session.idle_expires_at <= now)
      return undefined;

    const replayed = !session.refresh_hash.equals(given);
    const inGrace =
      session.previous_refresh_hash?.equals(given) &&
      now.getTime() - session.rotated_at.getTime() <= GRACE_MS;
    if (replayed && !inGrace) {
      const { id, user_id, customer_id: founder } = session;
      await tx.updateTable('session').set({ ended_at: now }).where('id', '=', id).execute();
      // In the same transaction: nothing would disconnect the sockets later.
      await live.disconnect(tx, `session:${id}`);
      await jobs.enqueue(tx, 'sendEmail', {
        template: 'sessionStolen',
        customerId: user_id ?? founder,
        subjectId: id,
      });
      return undefined;
    }
    const accessToken = accessTokenFor(refreshToken);
    if (replayed) return { accessToken, refreshToken: '' };
    const next = newRefreshToken(session.id);
    await tx
      .updateTable('session')
      .set({
        access_hash: tokenHash(accessToken),
        access_expires_at: new Date(now.getTime() + ACCESS_MS),
        refresh_hash: tokenHash(next),
        previous_refresh_hash: session.refresh_hash,
        rotated_at: now,
        idle_expires_at: new Date(now.getTime() + IDLE_MS),
      })
      .where('id', '=', session.id)
      .execute();
    return { accessToken, refreshToken: next };
  });
}

/** Ends a session by its ID or refresh token. @returns its ID, or undefined when it had ended */
export async function endSession(
  db: Db,
  clock: Clock,
  by: { sessionId: string } | { refreshToken: string },
): Promise<string | undefined> {
  let query = db.updateTable('session').set({ ended_at: clock.now() }).where('ended_at', 'is', null);
  query =
    'sessionId' in by
      ? query.where('id', '=', by.sessionId)
      : query.where('refresh_hash', '=', tokenHash(by.refreshToken));
  return (await query.returning('id').executeTakeFirst())?.id;
}
