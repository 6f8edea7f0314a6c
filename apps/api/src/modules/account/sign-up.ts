import type { Language } from '@fixpoint/contract/languages.ts';
import { type Refusal, refuse, refuseFields } from '../../http/refusal.ts';
import { newId } from '../../secrets.ts';
import type { AccountDeps } from './account.ts';
import { type CodeSent, requestCode, spend, tryCode } from './codes.ts';
import { hashPassword } from './passwords.ts';
import { beginSession, type Tokens } from './sessions.ts';

/**
 * Begins a sign-up. A known address is said so (5002, spec section 5), unless the operator wants it hidden: then the
 * answer is alike and the owner of the address is told by mail (decisions, "Accounts").
 */
export async function register(
  deps: AccountDeps,
  request: { email: string; password: string; language: Language; termsVersion: string },
): Promise<CodeSent | Refusal> {
  if (request.termsVersion !== deps.termsVersion) return refuseFields({ termsVersion: 'form.terms.changed' });
  const passwordHash = await hashPassword(request.password);
  const known = await deps.db
    .selectFrom('customer')
    .select('id')
    .where('email', '=', request.email)
    .executeTakeFirst();
  if (known && deps.signUpRevealsEmail) return refuse('emailExists');
  return requestCode(deps, {
    purpose: 'signUp',
    email: request.email,
    customer_id: known?.id ?? null,
    password_hash: passwordHash,
    language: request.language,
    terms_version: request.termsVersion,
  });
}

/** Makes the account when the mailed code is right, and logs in. */
export async function verifyUser(deps: AccountDeps, flow: string, code: string): Promise<Tokens | Refusal> {
  const { db, clock } = deps;
  const challenge = await tryCode(deps, flow, code, ['signUp']);
  if ('refusal' in challenge) return challenge;
  return db.transaction().execute(async tx => {
    if (!(await spend(tx, clock, challenge.id))) return refuse('codeExpired');
    const made = await tx
      .insertInto('customer')
      .values({
        id: newId('cus'),
        email: challenge.email,
        language: challenge.language!,
        password_hash: challenge.password_hash,
        created_at: clock.now(),
      })
      .onConflict(conflict => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst();
    // Somebody with this address bought something, or signed up, between the form and the code.
    return made ? beginSession(tx, clock, made.id) : refuse('emailExists');
  });
}
