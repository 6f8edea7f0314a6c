import type { Caller } from '../../kernel/caller.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { type AccountDeps, customerOf } from './account.ts';
import { type CodeSent, consumeGrant, readGrant, requestCode } from './codes.ts';
import { deviceOfCookie } from './device-cookie.ts';
import { lockOwner } from './lock-owner.ts';
import { loginCounter } from './log-in.ts';
import { checkOwnPassword } from './secret-tries.ts';
import { refuseCommonOf, setPassword } from './set-password.ts';

/** Begins a password reset. Same answer in the same time whether or not the address is known (S05). */
export async function requestReset(
  deps: AccountDeps,
  email: string,
  { work, deviceCookie }: Pick<Caller, 'work' | 'deviceCookie'>,
): Promise<CodeSent | Refusal> {
  const known = await customerOf(deps.db, email);
  const device = deviceOfCookie(deps, deviceCookie, known);
  const challenge = { purpose: 'resetPassword' as const, email, customer_id: known?.id ?? null };
  return requestCode(deps, challenge, { proved: work > 0, device });
}

/** Sets a new password with the grant of a correct reset code. */
export async function resetPassword(
  deps: AccountDeps,
  grant: string,
  password: string,
): Promise<Refusal | Record<string, never>> {
  // Checked before the grant is consumed, so that the customer can try another password with it.
  const owner = await readGrant(deps, grant, 'resetPassword');
  const refused = owner ? await refuseCommonOf(deps, owner, password) : refuse('tokenInvalid');
  if (refused) return refused;
  const passwordHash = await deps.passwords.hash(password);
  const email = await deps.db.transaction().execute(async tx => {
    const customer = await lockOwner(tx, owner!);
    if (!customer || !(await consumeGrant(tx, deps.clock, grant, 'resetPassword'))) return undefined;
    await setPassword(deps, tx, customer.id, passwordHash);
    return customer.email;
  });
  if (!email) return refuse('tokenInvalid');
  // Guesses at the old password must not slow down its owner (S13).
  await deps.limits.forget(loginCounter(email));
  return {};
}

/** Emails the code that a change of password needs. */
export async function requestChange(deps: AccountDeps, customerId: string): Promise<CodeSent | Refusal> {
  const { email } = await deps.db
    .selectFrom('customer')
    .select('email')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  const challenge = { purpose: 'changePassword' as const, email, customer_id: customerId };
  return requestCode(deps, challenge, { proved: true });
}

/** Changes the password. Needs the grant of the emailed code and the current password (S12). */
export async function changePassword(
  deps: AccountDeps,
  customerId: string,
  request: { grant: string; currentPassword: string; password: string },
): Promise<Refusal | Record<string, never>> {
  // Checked before the grant is consumed: a typing error must not cost a new code.
  const refused =
    (await refuseCommonOf(deps, customerId, request.password)) ??
    (await checkOwnPassword(deps, customerId, request.currentPassword));
  if (refused) return refused;
  const passwordHash = await deps.passwords.hash(request.password);
  return deps.db.transaction().execute(async tx => {
    if (!(await lockOwner(tx, customerId))) return refuse('tokenInvalid');
    const owner = await consumeGrant(tx, deps.clock, request.grant, 'changePassword');
    if (owner !== customerId) return refuse('tokenInvalid');
    await setPassword(deps, tx, customerId, passwordHash);
    return {};
  });
}
