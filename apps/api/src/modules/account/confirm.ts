import type { StepUpMethod } from '@fixpoint/contract/calls/account.ts';
import { isConfirmed } from '@fixpoint/domain/account/session.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { AccountDeps } from './account.ts';
import { type Credential, verifyPasskey } from './passkeys.ts';
import { checkOwnPassword, tryOwnSecret } from './secret-tries.ts';
import { spendAppCode } from './totp.ts';

/** Step-up methods of a customer. With an authenticator app the password, which may have leaked, is not enough. */
export async function stepUpMethods(db: Db, customerId: string): Promise<StepUpMethod[]> {
  const totp = await db
    .selectFrom('totp')
    .select('customer_id')
    .where('customer_id', '=', customerId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  const passkey = await db
    .selectFrom('passkey')
    .select('id')
    .where('customer_id', '=', customerId)
    .limit(1)
    .executeTakeFirst();
  return [totp ? 'totp' : 'password', ...(passkey ? (['passkey'] as const) : [])];
}

export type Proof =
  | { method: 'password'; password: string }
  | { method: 'totp'; code: string }
  | { method: 'passkey'; flow: string; response: Credential };

/** Confirms a session for five minutes (S16). */
export async function confirmSession(
  deps: AccountDeps,
  caller: { customerId: string; sessionId: string },
  proof: Proof,
): Promise<Refusal | Record<string, never>> {
  const { db, clock } = deps;
  const methods = await stepUpMethods(db, caller.customerId);
  if (!methods.includes(proof.method)) return refuse('authenticationFailed', { stepUp: { methods } });
  const refused = await checkProof(deps, caller.customerId, proof);
  if (refused) return refused;
  await db
    .updateTable('session')
    .set({ confirmed_at: clock.now() })
    .where('id', '=', caller.sessionId)
    .execute();
  return {};
}

function checkProof(deps: AccountDeps, customerId: string, proof: Proof): Promise<Refusal | undefined> {
  if (proof.method === 'password') return checkOwnPassword(deps, customerId, proof.password);
  return tryOwnSecret(deps.limits, customerId, async () => {
    if (proof.method === 'totp') return spendAppCode(deps, deps.db, customerId, proof.code);
    const owner = await verifyPasskey(deps, 'stepUp', proof, customerId);
    return owner === customerId ? undefined : refuse('authenticationFailed');
  });
}

/** Refuses a sensitive call until the session is confirmed with app or passkey, if the customer has an app. */
export async function wantFactor(
  { db, clock }: { db: Db; clock: Clock },
  { customerId, confirmedAt }: { customerId: string; confirmedAt: Date },
): Promise<Refusal | undefined> {
  const methods = await stepUpMethods(db, customerId);
  if (methods.includes('password') || isConfirmed(confirmedAt, clock.now())) return undefined;
  return refuse('accessRestricted', { stepUp: { methods } });
}
