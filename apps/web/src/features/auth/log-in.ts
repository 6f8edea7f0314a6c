import { codeOf } from '@fixpoint/web-client/faults.ts';
import type { Tokens } from '@fixpoint/web-client/session.ts';
import { api, session } from '../../server/api.ts';
import { profileQuery } from '../../server/profile.ts';
import { queryClient } from '../../server/query.ts';
import { saveChosenLanguage } from '../../shop/language-choice.ts';
import { showError } from '../../shop/snack.ts';

type Proof = { email: string; password: string; totp?: string };

/** Logs in and begins the session of this browser. */
export async function logIn(proof: Proof) {
  // The refresh token is in a cookie that scripts cannot read; local storage gets an empty one
  // (S18).
  const { data } = await api.auth.login({ body: { ...proof, refreshIn: 'cookie' } });
  beginSession(data, { email: proof.email });
}

/**
 * Begins the session with the tokens of any log-in. `who` identifies the customer as far as it is
 * known.
 */
export function beginSession(tokens: Tokens, who: { email: string } | { id: string | undefined }) {
  // Profile of the current session. Before it has loaded, the session may be anybody's.
  const current = queryClient.getQueryData(profileQuery.queryKey);
  session.begin(tokens, current && ('email' in who ? who.email === current.email : who.id === current.id));
  saveChosenLanguage().catch(showError);
}

/**
 * Logs in with the new password after a one-time secret was refused: an earlier attempt may have
 * set it, with its answer lost.
 * @throws the refusal, if the log-in fails
 */
export async function logInInstead(refusal: unknown, proof: Proof) {
  try {
    await logIn(proof);
  } catch (error) {
    throw codeOf(error) === '8005' ? refusal : error;
  }
}
