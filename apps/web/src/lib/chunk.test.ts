import { afterEach, expect, test, vi } from 'vitest';
import { chunksUnderWay, loadChunk } from './chunk.ts';

function aTab() {
  const content = new Map<string, string>();
  vi.stubGlobal('window', {
    sessionStorage: {
      getItem: (key: string) => content.get(key) ?? null,
      setItem: (key: string, value: string) => content.set(key, value),
    },
  });
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a missing part loads the page again, but not over and over', async () => {
  aTab();
  const reload = vi.fn();
  const missing = () => Promise.reject(new Error('404'));
  await expect(loadChunk(missing, { reload, now: () => 100_000 })).rejects.toThrow('404');
  expect(reload).toHaveBeenCalledTimes(1);
  await expect(loadChunk(missing, { reload, now: () => 101_000 })).rejects.toThrow('404');
  expect(reload).toHaveBeenCalledTimes(1);
  await expect(loadChunk(missing, { reload, now: () => 500_000 })).rejects.toThrow('404');
  expect(reload).toHaveBeenCalledTimes(2);
});

test('the bar shows while a part is on its way', async () => {
  aTab();
  const { promise, resolve } = Promise.withResolvers<string>();
  const part = loadChunk(() => promise);
  expect(chunksUnderWay.get()).toBe(1);
  resolve('part');
  expect(await part).toBe('part');
  expect(chunksUnderWay.get()).toBe(0);
});
