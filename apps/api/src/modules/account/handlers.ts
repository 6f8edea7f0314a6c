import type { authCalls, customerCalls } from '@fixpoint/contract/calls/auth.ts';
import type { Caller, Handlers } from '../../kernel/caller.ts';
import { isRefusal, refuse } from '../../kernel/refusal.ts';
import type { AccountDeps } from './account.ts';
import { changePassword, requestChange, requestReset, resetPassword } from './change-password.ts';
import { grantFor, resendCode, tryCode } from './codes.ts';
import { endAccount } from './end-account.ts';
import { readLink } from './links.ts';
import { logIn, type OpenedSession } from './log-in.ts';
import { profileOf } from './profile.ts';
import { endSession, refreshSession } from './sessions.ts';
import { setFirstPassword } from './set-password.ts';
import { register, verifyUser } from './sign-up.ts';

/** Returns the tokens of a new session: the refresh token in the body or, for browsers, in a cookie. */
export function sendTokens(openSession: OpenedSession, refreshIn: 'body' | 'cookie', caller: Caller) {
  const { accessToken, refreshToken, deviceCookie } = openSession;
  if (refreshIn === 'body') return { data: { accessToken, refreshToken }, token: accessToken };
  caller.setRefreshCookie(refreshToken);
  caller.setDeviceCookie(deviceCookie);
  return { data: { accessToken, refreshToken: '' }, token: accessToken };
}

export function accountHandlers(deps: AccountDeps) {
  const { db, clock, live } = deps;
  return {
    async login({ body }, caller) {
      const tokens = await logIn(deps, body, caller);
      return isRefusal(tokens) ? tokens : sendTokens(tokens, body.refreshIn, caller);
    },

    async refresh({ body }, caller) {
      const fromCookie = body.refreshToken === '';
      const given = fromCookie ? caller.refreshCookie : body.refreshToken;
      const tokens = given ? await refreshSession(deps, given) : undefined;
      if (!tokens) {
        caller.setRefreshCookie(undefined);
        return refuse('refreshRefused');
      }
      if (!fromCookie) return tokens;
      // Within the grace period there is no new refresh token: the browser has it from the first answer.
      if (tokens.refreshToken) caller.setRefreshCookie(tokens.refreshToken);
      return { accessToken: tokens.accessToken, refreshToken: '' };
    },

    async logout({ body }, caller) {
      const token = body.refreshToken || caller.refreshCookie;
      const ended = caller.sessionId
        ? await endSession(db, clock, { sessionId: caller.sessionId })
        : token && (await endSession(db, clock, { refreshToken: token }));
      if (ended) await live.disconnect(db, `session:${ended}`);
      caller.setRefreshCookie(undefined);
      // Includes the back-forward cache. Language, theme and device cookie stay in the browser.
      caller.clearSite('cache');
      return {};
    },

    profile: async (_, { userId, customerId, role }) => ({
      ...(await profileOf(db, userId)),
      customerId,
      role,
    }),

    async verifyToken(_, caller) {
      const link = await readLink(db, clock, caller.linkToken);
      return link ? { email: link.email, purpose: link.purpose } : refuse('tokenInvalid');
    },

    setPassword: ({ body }, { linkToken }) => setFirstPassword(deps, linkToken, body.password),

    requestOTP: ({ body }, { work }) => resendCode(deps, body.flow, work > 0),

    async verifyOTP({ body }) {
      const purposes = ['signUp', 'resetPassword', 'changePassword', 'changeEmail'] as const;
      const result = await tryCode(deps, body.flow, body.code, purposes);
      return isRefusal(result) ? result : {};
    },

    requestResetPassword: ({ body }, caller) => requestReset(deps, body.email, caller),
    verifyResetPassword: ({ body }) => grantFor(deps, body.flow, body.code, 'resetPassword'),
    resetPassword: ({ body }) => resetPassword(deps, body.grant, body.password),

    changePasswordOtp: (_, { userId }) => requestChange(deps, userId),
    verifyChangePassword: ({ body }, { userId }) =>
      grantFor(deps, body.flow, body.code, 'changePassword', userId),
    changePassword: ({ body }, { userId }) => changePassword(deps, userId, body),

    async deleteAccount({ body }, caller) {
      const result = await endAccount(deps, caller.userId, caller, body);
      if (isRefusal(result)) return result;
      caller.setRefreshCookie(undefined);
      caller.setDeviceCookie(undefined);
      caller.clearSite('cache', 'cookies', 'storage');
      return result;
    },
  } satisfies Handlers<typeof authCalls>;
}

export function customerHandlers(deps: AccountDeps) {
  return {
    register: ({ body }) => register(deps, body),

    async verifyUser({ body }, caller) {
      const result = await verifyUser(deps, body, caller);
      return isRefusal(result) ? result : sendTokens(result, body.refreshIn, caller);
    },
  } satisfies Handlers<typeof customerCalls>;
}
