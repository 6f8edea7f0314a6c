import { type Device, deviceOf } from '@fixpoint/domain/account/device.ts';
import { loginQueueNeeds } from '@fixpoint/domain/account/login-queue.ts';
import { LONGEST_WAIT } from '@fixpoint/domain/account/try-limit.ts';
import type { Caller } from '../../kernel/caller.ts';
import { type Refusal, refuse, wantProof } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import { type AccountDeps, customerOf } from './account.ts';
import { stepUpMethods } from './confirm.ts';
import { deviceCookieFor, deviceOfCookie } from './device-cookie.ts';
import { claimTry } from './secret-tries.ts';
import { beginSession, ofUser, type Tokens } from './sessions.ts';
import { SESSION_RETENTION_MS } from './sweep-accounts.ts';
import { spendAppCode } from './totp.ts';

/** Name of the counter of password tries at an account, from all networks. */
export const loginCounter = (email: string): string => `tries login:${email}`;

function refusedByQueue(waiting: number, proved: boolean): Refusal | undefined {
  const needs = loginQueueNeeds(waiting, proved);
  if (needs === 'retryLater') return { refusal: 'tooManyRequests', retryAfterSeconds: 5 };
  return needs === 'proof' ? wantProof() : undefined;
}

/** `deviceCookie`: marks the browser as one of the customer's. */
export type OpenedSession = Tokens & { deviceCookie: string };

/**
 * Logs in with email and password, and with a code if an authenticator app is set up. Unknown address, ended account and
 * wrong password take the same path and time (S03).
 */
export async function logIn(
  deps: AccountDeps,
  request: { email: string; password: string; totp?: string },
  caller: Pick<Caller, 'work' | 'network' | 'userAgent' | 'deviceCookie'>,
): Promise<OpenedSession | Refusal> {
  const { db, limits, passwords } = deps;
  const customer = await customerOf(db, request.email);
  const known = deviceOfCookie(deps, caller.deviceCookie, customer);
  const queued = known ? undefined : refusedByQueue(passwords.strangers(), caller.work > 0);
  if (queued) return queued;
  const account = loginCounter(request.email);
  const network = `${account} ${caller.network}`;
  // The network first: a network that has to wait uses up no try of the account.
  const strangers = [
    { name: network, longest: LONGEST_WAIT.network },
    { name: account, longest: LONGEST_WAIT.account },
  ];
  const device = known && `${account} on ${known}`;
  const lines = [...(device ? [[{ name: device, longest: LONGEST_WAIT.network }]] : []), strangers];
  const refused = await claimTry(limits, lines, caller.work > 0);
  if (refused) return refused;

  const fits = await passwords.verify(customer?.password_hash, request.password, { stranger: !known });
  if (!fits || !customer) return refuse('credentialsWrong');

  const factors = (await stepUpMethods(db, customer.id)).filter(method => method !== 'password');
  if (factors.includes('totp')) {
    // The try stays counted, so that somebody with the password cannot guess codes endlessly.
    if (request.totp === undefined) return refuse('authenticationFailed', { secondFactor: factors });
    const wrong = await spendAppCode(deps, db, customer.id, request.totp);
    if (wrong) return { ...wrong, data: { secondFactor: factors } };
  }
  const hash = await renewHash(deps, customer.id, customer.password_hash!, request.password);
  const begun = await openSession(
    deps,
    customer.id,
    caller,
    // The password may have changed since the comparison: the old one must not open a session.
    async present => present === hash || passwords.verify(present, request.password),
  );
  if (!begun) return refuse('credentialsWrong');
  await limits.forget(account, network, ...(device ? [device] : []));
  return begun;
}

/**
 * Opens a session of an authenticated customer, and notifies them of a new device. The lock orders it against a concurrent
 * change of password or end of the account, which ends all sessions: this one ends too, or is not opened.
 * @param stillFits whether the authentication is valid for the present password hash
 * @returns undefined when it is not, or the account has ended
 */
export function openSession(
  deps: AccountDeps,
  customerId: string,
  { userAgent, deviceCookie }: Pick<Caller, 'userAgent' | 'deviceCookie'>,
  stillFits: (passwordHash: string | null) => Promise<boolean> = async () => true,
): Promise<OpenedSession | undefined> {
  const { db, clock, jobs } = deps;
  const device = deviceOf(userAgent);
  return db.transaction().execute(async tx => {
    const owner = await tx
      .selectFrom('customer')
      .select(['id', 'password_hash', 'created_at'])
      .where('id', '=', customerId)
      .where('status', '=', 'active')
      .where('founder_id', 'is', null)
      .forShare()
      .executeTakeFirst();
    if (!owner || !(await stillFits(owner.password_hash))) return undefined;
    const devices = await devicesOf(tx, owner.id);
    const isDormant = clock.now().getTime() - owner.created_at.getTime() > SESSION_RETENTION_MS;
    const isFirst = devices.length === 0 && !isDormant;
    const ownBrowser = isFirst || deviceOfCookie(deps, deviceCookie, owner) !== undefined;
    const tokens = await beginSession(tx, clock, customerId, { ...device, ownBrowser });
    if (!isFirst && !devices.some(isLike(device))) {
      await jobs.enqueue(tx, 'sendEmail', {
        template: 'newSession',
        customerId,
        subjectId: tokens.sessionId,
      });
    }
    return { ...tokens, deviceCookie: deviceCookieFor(deps, owner) };
  });
}

/**
 * Devices of the customer's stored sessions. Of an old account there may be none, because they are deleted in time: a login to
 * a dormant account must not go unnoticed.
 */
const devicesOf = (db: Db, customerId: string): Promise<Device[]> =>
  db.selectFrom('session').select(['browser', 'system']).distinct().where(ofUser(customerId)).execute();

const isLike =
  (device: Device) =>
  ({ browser, system }: Device): boolean =>
    browser === device.browser && system === device.system;

/** Rehashes a password with the present cost and pepper (S02). @returns the hash that the customer has now */
async function renewHash(
  { db, passwords }: AccountDeps,
  customerId: string,
  before: string,
  password: string,
): Promise<string> {
  if (!passwords.isOutdated(before)) return before;
  const after = await passwords.hash(password);
  await db
    .updateTable('customer')
    .set({ password_hash: after })
    .where('id', '=', customerId)
    // The password may have changed meanwhile.
    .where('password_hash', '=', before)
    .execute();
  return after;
}
