import { codeOf } from '@fixpoint/web-client/faults.ts';
import type { Tokens } from '@fixpoint/web-client/session.ts';
import { api, session } from '../../server/api.ts';
import { profileQuery } from '../../server/profile.ts';
import { queryClient } from '../../server/query.ts';
import { keepChosenLanguage } from '../../shop/language-choice.ts';
import { showError } from '../../shop/snack.ts';

type Proof = { email: string; password: string; totp?: string };

/** Begins a session of this browser. */
export async function logIn(proof: Proof) {
  // The refresh token stays in a cookie that no script can read; local storage gets an empty one (S18).
  const { data } = await api.auth.login({ body: { ...proof, refreshIn: 'cookie' } });
  beginSession(data, { email: proof.email });
}

/** Begins it with what a log-in of any kind has answered; `who` is what that knows of the customer. */
export function beginSession(tokens: Tokens, who: { email: string } | { id: string | undefined }) {
  // Of the session that is held: it goes when that ends. Where it has not arrived, it may be anybody's.
  const held = queryClient.getQueryData(profileQuery.queryKey);
  session.begin(tokens, held && ('email' in who ? who.email === held.email : who.id === held.id));
  keepChosenLanguage().catch(showError);
}

/**
 * For a secret that works once and is refused: the answer to a try before this one may have been lost, and then the account
 * has the password that was typed.
 * @throws the refusal, where it does not log in
 */
export async function logInInstead(refusal: unknown, proof: Proof) {
  try {
    await logIn(proof);
  } catch (error) {
    throw codeOf(error) === '8005' ? refusal : error;
  }
}
