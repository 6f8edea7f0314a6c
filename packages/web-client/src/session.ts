import type { TextStorage } from '@fixpoint/ui/lib/storage.ts';
import { createStore, type Store } from '@fixpoint/ui/lib/store.ts';

/**
 * Keys in local storage, and of the lock.
 * @param prefix separates the apps of one origin
 */
const namesOf = (prefix: string) => ({
  token: `${prefix}token`,
  refreshToken: `${prefix}refreshToken`,
  lock: `fixpoint.${prefix}refresh`,
});

export type Tokens = { accessToken: string; refreshToken: string };

export type Session = {
  /** Access token, `''` for a visitor. */
  token: Store<string>;
  /**
   * Starts a session after a login. An earlier session ends first, here and in other tabs, because
   * it may be another customer's; `again` says that the same customer has logged in.
   */
  begin(tokens: Tokens, again?: boolean): void;
  end(): void;
  /**
   * Ends the session at the user's request. The login page then shows no notice and no way back.
   */
  logOut(): void;
  /** Whether the last session ended by `logOut`. */
  wasLoggedOut(): boolean;
  /**
   * Returns a newer access token than `stale`, or undefined when the session is over. One refresh
   * at a time, also across tabs (S23): the others wait for the lock and find the new token in
   * storage.
   */
  renew(stale: string): Promise<string | undefined>;
};

type Options = {
  /** Prefix of the keys in storage; separates the sessions of two apps on one origin. */
  prefix?: string;
  storage: TextStorage;
  /** Runs a task while no other tab runs one under the same name. */
  exclusively: <T>(name: string, task: () => Promise<T>) => Promise<T>;
  /** Calls the server; undefined if it refuses the refresh token. Throws on a transient fault. */
  refresh: (refreshToken: string) => Promise<Tokens | undefined>;
};

export function createSession({ prefix = '', storage, exclusively, refresh }: Options): Session {
  const names = namesOf(prefix);
  const token = createStore(storage.read(names.token) ?? '');
  let loggedOut = false;
  let renewal: Promise<string | undefined> | undefined;

  const store = ({ accessToken, refreshToken }: Tokens) => {
    storage.write(names.token, accessToken);
    storage.write(names.refreshToken, refreshToken);
    loggedOut = false;
    token.set(accessToken);
  };
  const end = () => {
    storage.remove(names.token);
    storage.remove(names.refreshToken);
    token.set('');
  };
  const logOut = () => {
    loggedOut = true;
    end();
  };

  const stored = () => storage.read(names.token) ?? '';
  const follow = () => {
    token.set(stored());
    return stored() || undefined;
  };

  async function renewAlone(stale: string) {
    if (stored() !== stale) return follow();
    const tokens = await refresh(storage.read(names.refreshToken) ?? '');
    // Another tab logged out or in during the call: its state wins.
    if (stored() !== stale) return follow();
    if (!tokens) {
      end();
      return undefined;
    }
    store(tokens);
    return tokens.accessToken;
  }

  return {
    token,
    begin(tokens, again = false) {
      // Clears what the previous user typed. If storage differs from this tab's token, another tab
      // has begun a session of an unknown user.
      if (!again || stored() !== token.get()) logOut();
      store(tokens);
    },
    end,
    logOut,
    wasLoggedOut: () => loggedOut,
    renew(stale) {
      renewal ??= exclusively(names.lock, () => renewAlone(stale)).finally(() => {
        renewal = undefined;
      });
      return renewal;
    },
  };
}

/** Applies log-in, log-out and refresh of one tab to all others at once. */
export function followOtherTabs(session: Session, target: Pick<Window, 'addEventListener'>, prefix = '') {
  const names = namesOf(prefix);
  target.addEventListener('storage', event => {
    if (event.key === names.token) session.token.set(event.newValue ?? '');
    if (event.key === null) session.token.set('');
  });
}

/** Web Locks, where the browser has them. Browsers hide them on plain http. */
export const exclusively: Options['exclusively'] = (name, task) =>
  globalThis.navigator?.locks ? (navigator.locks.request(name, task) as ReturnType<typeof task>) : task();
