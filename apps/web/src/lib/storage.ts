/** Text kept in the browser. Reading or writing never throws: a browser may forbid it, or be full. */
export type TextStorage = {
  read(key: string): string | undefined;
  write(key: string, value: string): void;
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
  return {
    read: key => attempt(storage => storage.getItem(key)) ?? undefined,
    write: (key, value) => attempt(storage => storage.setItem(key, value)),
    remove: key => attempt(storage => storage.removeItem(key)),
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
