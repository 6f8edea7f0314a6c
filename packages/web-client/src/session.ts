import type { TextStorage } from '@fixpoint/ui/lib/storage.ts';
import { createStore, type Store } from '@fixpoint/ui/lib/store.ts';

/** Keys in local storage; the refresh token is written even when empty. @param prefix of an app */
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
   * After a login. A session that is held ends first, here and in other tabs: it may be somebody else's. Not where its own
   * customer has logged in `again`.
   */
  begin(tokens: Tokens, again?: boolean): void;
  end(): void;
  /** The same by the customer's own wish: the login page then says nothing and leads nowhere. */
  leave(): void;
  /** Whether the last session ended by `leave`. */
  wasLeft(): boolean;
  /**
   * A newer access token than `stale`, or undefined when the session is over. One refresh at a time, also across
   * tabs (S23): the others wait for the lock and then find the new token in storage.
   */
  renew(stale: string): Promise<string | undefined>;
};

type Options = {
  /** Of the keys in storage: keeps the sessions of two apps on one origin apart. */
  prefix?: string;
  storage: TextStorage;
  /** Runs a task while no other tab runs one under the same name. */
  exclusively: <T>(name: string, task: () => Promise<T>) => Promise<T>;
  /** Asks the server; undefined when it refuses the refresh token. Throws on a passing fault. */
  refresh: (refreshToken: string) => Promise<Tokens | undefined>;
};

export function createSession({ prefix = '', storage, exclusively, refresh }: Options): Session {
  const names = namesOf(prefix);
  const token = createStore(storage.read(names.token) ?? '');
  let left = false;
  let renewal: Promise<string | undefined> | undefined;

  const hold = ({ accessToken, refreshToken }: Tokens) => {
    storage.write(names.token, accessToken);
    storage.write(names.refreshToken, refreshToken);
    left = false;
    token.set(accessToken);
  };
  const end = () => {
    storage.remove(names.token);
    storage.remove(names.refreshToken);
    token.set('');
  };
  const leave = () => {
    left = true;
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
    // Logged out, or in again, in another tab while we asked: its word counts.
    if (stored() !== stale) return follow();
    if (!tokens) {
      end();
      return undefined;
    }
    hold(tokens);
    return tokens.accessToken;
  }

  return {
    token,
    begin(tokens, again = false) {
      // Nothing that was typed under it is kept for who comes now. Another tab may have begun one that this one has not
      // heard of yet: whose that is nobody here knows.
      if (!again || stored() !== token.get()) leave();
      hold(tokens);
    },
    end,
    leave,
    wasLeft: () => left,
    renew(stale) {
      renewal ??= exclusively(names.lock, () => renewAlone(stale)).finally(() => {
        renewal = undefined;
      });
      return renewal;
    },
  };
}

/** Log-in, log-out and refresh in one tab are seen in all others at once. */
export function followOtherTabs(session: Session, target: Pick<Window, 'addEventListener'>, prefix = '') {
  const names = namesOf(prefix);
  target.addEventListener('storage', event => {
    if (event.key === names.token) session.token.set(event.newValue ?? '');
    if (event.key === null) session.token.set('');
  });
}

/** Web Locks where the browser has them; it hides them on plain http. */
export const exclusively: Options['exclusively'] = (name, task) =>
  globalThis.navigator?.locks ? (navigator.locks.request(name, task) as ReturnType<typeof task>) : task();
