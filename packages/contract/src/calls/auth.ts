import { z } from 'zod';
import { emailChoices } from '../email-choices.ts';
import { endpoint } from '../endpoint.ts';
import { code, done, email, instant, language, newPassword, password } from '../schema.ts';
import { teamRoles } from '../team-role.ts';
import { totpCode } from './account.ts';
import { codeSent, flow, humanCheck, refreshIn, session } from './session.ts';

export const authCalls = {
  refresh: endpoint({
    method: 'POST',
    path: '/v1/auth/refresh',
    auth: 'visitor',
    summary: 'Exchange a refresh token for new tokens; body code 401 when it is refused',
    body: z.strictObject({ refreshToken: z.string().max(400).default('') }),
    data: session,
  }),
  login: endpoint({
    method: 'POST',
    path: '/v1/auth/login',
    auth: 'visitor',
    limit: 'login',
    /**
     * With an authenticator app set up, the correct password alone answers HTTP 400, code 8000 and
     * `data.secondFactor: ('totp' | 'passkey')[]`; repeat the call with `totp`, or use
     * `passkeyLogin`. A wrong `totp` answers 7006 with the same `data`. Every other mismatch is
     * 8005.
     */
    summary: 'Log in with email and password, and the code of an authenticator app if one is set up',
    body: z.strictObject({ email, password, totp: totpCode.optional(), refreshIn, humanCheck }),
    data: session,
    token: true,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/v1/auth/logout',
    auth: 'any',
    of: 'user',
    summary: 'End this session: tokens, cookie and sockets',
    body: z.strictObject({ refreshToken: z.string().max(400).default('') }),
    data: done,
  }),
  profile: endpoint({
    method: 'GET',
    path: '/v1/auth/profile',
    auth: 'customer',
    role: 'member',
    of: 'user',
    summary: 'The logged-in user, and the customers that they work for',
    data: z.object({
      /** The user's ID, which is also that of their own customer. */
      id: z.string(),
      email: z.string(),
      /** What the user is called. */
      name: z.string().optional(),
      /** What the account is called. */
      accountName: z.string().optional(),
      language,
      /** When the customer signed up. */
      createdAt: instant,
      hasPassword: z.boolean(),
      /** An authenticator app is set up, so logging in needs its code. */
      totp: z.boolean(),
      recoveryCodesLeft: z.int(),
      /** Number of passkeys. */
      passkeys: z.int(),
      /** Kinds of emails that are switched off. */
      emailsOff: z.array(z.enum(emailChoices)),
      /**
       * Version of the terms agreed to with the customer's newest own subscription that has not
       * renewed yet.
       */
      termsVersion: z.string().optional(),
      /** The customer of this session, and what the user may do for it. */
      customerId: z.string(),
      role: z.enum(teamRoles),
      /**
       * All customers that the user works for, oldest first. Empty for a user who has left all of
       * them, or was only invited, and has not bought anything themselves yet.
       */
      customers: z.array(z.object({ id: z.string(), name: z.string(), role: z.enum(teamRoles) })),
    }),
  }),
  requestResetPassword: endpoint({
    method: 'POST',
    path: '/v1/auth/requestResetPassword',
    auth: 'visitor',
    limit: 'sendCode',
    summary: 'Email a code for a new password; the answer does not reveal whether the address is known',
    body: z.strictObject({ email, humanCheck }),
    data: codeSent,
  }),
  verifyResetPassword: endpoint({
    method: 'POST',
    path: '/v1/auth/verifyResetPassword',
    auth: 'visitor',
    limit: 'tryCode',
    summary: 'Exchange the emailed code for a one-time grant that can only set the password',
    body: z.strictObject({ flow, code, humanCheck }),
    data: z.object({ grant: z.string() }),
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/v1/auth/resetPassword',
    auth: 'visitor',
    limit: 'setPassword',
    summary: 'Set a new password with the grant; ends all sessions',
    body: z.strictObject({ grant: z.string().max(200), password: newPassword, humanCheck }),
    data: done,
  }),
  verifyToken: endpoint({
    method: 'GET',
    path: '/v1/auth/verifyToken',
    auth: 'link',
    summary: 'Check the token of an emailed link without consuming it',
    data: z.object({ email: z.string(), purpose: z.enum(['setPassword']) }),
  }),
  setPassword: endpoint({
    method: 'POST',
    path: '/v1/auth/setPassword',
    auth: 'link',
    limit: 'setPassword',
    summary: 'Set the first password with the token of an emailed link, which is consumed',
    body: z.strictObject({ password: newPassword, humanCheck }),
    data: done,
  }),
  requestOTP: endpoint({
    method: 'POST',
    path: '/v1/auth/requestOTP',
    auth: 'visitor',
    limit: 'sendCode',
    summary: 'Email the code of a sign-up again',
    body: z.strictObject({ flow, humanCheck }),
    data: codeSent,
  }),
  verifyOTP: endpoint({
    method: 'POST',
    path: '/v1/auth/verifyOTP',
    auth: 'visitor',
    limit: 'tryCode',
    summary: 'Check a code without consuming it',
    body: z.strictObject({ flow, code, humanCheck }),
    data: done,
  }),
  changePasswordOtp: endpoint({
    method: 'POST',
    path: '/v1/auth/changePassword/otp/email',
    auth: 'customer',
    role: 'member',
    of: 'user',
    limit: 'sendCode',
    summary: 'Email a code for changing the password',
    body: z.strictObject({ humanCheck }),
    data: codeSent,
  }),
  verifyChangePassword: endpoint({
    method: 'POST',
    path: '/v1/auth/verifyChangePassword',
    auth: 'customer',
    role: 'member',
    of: 'user',
    limit: 'tryCode',
    summary: 'Exchange the emailed code for a one-time grant to change the password',
    body: z.strictObject({ flow, code, humanCheck }),
    data: z.object({ grant: z.string() }),
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/v1/auth/changePassword',
    auth: 'customer',
    role: 'member',
    of: 'user',
    limit: 'confirm',
    summary: 'Change the password with the grant and the current password; ends all sessions',
    body: z.strictObject({ grant: z.string().max(200), currentPassword: password, password: newPassword }),
    data: done,
  }),
  deleteAccount: endpoint({
    method: 'POST',
    path: '/v1/auth/deleteAccount',
    auth: 'customer',
    role: 'member',
    of: 'user',
    rights: 'application',
    limit: 'confirm',
    records: 'itself',
    /**
     * The password confirms the session; with an authenticator app, its code must (8004 with
     * `data.stepUp`).
     */
    summary:
      'Disable or delete the account; refused with 8007 while a subscription runs uncancelled or is paid for, and with 8807 for an owner who founded it, or is the last, while others work for it',
    body: z.strictObject({ action: z.enum(['disable', 'delete']), currentPassword: password }),
    data: done,
  }),
};

export const customerCalls = {
  register: endpoint({
    method: 'POST',
    path: '/v1/customer/register',
    auth: 'visitor',
    limit: 'signUp',
    summary: 'Sign up; a 6-digit code is emailed. Always requires `humanCheck`',
    body: z.strictObject({
      email,
      password: newPassword,
      termsVersion: z.string().max(40),
      language,
      humanCheck,
    }),
    data: codeSent,
  }),
  verifyUser: endpoint({
    method: 'POST',
    path: '/v1/customer/verifyUser',
    auth: 'visitor',
    limit: 'tryCode',
    summary: 'Complete the sign-up with the emailed code',
    body: z.strictObject({ flow, code, refreshIn, humanCheck }),
    data: session,
    token: true,
  }),
};
