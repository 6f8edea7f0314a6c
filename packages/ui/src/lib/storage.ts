/**
 * Text in the browser's storage. Never throws, though a browser may forbid storage or be full. A
 * value that cannot be stored is kept in memory until the page is left, so that a session or an
 * order does not break.
 */
export type TextStorage = {
  read(key: string): string | undefined;
  /** Returns whether the value outlives this page. */
  write(key: string, value: string): boolean;
  remove(key: string): void;
};

function safeStorage(open: () => Storage): TextStorage {
  const attempt = <T>(use: (storage: Storage) => T): T | undefined => {
    try {
      return use(open());
    } catch {
      return undefined;
    }
  };
  const refused = new Map<string, string>();
  return {
    read: key => refused.get(key) ?? attempt(storage => storage.getItem(key)) ?? undefined,
    write(key, value) {
      refused.set(key, value);
      return !!attempt(storage => {
        storage.setItem(key, value);
        return refused.delete(key);
      });
    },
    remove(key) {
      refused.delete(key);
      attempt(storage => storage.removeItem(key));
    },
  };
}

export const localStore = safeStorage(() => window.localStorage);
export const tabStore = safeStorage(() => window.sessionStorage);

/** The parsed JSON of a key; undefined if absent or unreadable. */
export function readJson<T>(storage: TextStorage, key: string): T | undefined {
  const text = storage.read(key);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
