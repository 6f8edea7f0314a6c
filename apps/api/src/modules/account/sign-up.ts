import type { Language } from '@fixpoint/contract/languages.ts';
import { newId } from '../../crypto/secrets.ts';
import type { Caller } from '../../kernel/caller.ts';
import { type Refusal, refuse, refuseFields } from '../../kernel/refusal.ts';
import { type AccountDeps, holderOf } from './account.ts';
import { type CodeSent, requestCode, spend, tryCode } from './codes.ts';
import { type OpenedSession, openSession } from './log-in.ts';
import { refuseCommon } from './passwords.ts';

/**
 * Begins a sign-up. Refuses a known address (5002, A2), unless the operator wants that hidden: then the answer is the same
 * and the owner of the address gets an email.
 */
export async function register(
  deps: AccountDeps,
  request: { email: string; password: string; language: Language; termsVersion: string },
): Promise<CodeSent | Refusal> {
  if (request.termsVersion !== deps.termsVersion) return refuseFields({ termsVersion: 'form.terms.changed' });
  const common = await refuseCommon(request.password, [deps.brandName, request.email]);
  if (common) return common;
  if (await deps.isBlocked(deps.db, request.email)) return refuse('accessRestricted');
  const passwordHash = await deps.passwords.hash(request.password);
  const known = await holderOf(deps.db, request.email);
  if (known && deps.signUpRevealsEmail) return refuse('emailExists');
  const challenge = {
    purpose: 'signUp' as const,
    email: request.email,
    customer_id: known?.id ?? null,
    password_hash: passwordHash,
    language: request.language,
    terms_version: request.termsVersion,
  };
  // The call itself requires a proof of work.
  return requestCode(deps, challenge, { proved: true });
}

/** Creates the account when the emailed code is correct, and logs in. */
export async function verifyUser(
  deps: AccountDeps,
  { flow, code }: { flow: string; code: string },
  caller: Pick<Caller, 'userAgent' | 'deviceCookie'>,
): Promise<OpenedSession | Refusal> {
  const { db, clock } = deps;
  const challenge = await tryCode(deps, flow, code, ['signUp']);
  if ('refusal' in challenge) return challenge;
  const made = await db.transaction().execute(async tx => {
    if (!(await spend(tx, clock, challenge.id))) return refuse('codeExpired');
    const customer = await tx
      .insertInto('customer')
      .values({
        id: newId('cus'),
        email: challenge.email,
        language: challenge.language!,
        password_hash: challenge.password_hash,
        created_at: clock.now(),
      })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    // The address got an account between form and code, by a purchase or another sign-up.
    return customer ?? refuse('emailExists');
  });
  if ('refusal' in made) return made;
  return (await openSession(deps, made.id, caller)) ?? refuse('authenticationFailed');
}
