import type { TextStorage } from '@fixpoint/ui/lib/storage.ts';
import { describe, expect, test, vi } from 'vitest';
import { createSession, followOtherTabs, type Tokens } from './session.ts';

function aStorage(content: Record<string, string> = {}): TextStorage & { content: Record<string, string> } {
  return {
    content,
    read: key => content[key],
    write: (key, value) => {
      content[key] = value;
      return true;
    },
    remove: key => {
      delete content[key];
    },
  };
}

/** One lock for all tabs that share it, like Web Locks. */
function aLock() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(_name: string, task: () => Promise<T>): Promise<T> => {
    const run = last.then(task, task);
    last = run.catch(() => undefined);
    return run;
  };
}

const fresh: Tokens = { accessToken: 'new', refreshToken: '' };

describe('session', () => {
  test('W24 writes the refresh token even when it is empty', () => {
    const storage = aStorage();
    const session = createSession({ storage, exclusively: aLock(), refresh: async () => fresh });
    session.begin({ accessToken: 'a', refreshToken: '' });
    expect(storage.content).toEqual({ token: 'a', refreshToken: '' });
  });

  test('a login over another session ends that one first, here and in other tabs', () => {
    const storage = aStorage({ token: 'anna', refreshToken: '' });
    const { remove } = storage;
    const removed: string[] = [];
    storage.remove = key => {
      removed.push(key);
      remove(key);
    };
    const session = createSession({ storage, exclusively: aLock(), refresh: async () => fresh });
    const seen: string[] = [];
    session.token.subscribe(() => seen.push(session.token.get()));
    session.begin({ accessToken: 'ben', refreshToken: '' });
    expect(seen).toEqual(['', 'ben']);
    expect(removed).toContain('token');
    expect(storage.content.token).toBe('ben');
  });

  describe('a login of the same customer', () => {
    const seenBy = (session: ReturnType<typeof createSession>) => {
      const seen: string[] = [];
      session.token.subscribe(() => seen.push(session.token.get()));
      return seen;
    };

    test('keeps everything, here and in other tabs', () => {
      const storage = aStorage({ token: 'anna', refreshToken: '' });
      storage.remove = vi.fn(storage.remove);
      const session = createSession({ storage, exclusively: aLock(), refresh: async () => fresh });
      const seen = seenBy(session);
      session.begin({ accessToken: 'anna again', refreshToken: '' }, true);
      expect(seen).toEqual(['anna again']);
      expect(storage.remove).not.toHaveBeenCalled();
      expect(storage.content.token).toBe('anna again');
    });

    test('ends a session that another tab has begun since: it may be another customer’s', () => {
      const storage = aStorage({ token: 'anna', refreshToken: '' });
      const session = createSession({ storage, exclusively: aLock(), refresh: async () => fresh });
      const seen = seenBy(session);
      storage.write('token', 'ben');
      storage.remove = vi.fn(storage.remove);
      session.begin({ accessToken: 'anna again', refreshToken: '' }, true);
      expect(seen).toEqual(['', 'anna again']);
      expect(storage.remove).toHaveBeenCalledWith('token');
    });

    test.each([fresh, undefined])('wins over a refresh under way (%o)', async tokens => {
      const storage = aStorage({ token: 'old', refreshToken: '' });
      const session = createSession({
        storage,
        exclusively: aLock(),
        refresh: async () => {
          storage.write('token', 'again');
          return tokens;
        },
      });
      expect(await session.renew('old')).toBe('again');
      expect(session.token.get()).toBe('again');
      expect(storage.content.token).toBe('again');
    });
  });

  test('S23 a refresh begins no new session: nothing on the screen is lost', async () => {
    const session = createSession({
      storage: aStorage({ token: 'old' }),
      exclusively: aLock(),
      refresh: async () => fresh,
    });
    const seen: string[] = [];
    session.token.subscribe(() => seen.push(session.token.get()));
    await session.renew('old');
    expect(seen).toEqual(['new']);
  });

  test('S23 all calls of all tabs share one refresh', async () => {
    const storage = aStorage({ token: 'old', refreshToken: '' });
    const exclusively = aLock();
    const refresh = vi.fn(async () => fresh);
    const tabs = [1, 2, 3].map(() => createSession({ storage, exclusively, refresh }));
    const renewed = await Promise.all(tabs.flatMap(tab => [tab.renew('old'), tab.renew('old')]));
    expect(renewed).toEqual(Array(6).fill('new'));
    expect(refresh).toHaveBeenCalledTimes(1);
    expect(tabs.map(tab => tab.token.get())).toEqual(['new', 'new', 'new']);
  });

  test('a refused refresh ends the session, a transient fault does not', async () => {
    const storage = aStorage({ token: 'old' });
    const refresh = vi.fn<() => Promise<Tokens | undefined>>();
    const session = createSession({ storage, exclusively: aLock(), refresh });
    refresh.mockRejectedValueOnce(new Error('no network'));
    await expect(session.renew('old')).rejects.toThrow('no network');
    expect(session.token.get()).toBe('old');

    refresh.mockResolvedValueOnce(undefined);
    expect(await session.renew('old')).toBeUndefined();
    expect(session.token.get()).toBe('');
    expect(storage.content).toEqual({});
  });

  test('a log-out in another tab wins over a refresh under way', async () => {
    const storage = aStorage({ token: 'old' });
    const session = createSession({
      storage,
      exclusively: aLock(),
      refresh: async () => {
        storage.remove('token');
        return fresh;
      },
    });
    expect(await session.renew('old')).toBeUndefined();
    expect(storage.content.token).toBeUndefined();
  });

  test('follows changes of other tabs', () => {
    const target = new EventTarget();
    const session = createSession({
      storage: aStorage({ token: 'a' }),
      exclusively: aLock(),
      refresh: async () => fresh,
    });
    followOtherTabs(session, target as unknown as Window);
    target.dispatchEvent(Object.assign(new Event('storage'), { key: 'token', newValue: 'b' }));
    expect(session.token.get()).toBe('b');
    target.dispatchEvent(Object.assign(new Event('storage'), { key: 'token', newValue: null }));
    expect(session.token.get()).toBe('');
  });
});
