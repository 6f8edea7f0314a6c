/**
 * Text kept in the browser. Reading or writing never throws: a browser may forbid it, or be full. What it would not keep
 * is kept until the page is left, so that a session or an order under way does not end in the middle.
 */
export type TextStorage = {
  read(key: string): string | undefined;
  /** Whether the browser keeps it beyond this page. */
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

/** The JSON under a key; undefined when it is absent or cannot be read. */
export function readJson<T>(storage: TextStorage, key: string): T | undefined {
  const text = storage.read(key);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
