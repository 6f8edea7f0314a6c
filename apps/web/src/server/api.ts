import { calls } from 'virtual:calls';
import { languages } from '@fixpoint/contract/languages.ts';
import { bring } from '@fixpoint/ui/lib/chunk.ts';
import { localStore } from '@fixpoint/ui/lib/storage.ts';
import { shownLanguage } from '../routing/language.ts';
import { usualPath } from './call-path.ts';
import { createClient, type ShopClient } from './client.ts';
import { config } from './config.ts';
import { fetchOrEarly } from './early.ts';
import { Refusal } from './faults.ts';
import { createSession, exclusively, followOtherTabs, type Session, type Tokens } from './session.ts';
import { askStepUp } from './step-up.ts';
import { createTransport } from './transport.ts';

const send = createTransport({
  apiUrl: () => config().API_URL,
  languageTag: () => languages[shownLanguage.get()].tag,
  session: () => session,
  fetch: fetchOrEarly,
});

/** Every call of the shop, typed by the contract. */
export const api: ShopClient = createClient(calls, send, { proveHuman, stepUp: askStepUp });

/** Solves a human check, for `humanCheck` of a call. */
export async function proveHuman(): Promise<string> {
  const { solve } = await bring(() => import('./human-check.ts'));
  return solve(await api.account.humanCheck({}));
}

/** The session of this browser. */
export const session: Session = createSession({
  storage: localStore,
  exclusively,
  refresh: async (refreshToken): Promise<Tokens | undefined> => {
    try {
      // An empty bearer: the token that has just expired must not make this call ask for a refresh itself.
      const answer = await send({
        method: 'POST',
        path: usualPath('auth', 'refresh'),
        body: { refreshToken },
        bearer: '',
        // With the next cookie. Who shows the one before it later than a moment after is taken for a thief.
        outlives: true,
      });
      return answer.data as Tokens;
    } catch (error) {
      const definite = error instanceof Refusal && error.status < 500 && error.status !== 429;
      if (definite) return undefined;
      throw error;
    }
  },
});
followOtherTabs(session, window);
