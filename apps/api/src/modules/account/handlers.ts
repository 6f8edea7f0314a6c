import type { authCalls } from '@fixpoint/contract/calls/auth.ts';
import type { Language } from '@fixpoint/contract/languages.ts';
import type { Handlers } from '../../http/context.ts';
import { refuse } from '../../http/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { LiveBus } from '../../ports/live.ts';
import { consumeLink, readLink } from './links.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { beginSession, endSession, refreshSession } from './sessions.ts';

export function accountHandlers(deps: { db: Db; clock: Clock; jobs: Jobs; live: LiveBus }) {
  const { db, clock, jobs, live } = deps;
  return {
    async login({ body }, caller) {
      const customer = await db
        .selectFrom('customer')
        .select(['id', 'password_hash'])
        .where('email', '=', body.email)
        .where('status', '=', 'active')
        .executeTakeFirst();
      if (!(await verifyPassword(customer?.password_hash, body.password)) || !customer)
        return refuse('credentialsWrong');
      const { accessToken, refreshToken } = await beginSession(db, clock, customer.id);
      if (body.refreshIn === 'body') return { data: { accessToken, refreshToken }, token: accessToken };
      caller.setRefreshCookie(refreshToken);
      return { data: { accessToken, refreshToken: '' }, token: accessToken };
    },

    async refresh({ body }, caller) {
      const fromCookie = body.refreshToken === '';
      const given = fromCookie ? caller.refreshCookie : body.refreshToken;
      const outcome = given ? await refreshSession(db, clock, given) : undefined;
      if (!outcome || 'ended' in outcome) {
        if (outcome) await live.disconnect(db, `session:${outcome.ended}`);
        caller.setRefreshCookie(undefined);
        return refuse('refreshRefused');
      }
      if (!fromCookie) return outcome.tokens;
      // Inside the grace there is no new refresh token: the browser already has it from the first answer.
      if (outcome.tokens.refreshToken) caller.setRefreshCookie(outcome.tokens.refreshToken);
      return { accessToken: outcome.tokens.accessToken, refreshToken: '' };
    },

    async logout({ body }, caller) {
      const token = body.refreshToken || caller.refreshCookie;
      const ended = caller.sessionId
        ? await endSession(db, clock, { sessionId: caller.sessionId })
        : token && (await endSession(db, clock, { refreshToken: token }));
      if (ended) await live.disconnect(db, `session:${ended}`);
      caller.setRefreshCookie(undefined);
      return {};
    },

    async profile(_, caller) {
      const customer = await db
        .selectFrom('customer')
        .selectAll()
        .where('id', '=', caller.customerId)
        .executeTakeFirstOrThrow();
      return {
        id: customer.id,
        email: customer.email,
        language: customer.language as Language,
        createdAt: customer.created_at.toISOString(),
      };
    },

    async verifyToken(_, caller) {
      const link = await readLink(db, clock, caller.linkToken);
      return link ? { email: link.email, purpose: link.purpose } : refuse('tokenInvalid');
    },

    async setPassword({ body }, caller) {
      const passwordHash = await hashPassword(body.password);
      return db.transaction().execute(async tx => {
        const customerId = await consumeLink(tx, clock, caller.linkToken);
        if (!customerId) return refuse('tokenInvalid');
        await tx
          .updateTable('customer')
          .set({ password_hash: passwordHash })
          .where('id', '=', customerId)
          .execute();
        await tx
          .updateTable('session')
          .set({ ended_at: clock.now() })
          .where('customer_id', '=', customerId)
          .where('ended_at', 'is', null)
          .execute();
        await live.disconnect(tx, `customer:${customerId}`);
        await jobs.enqueue(tx, 'sendMail', { mail: 'passwordSet', customerId, subjectId: customerId });
        return {};
      });
    },
  } satisfies Handlers<typeof authCalls>;
}
