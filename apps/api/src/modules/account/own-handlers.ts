import type { accountCalls } from '@fixpoint/contract/calls/account.ts';
import type { Handlers } from '../../kernel/caller.ts';
import { isRefusal, refuse } from '../../kernel/refusal.ts';
import type { AccountDeps } from './account.ts';
import { confirmEmailChange, requestEmailChange } from './change-email.ts';
import { confirmSession } from './confirm.ts';
import { exportAccount, exportData } from './export-data.ts';
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
import { readEmailChange, undoEmailChange } from './undo-email-change.ts';

/** Calls on the customer's own account, beyond the 46 calls of W48. */
export function ownAccountHandlers(deps: AccountDeps) {
  const { db } = deps;
  return {
    sessions: async (_, { userId, sessionId }) => ({
      sessions: await listSessions(deps, userId, sessionId),
    }),

    async endSession({ body }, { userId }) {
      const ended = await endSessions(deps, userId, { only: body.id });
      return ended > 0 ? {} : refuse('tokenInvalid');
    },

    endOtherSessions: async (_, { userId, sessionId }) => ({
      ended: await endSessions(deps, userId, { allBut: sessionId }),
    }),

    async setLanguage({ body }, { userId }) {
      await db.updateTable('customer').set({ language: body.language }).where('id', '=', userId).execute();
      return {};
    },

    async setEmails({ body }, { userId }) {
      const emails_off = [...new Set(body.off)];
      await db.updateTable('customer').set({ emails_off }).where('id', '=', userId).execute();
      return {};
    },

    async setName({ body }, { userId }) {
      const name = body.name || null;
      await db.updateTable('app_user').set({ name }).where('id', '=', userId).execute();
      return {};
    },

    async setAccountName({ body }, { customerId }) {
      const display_name = body.name || null;
      await db.updateTable('customer').set({ display_name }).where('id', '=', customerId).execute();
      return {};
    },

    changeEmail: ({ body }, { userId }) => requestEmailChange(deps, userId, body.email),
    confirmEmail: ({ body }, { userId }) => confirmEmailChange(deps, userId, body),
    async emailChange(_, { linkToken }) {
      const change = await readEmailChange(deps, linkToken);
      return change ? { email: change.old_email, holds: change.applied_at !== null } : refuse('tokenInvalid');
    },
    undoEmail: (_, { linkToken }) => undoEmailChange(deps, linkToken),

    exportData: (_, caller) => exportData(deps, caller),
    exportAccount: (_, { customerId }) => exportAccount(deps, customerId),

    passkeys: async (_, { userId }) => ({ passkeys: await listPasskeys(db, userId) }),
    addPasskeyOptions: (_, { userId }) => beginRegistration(deps, userId),
    addPasskey: ({ body }, { userId }) => addPasskey(deps, userId, body),
    removePasskey: async ({ body }, { userId }) =>
      (await removePasskey(deps, userId, body.id)) ? {} : refuse('tokenInvalid'),
    passkeyLoginOptions: () => beginAuthentication(deps, 'login'),
    async passkeyLogin({ body }, caller) {
      const userId = await verifyPasskey(deps, 'login', body);
      const begun = userId && (await openSession(deps, userId, caller));
      return begun ? sendTokens(begun, body.refreshIn, caller) : refuse('authenticationFailed');
    },

    beginTotp: (_, { userId }) => beginTotp(deps, userId),
    confirmTotp: ({ body }, { userId }) => confirmTotp(deps, userId, body.code),
    newRecoveryCodes: (_, { userId }) => newRecoveryCodes(deps, userId),
    async removeTotp(_, { userId }) {
      await removeTotp(deps, userId);
      return {};
    },

    stepUpOptions: (_, { userId }) => beginAuthentication(deps, 'stepUp', userId),
    async stepUp({ body }, caller) {
      const result = await confirmSession(
        deps,
        { customerId: caller.userId, sessionId: caller.sessionId },
        body,
      );
      return isRefusal(result) ? result : {};
    },

    humanCheck: async ({ query }, { network }) =>
      (await deps.humanCheck.challenge(query.work, network)) ?? {
        refusal: 'tooManyRequests',
        retryAfterSeconds: 1,
      },
  } satisfies Handlers<typeof accountCalls>;
}
