import type { accountCalls } from '@fixpoint/contract/calls/account.ts';
import type { Handlers } from '../../kernel/caller.ts';
import { isRefusal, refuse } from '../../kernel/refusal.ts';
import type { AccountDeps } from './account.ts';
import { confirmSession } from './confirm.ts';
import { exportData } from './export-data.ts';
import { sendTokens } from './handlers.ts';
import { openSession } from './log-in.ts';
import { endSessions, listSessions } from './my-sessions.ts';
import {
  addPasskey,
  beginAuthentication,
  beginRegistration,
  listPasskeys,
  removePasskey,
  verifyPasskey,
} from './passkeys.ts';
import { beginTotp, confirmTotp, newRecoveryCodes, removeTotp } from './totp.ts';

/** Calls on the customer's own account, beyond the 46 calls of W48. */
export function ownAccountHandlers(deps: AccountDeps) {
  const { db } = deps;
  return {
    sessions: async (_, { customerId, sessionId }) => ({
      sessions: await listSessions(deps, customerId, sessionId),
    }),

    async endSession({ body }, { customerId }) {
      const ended = await endSessions(deps, customerId, { only: body.id });
      return ended > 0 ? {} : refuse('tokenInvalid');
    },

    endOtherSessions: async (_, { customerId, sessionId }) => ({
      ended: await endSessions(deps, customerId, { allBut: sessionId }),
    }),

    async setLanguage({ body }, { customerId }) {
      await db
        .updateTable('customer')
        .set({ language: body.language })
        .where('id', '=', customerId)
        .execute();
      return {};
    },

    async setEmails({ body }, { customerId }) {
      const emails_off = [...new Set(body.off)];
      await db.updateTable('customer').set({ emails_off }).where('id', '=', customerId).execute();
      return {};
    },

    async setName({ body }, { customerId }) {
      const name = body.name || null;
      await db.updateTable('app_user').set({ name }).where('id', '=', customerId).execute();
      return {};
    },

    async setAccountName({ body }, { customerId }) {
      const display_name = body.name || null;
      await db.updateTable('customer').set({ display_name }).where('id', '=', customerId).execute();
      return {};
    },

    exportData: (_, caller) => exportData(deps, caller),

    passkeys: async (_, { customerId }) => ({ passkeys: await listPasskeys(db, customerId) }),
    addPasskeyOptions: (_, { customerId }) => beginRegistration(deps, customerId),
    addPasskey: ({ body }, { customerId }) => addPasskey(deps, customerId, body),
    removePasskey: async ({ body }, { customerId }) =>
      (await removePasskey(deps, customerId, body.id)) ? {} : refuse('tokenInvalid'),
    passkeyLoginOptions: () => beginAuthentication(deps, 'login'),
    async passkeyLogin({ body }, caller) {
      const customerId = await verifyPasskey(deps, 'login', body);
      const begun = customerId && (await openSession(deps, customerId, caller));
      return begun ? sendTokens(begun, body.refreshIn, caller) : refuse('authenticationFailed');
    },

    beginTotp: (_, { customerId }) => beginTotp(deps, customerId),
    confirmTotp: ({ body }, { customerId }) => confirmTotp(deps, customerId, body.code),
    newRecoveryCodes: (_, { customerId }) => newRecoveryCodes(deps, customerId),
    async removeTotp(_, { customerId }) {
      await removeTotp(deps, customerId);
      return {};
    },

    stepUpOptions: (_, { customerId }) => beginAuthentication(deps, 'stepUp', customerId),
    async stepUp({ body }, caller) {
      const result = await confirmSession(deps, caller, body);
      return isRefusal(result) ? result : {};
    },

    humanCheck: async ({ query }, { network }) =>
      (await deps.humanCheck.challenge(query.work, network)) ?? {
        refusal: 'tooManyRequests',
        retryAfterSeconds: 1,
      },
  } satisfies Handlers<typeof accountCalls>;
}
