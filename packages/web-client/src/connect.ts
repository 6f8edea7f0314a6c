import type { Calls } from '@fixpoint/contract/endpoint.ts';
import { localStore } from '@fixpoint/ui/lib/storage.ts';
import { type CallTable, type Client, createClient } from './client.ts';
import { Refusal } from './faults.ts';
import { createSession, exclusively, followOtherTabs, type Session, type Tokens } from './session.ts';
import { askStepUp } from './step-up.ts';
import { createTransport } from './transport.ts';

type Options = {
  calls: CallTable;
  apiUrl: () => string;
  /** BCP 47 tag of the language on the screen. */
  languageTag: () => string;
  /** Path of the call that exchanges a refresh token. */
  refreshPath: string;
  /** Solves a human check, for `humanCheck` of a call. */
  solveHumanCheck: () => Promise<string>;
  /** Separates the sessions of two apps on one origin. */
  sessionPrefix?: string;
  fetch?: typeof fetch;
};

/**
 * Connects an app to its server: calls typed by the contract, and the one session of this browser.
 */
export function connect<C extends Calls>(options: Options): { api: Client<C>; session: Session } {
  const { calls, apiUrl, languageTag, refreshPath, solveHumanCheck, sessionPrefix = '', fetch } = options;
  const send = createTransport({ apiUrl, languageTag, session: () => session, fetch });
  const session: Session = createSession({
    storage: localStore,
    exclusively,
    prefix: sessionPrefix,
    refresh: async (refreshToken): Promise<Tokens | undefined> => {
      try {
        // Empty bearer: with the expired token, a 401 would start another refresh.
        const answer = await send({
          method: 'POST',
          path: refreshPath,
          body: { refreshToken },
          bearer: '',
          // The answer sets the next cookie. If it is lost, the old one counts as stolen.
          keepalive: true,
        });
        return answer.data as Tokens;
      } catch (error) {
        const definite = error instanceof Refusal && error.status < 500 && error.status !== 429;
        if (definite) return undefined;
        throw error;
      }
    },
  });
  followOtherTabs(session, window, sessionPrefix);
  return { api: createClient<C>(calls, send, { solveHumanCheck, stepUp: askStepUp }), session };
}
