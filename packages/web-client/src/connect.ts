import type { Calls } from '@fixpoint/contract/endpoint.ts';
import { localStore } from '@fixpoint/ui/lib/storage.ts';
import { type CallTable, type Client, createClient } from './client.ts';
import { isDefinite } from './faults.ts';
import { createSession, exclusively, followOtherTabs, type Session, type Tokens } from './session.ts';
import { webClient } from './setup.ts';
import { askStepUp } from './step-up.ts';
import { createTransport, type ReadHeaders } from './transport.ts';

type Options = {
  calls: CallTable;
  apiUrl: () => string;
  /** BCP 47 tag of the language on the screen. */
  languageTag: () => string;
  /** Path of the call that exchanges a refresh token. */
  refreshPath: string;
  /** Solves a human check of so many units of work, for `humanCheck` of a call. */
  solveHumanCheck: (work: number) => Promise<string>;
  /** Separates the sessions of two apps on one origin. */
  sessionPrefix?: string;
  /** Reads the headers of every answer. */
  readHeaders?: ReadHeaders;
  fetch?: typeof fetch;
};

/**
 * Connects an app to its server: calls typed by the contract, and the one session of this browser.
 */
export function connect<C extends Calls>(options: Options): { api: Client<C>; session: Session } {
  const { calls, apiUrl, languageTag, refreshPath, solveHumanCheck, sessionPrefix = '' } = options;
  const { readHeaders, fetch } = options;
  const handlers = { solveHumanCheck, stepUp: askStepUp };
  const send = createTransport({ apiUrl, languageTag, session: () => session, readHeaders, fetch });
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
        if (isDefinite(error)) return undefined;
        throw error;
      }
    },
  });
  followOtherTabs(session, window, sessionPrefix);
  return { api: createClient<C>(calls, send, handlers, refusal => webClient().showError(refusal)), session };
}
