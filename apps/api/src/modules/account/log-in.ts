import { type Device, deviceOf } from '@fixpoint/domain/account/device.ts';
import { LONGEST_WAIT } from '@fixpoint/domain/account/try-limit.ts';
import type { Caller } from '../../kernel/caller.ts';
import { type Refusal, refuse, wantProof } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import { type AccountDeps, customerOf } from './account.ts';
import { stepUpMethods } from './confirm.ts';
import { deviceCookieFor, deviceOfCookie } from './device-cookie.ts';
import { claimTry } from './secret-tries.ts';
import { beginSession, type Tokens } from './sessions.ts';
import { SESSION_RETENTION_MS } from './sweep-accounts.ts';
import { spendAppCode } from './totp.ts';

/** Counter of the tries at an account's password, wherever they come from. */
export const loginCounter = (email: string): string => `tries login:${email}`;

/** So many strangers may wait for their password to be compared; more only with a proof of work, and in the end none. */
const QUEUE_LIMITS = { proof: 30, full: 300 };

/** Keeps the line of those who log in short: each comparison takes a core for a while, and anybody may ask for one. */
function refuseLongQueue(waiting: number, proved: boolean): Refusal | undefined {
  if (waiting >= QUEUE_LIMITS.full) return { refusal: 'tooManyRequests', retryAfterSeconds: 5 };
  return waiting >= QUEUE_LIMITS.proof && !proved ? wantProof() : undefined;
}

/** `deviceCookie`: marks the browser as one of this customer's. */
export type OpenedSession = Tokens & { deviceCookie: string };

/**
 * Logs in with e-mail and password, and with a code where an app is set up. An address that nobody has, one whose
 * account ended and a wrong password take the same way and the same time (S03).
 */
export async function logIn(
  deps: AccountDeps,
  request: { email: string; password: string; totp?: string },
  caller: Pick<Caller, 'proved' | 'network' | 'userAgent' | 'deviceCookie'>,
): Promise<OpenedSession | Refusal> {
  const { db, limits, passwords } = deps;
  const customer = await customerOf(db, request.email);
  const known = deviceOfCookie(deps, caller.deviceCookie, customer);
  const refusedByQueue = known ? undefined : refuseLongQueue(passwords.strangers(), caller.proved);
  if (refusedByQueue) return refusedByQueue;
  const account = loginCounter(request.email);
  const network = `${account} ${caller.network}`;
  // The network first: a stranger who has to wait takes no turn of the account's.
  const strangers = [
    { name: network, longest: LONGEST_WAIT.network },
    { name: account, longest: LONGEST_WAIT.account },
  ];
  const device = known && `${account} on ${known}`;
  const lines = [...(device ? [[{ name: device, longest: LONGEST_WAIT.network }]] : []), strangers];
  const refused = await claimTry(limits, lines, caller.proved);
  if (refused) return refused;

  const fits = await passwords.verify(customer?.password_hash, request.password, { stranger: !known });
  if (!fits || !customer) return refuse('credentialsWrong');

  const factors = (await stepUpMethods(db, customer.id)).filter(method => method !== 'password');
  if (factors.includes('totp')) {
    // The try stays counted: whoever has the password must not guess codes without end.
    if (request.totp === undefined) return refuse('authenticationFailed', { secondFactor: factors });
    const wrong = await spendAppCode(deps, db, customer.id, request.totp);
    if (wrong) return { ...wrong, data: { secondFactor: factors } };
  }
  const hash = await renewHash(deps, customer.id, customer.password_hash!, request.password);
  const begun = await openSession(
    deps,
    customer.id,
    caller.userAgent,
    // Set again since it was compared: what was right then may be what its owner wants nobody to get in with.
    async present => present === hash || passwords.verify(present, request.password),
  );
  if (!begun) return refuse('credentialsWrong');
  await limits.forget(account, network, ...(device ? [device] : []));
  return begun;
}

/**
 * Begins a session of somebody who proved who he is; its owner is told when the device is a new one. Whoever sets a
 * password or ends the account meanwhile ends all sessions: this one comes before that and ends too, or is not begun.
 * @param stillFits whether the proof holds with the password hash that the customer has now
 * @returns undefined when it does not, or the account has ended
 */
export function openSession(
  deps: AccountDeps,
  customerId: string,
  userAgent: string | undefined,
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
      .forShare()
      .executeTakeFirst();
    if (!owner || !(await stillFits(owner.password_hash))) return undefined;
    const unknown = await isNewDevice(tx, owner, device, clock.now());
    const tokens = await beginSession(tx, clock, customerId, device);
    if (unknown) {
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
 * Whether the customer was logged in before, but never from a device like this one. What an old account's devices were
 * is swept away in time: then each is a new one, for nobody may come to a sleeping account unheard.
 */
async function isNewDevice(
  db: Db,
  owner: { id: string; created_at: Date },
  device: Device,
  now: Date,
): Promise<boolean> {
  const sessions = await db
    .selectFrom('session')
    .select(['browser', 'system'])
    .distinct()
    .where('customer_id', '=', owner.id)
    .execute();
  const like = ({ browser, system }: Device) => browser === device.browser && system === device.system;
  if (sessions.length === 0) return now.getTime() - owner.created_at.getTime() > SESSION_RETENTION_MS;
  return !sessions.some(like);
}

/** Brings a hash up to today's cost and pepper while the password is at hand (S02); answers the one that it knows. */
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
    // Somebody may have changed the password in the meantime.
    .where('password_hash', '=', before)
    .execute();
  return after;
}
