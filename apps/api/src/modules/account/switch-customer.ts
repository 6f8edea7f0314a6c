import type { Caller } from '../../kernel/caller.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { AccountDeps } from './account.ts';
import { deviceCookieFor } from './device-cookie.ts';
import type { OpenedSession } from './log-in.ts';
import { openNext } from './memberships.ts';
import { beginSession, endSession } from './sessions.ts';

/**
 * Exchanges the session for one of the same user for another customer. It is confirmed, and expires, as the session before:
 * switching proves nobody's identity.
 */
export function switchCustomer(
  deps: AccountDeps,
  { userId, sessionId }: Pick<Caller, 'sessionId'> & { userId: string; sessionId: string },
  customerId: string,
): Promise<OpenedSession | Refusal> {
  const { db, clock, live } = deps;
  return db.transaction().execute(async tx => {
    const user = await tx
      .selectFrom('customer')
      .select(['id', 'password_hash'])
      .where('id', '=', userId)
      .where('status', '=', 'active')
      .forShare()
      .executeTakeFirstOrThrow();
    const works = await tx
      .selectFrom('membership')
      .innerJoin('customer', 'customer.id', 'membership.customer_id')
      .select('customer.id')
      .where('membership.customer_id', '=', customerId)
      .where('membership.user_id', '=', userId)
      .where('customer.status', '=', 'active')
      .forShare('membership')
      .executeTakeFirst();
    if (!works) return refuse('userNotFound');
    const before = await tx
      .selectFrom('session')
      .select(['browser', 'system', 'own_browser', 'confirmed_at', 'expires_at'])
      .where('id', '=', sessionId)
      .where('ended_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    // Another call has ended it meanwhile.
    if (!before) return refuse('sessionExpired');
    await openNext(tx, { customerId, userId });
    const { browser, system, own_browser: ownBrowser, confirmed_at, expires_at } = before;
    const begun = { browser, system, ownBrowser, confirmedAt: confirmed_at, expiresAt: expires_at };
    const tokens = await beginSession(tx, clock, userId, begun);
    await endSession(tx, clock, { sessionId });
    await live.disconnect(tx, `session:${sessionId}`);
    return { ...tokens, deviceCookie: deviceCookieFor(deps, user) };
  });
}
