import type { Caller } from '../../kernel/caller.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import type { AccountDeps } from './account.ts';
import { deviceCookieFor } from './device-cookie.ts';
import type { OpenedSession } from './log-in.ts';
import { openNext } from './memberships.ts';
import { beginSession, endSession } from './sessions.ts';

/** Whether nobody works for a customer: that of a user who has bought nothing themselves. */
const isNobodys = async (tx: Db, customerId: string): Promise<boolean> =>
  (await tx
    .selectFrom('membership')
    .select('user_id')
    .where('customer_id', '=', customerId)
    .limit(1)
    .executeTakeFirst()) === undefined;

/**
 * Exchanges the session for one of the same user for another customer, or for themselves, to buy. It is confirmed, and expires, as
 * the session before: switching proves nobody's identity.
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
      .where('founder_id', 'is', null)
      .forShare()
      .executeTakeFirst();
    if (!user) return refuse('sessionExpired');
    const works = await tx
      .selectFrom('membership')
      .innerJoin('customer', 'customer.id', 'membership.customer_id')
      .select('customer.id')
      .where('membership.customer_id', '=', customerId)
      .where('membership.user_id', '=', userId)
      .where('customer.status', '=', 'active')
      .forShare('membership')
      .executeTakeFirst();
    const forOneself = !works && customerId === userId && (await isNobodys(tx, customerId));
    if (!works && !forOneself) return refuse('userNotFound');
    const before = await tx
      .selectFrom('session')
      .select(['browser', 'system', 'own_browser', 'confirmed_at', 'expires_at'])
      .where('id', '=', sessionId)
      .where('ended_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    // Another call has ended it meanwhile.
    if (!before) return refuse('sessionExpired');
    // The next log-in goes where the user works, unless they have bought something themselves.
    if (works) await openNext(tx, { customerId, userId });
    const { browser, system, own_browser: ownBrowser, confirmed_at, expires_at } = before;
    const begun = { browser, system, ownBrowser, confirmedAt: confirmed_at, expiresAt: expires_at };
    const tokens = await beginSession(tx, clock, userId, { ...begun, forOneself });
    await endSession(tx, clock, { sessionId });
    await live.disconnect(tx, `session:${sessionId}`);
    return { ...tokens, deviceCookie: deviceCookieFor(deps, user) };
  });
}
