import { z } from 'zod';
import { holdsCardNumber } from '../card-number.ts';
import { emailChoices } from '../email-choices.ts';
import { endpoint } from '../endpoint.ts';
import { code, deviceLabel, done, email, id, instant, language } from '../schema.ts';
import { accountData, day, passkey, personalData } from './personal-data.ts';
import { codeSent, flow, humanCheck, refreshIn, session, work } from './session.ts';

/** Name that a customer gives a passkey ("Work laptop"). */
const passkeyName = z
  .string()
  .trim()
  .min(1, 'form.passkeyName.required')
  .max(60, 'form.passkeyName.long')
  .refine(name => !holdsCardNumber(name), 'form.keyName.card');

/**
 * Passkey ceremony: the browser gets `options` unchanged (`@simplewebauthn/browser`), and its
 * answer comes back with the same `flow` within 5 minutes, once.
 */
const ceremony = z.object({ flow: z.string(), options: z.record(z.string(), z.unknown()) });
/** The browser's answer: `RegistrationResponseJSON` or `AuthenticationResponseJSON` of WebAuthn. */
const credential = z.looseObject({ id: z.string().max(2000), response: z.looseObject({}) });

/**
 * Code of an authenticator app (6 digits), or one of the recovery codes; spaces and dashes do not
 * matter.
 */
export const totpCode = z.string().min(1, 'form.code.required').max(40);

/** Ways in which a logged-in customer confirms who they are. */
export const stepUpMethod = z.enum(['password', 'totp', 'passkey']);
export type StepUpMethod = z.infer<typeof stepUpMethod>;

const recoveryCodes = z.object({
  /**
   * Ten codes, each good for one login without the app (`ab3k-9fqx`). Shown once; stored only as
   * hashes.
   */
  recoveryCodes: z.array(z.string()),
});

/**
 * Calls of the customer's own account. A `stepUp` call answers HTTP 403, code 8004 and
 * `data.stepUp: { methods }` unless this session was started or confirmed (`stepUp`) in the last 5
 * minutes; the client confirms by one of the methods and repeats the call. With an authenticator
 * app set up, the password alone is not offered (S16).
 */
export const accountCalls = {
  sessions: endpoint({
    method: 'GET',
    path: '/v1/account/sessions',
    auth: 'customer',
    role: 'member',
    of: 'user',
    summary: 'Sessions of this customer, newest first',
    data: z.object({
      sessions: z.array(
        z.object({
          id: z.string(),
          /**
           * Product names, the same in all languages; null where the browser does not name them.
           */
          device: z.object({ browser: z.string().nullable(), system: z.string().nullable() }),
          /** Whether it is the calling session. */
          current: z.boolean(),
          createdAt: instant,
          lastUsedOn: day,
        }),
      ),
    }),
  }),
  endSession: endpoint({
    method: 'POST',
    path: '/v1/account/endSession',
    auth: 'customer',
    role: 'member',
    of: 'user',
    summary: 'End one session and its sockets; 8003 for an unknown id',
    body: z.strictObject({ id }),
    data: done,
  }),
  endOtherSessions: endpoint({
    method: 'POST',
    path: '/v1/account/endOtherSessions',
    auth: 'customer',
    role: 'member',
    of: 'user',
    summary: 'End all other sessions and their sockets',
    body: z.strictObject({}),
    data: z.object({ ended: z.int() }),
  }),
  setLanguage: endpoint({
    method: 'POST',
    path: '/v1/account/setLanguage',
    auth: 'customer',
    role: 'member',
    of: 'user',
    limit: 'changeLanguage',
    summary: 'Set the language of emails and invoices',
    body: z.strictObject({ language }),
    data: done,
  }),
  setEmails: endpoint({
    method: 'POST',
    path: '/v1/account/setEmails',
    auth: 'customer',
    role: 'member',
    of: 'user',
    limit: 'changeLanguage',
    summary: 'Switch kinds of emails off; those that are not named are on',
    body: z.strictObject({ off: z.array(z.enum(emailChoices)).max(emailChoices.length) }),
    data: done,
  }),
  setName: endpoint({
    method: 'POST',
    path: '/v1/account/setName',
    auth: 'customer',
    role: 'member',
    of: 'user',
    limit: 'changeLanguage',
    summary: 'Set the name of the user; null removes it',
    body: z.strictObject({ name: deviceLabel.nullable() }),
    data: done,
  }),
  setAccountName: endpoint({
    method: 'POST',
    path: '/v1/account/setAccountName',
    auth: 'customer',
    role: 'owner',
    limit: 'changeLanguage',
    records: true,
    summary: 'Set the name under which users see the account; null removes it',
    body: z.strictObject({ name: deviceLabel.nullable() }),
    data: done,
  }),
  changeEmail: endpoint({
    method: 'POST',
    path: '/v1/account/changeEmail',
    auth: 'customer',
    role: 'member',
    of: 'user',
    rights: 'application',
    limit: 'changeEmail',
    summary: 'Email a code to the address that the user wants; the same answer when it is somebody’s already',
    body: z.strictObject({ email }),
    data: codeSent,
    stepUp: true,
  }),
  confirmEmail: endpoint({
    method: 'POST',
    path: '/v1/account/confirmEmail',
    auth: 'customer',
    role: 'member',
    of: 'user',
    rights: 'application',
    limit: 'confirm',
    summary:
      'Change the user’s address with the emailed code. The previous address gets a link that undoes it for 7 days',
    body: z.strictObject({ flow, code }),
    data: z.object({ email: z.string() }),
  }),
  emailChange: endpoint({
    method: 'GET',
    path: '/v1/account/emailChange',
    auth: 'link',
    summary: 'Read the address that the link of an email gives back; 8003 when it no longer can',
    /** `holds`: the new address is the user's already. */
    data: z.object({ email: z.string(), holds: z.boolean() }),
  }),
  undoEmail: endpoint({
    method: 'POST',
    path: '/v1/account/undoEmail',
    auth: 'link',
    summary: 'Undo the change of an address: sessions, password and log-in methods added since end',
    body: z.strictObject({}),
    data: z.object({ email: z.string() }),
  }),
  exportData: endpoint({
    method: 'GET',
    path: '/v1/account/exportData',
    auth: 'customer',
    role: 'member',
    of: 'user',
    summary:
      'Export everything that the shop stores about this user, and about the customer that they founded and own',
    stepUp: true,
    data: personalData,
  }),
  exportAccount: endpoint({
    method: 'GET',
    path: '/v1/account/exportAccount',
    auth: 'customer',
    role: 'owner',
    summary:
      'Export everything that the shop stores about the customer of this session; nobody’s log-in, and no use of a device',
    stepUp: true,
    data: accountData,
  }),

  passkeys: endpoint({
    method: 'GET',
    path: '/v1/account/passkeys',
    auth: 'customer',
    role: 'member',
    of: 'user',
    summary: 'The passkeys of this customer',
    data: z.object({ passkeys: z.array(passkey) }),
  }),
  addPasskeyOptions: endpoint({
    method: 'POST',
    path: '/v1/account/addPasskeyOptions',
    auth: 'customer',
    role: 'member',
    of: 'user',
    limit: 'beginToConfirm',
    summary: 'Begin adding a passkey: options for the browser',
    body: z.strictObject({}),
    data: ceremony,
    stepUp: true,
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/v1/account/addPasskey',
    auth: 'customer',
    role: 'member',
    of: 'user',
    limit: 'changeFactors',
    summary: 'Add the passkey that the browser created; 8000 when it does not match',
    body: z.strictObject({ flow, name: passkeyName, response: credential }),
    data: passkey,
  }),
  removePasskey: endpoint({
    method: 'POST',
    path: '/v1/account/removePasskey',
    auth: 'customer',
    role: 'member',
    of: 'user',
    limit: 'changeFactors',
    summary: 'Remove a passkey; 8003 for an unknown id',
    body: z.strictObject({ id: z.string().max(2000) }),
    data: done,
    stepUp: true,
  }),
  passkeyLoginOptions: endpoint({
    method: 'POST',
    path: '/v1/account/passkeyLoginOptions',
    auth: 'visitor',
    limit: 'login',
    summary: 'Begin logging in with a passkey; no email needed, because the browser knows the user',
    body: z.strictObject({ humanCheck }),
    data: ceremony,
  }),
  passkeyLogin: endpoint({
    method: 'POST',
    path: '/v1/account/passkeyLogin',
    auth: 'visitor',
    limit: 'login',
    summary: 'Log in with a passkey, which counts as both factors; 8000 when it does not match',
    body: z.strictObject({ flow, response: credential, refreshIn, humanCheck }),
    data: session,
    token: true,
  }),

  beginTotp: endpoint({
    method: 'POST',
    path: '/v1/account/beginTotp',
    auth: 'customer',
    role: 'member',
    of: 'user',
    limit: 'beginToConfirm',
    summary: 'Create a secret for an authenticator app; nothing changes until it is confirmed',
    body: z.strictObject({}),
    /** `secret`: base32, to type in; `uri`: `otpauth://…`, for the QR code. */
    data: z.object({ secret: z.string(), uri: z.string() }),
    stepUp: true,
  }),
  confirmTotp: endpoint({
    method: 'POST',
    path: '/v1/account/confirmTotp',
    auth: 'customer',
    role: 'member',
    of: 'user',
    limit: 'confirm',
    summary:
      'Enable the authenticator app with its first code; later logins need one. 7006: wrong code, 7007: start again',
    body: z.strictObject({ code: totpCode }),
    data: recoveryCodes,
  }),
  newRecoveryCodes: endpoint({
    method: 'POST',
    path: '/v1/account/newRecoveryCodes',
    auth: 'customer',
    role: 'member',
    of: 'user',
    limit: 'changeFactors',
    summary: 'Create ten new recovery codes, which replace the previous ones; 8000 without an app',
    body: z.strictObject({}),
    data: recoveryCodes,
    stepUp: true,
  }),
  removeTotp: endpoint({
    method: 'POST',
    path: '/v1/account/removeTotp',
    auth: 'customer',
    role: 'member',
    of: 'user',
    limit: 'changeFactors',
    summary: 'Disable the authenticator app and its recovery codes',
    body: z.strictObject({}),
    data: done,
    stepUp: true,
  }),

  stepUpOptions: endpoint({
    method: 'POST',
    path: '/v1/account/stepUpOptions',
    auth: 'customer',
    role: 'member',
    of: 'user',
    limit: 'beginToConfirm',
    summary: 'Begin confirming this session with a passkey: options for the browser',
    body: z.strictObject({}),
    data: ceremony,
  }),
  stepUp: endpoint({
    method: 'POST',
    path: '/v1/account/stepUp',
    auth: 'customer',
    role: 'member',
    of: 'user',
    limit: 'confirm',
    summary: 'Confirm this session for 5 minutes; 8006 wrong password, 7006 wrong code, 8000 wrong passkey',
    body: z.discriminatedUnion('method', [
      z.strictObject({
        method: z.literal('password'),
        password: z.string().min(1, 'form.password.required').max(1024),
      }),
      z.strictObject({ method: z.literal('totp'), code: totpCode }),
      z.strictObject({ method: z.literal('passkey'), flow, response: credential }),
    ]),
    data: done,
  }),

  humanCheck: endpoint({
    method: 'GET',
    path: '/v1/account/humanCheck',
    auth: 'visitor',
    query: z.strictObject({ work: work.default(1) }),
    /**
     * Solve with altcha-lib 2 (`solveChallenge`, `deriveKey` of `altcha-lib/algorithms/pbkdf2`),
     * preferably in a worker, and send `btoa(JSON.stringify({ challenge, solution }))` as
     * `humanCheck`. Valid for one call within 5 minutes.
     */
    summary: 'Get a proof of work for `register` and calls that require one (9905 with data.humanCheck)',
    data: z.object({
      parameters: z.object({
        algorithm: z.string(),
        nonce: z.string(),
        salt: z.string(),
        cost: z.int(),
        keyLength: z.int(),
        keyPrefix: z.string(),
        keySignature: z.string().optional(),
        expiresAt: z.int().optional(),
        data: z.object({ work }).optional(),
      }),
      signature: z.string(),
    }),
  }),
};
