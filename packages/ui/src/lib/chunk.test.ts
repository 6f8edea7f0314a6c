import { afterEach, expect, test, vi } from 'vitest';
import { chunksLoading, loadChunk, loadPart } from './chunk.ts';

function aTab() {
  const content = new Map<string, string>();
  vi.stubGlobal('window', {
    location: { href: 'https://shop.example/#/en/order' },
    sessionStorage: {
      getItem: (key: string) => content.get(key) ?? null,
      setItem: (key: string, value: string) => content.set(key, value),
    },
  });
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a missing chunk reloads the page, but not repeatedly', async () => {
  aTab();
  const reload = vi.fn();
  let address = '/order';
  const page = (now: number) => ({
    reload,
    address: () => address,
    now: () => now,
    online: () => true,
    backOnline: vi.fn(),
  });
  const missing = () => Promise.reject(new Error('404'));
  await expect(loadChunk(missing, page(100_000))).rejects.toThrow('404');
  expect(reload).toHaveBeenCalledTimes(1);
  await expect(loadChunk(missing, page(101_000))).rejects.toThrow('404');
  expect(reload).toHaveBeenCalledTimes(1);
  await expect(loadChunk(missing, page(500_000))).rejects.toThrow('404');
  expect(reload).toHaveBeenCalledTimes(2);

  const abandoned = loadChunk(missing, page(900_000));
  address = '/login';
  await expect(abandoned).rejects.toThrow('404');
  expect(reload, 'after the user has navigated away').toHaveBeenCalledTimes(2);
});

test('offline, a chunk waits for the network and the page stays', async () => {
  aTab();
  const reload = vi.fn();
  let online = false;
  const back = Promise.withResolvers<void>();
  const load = vi.fn(() => (online ? Promise.resolve('part') : Promise.reject(new Error('offline'))));
  const part = loadChunk(load, {
    reload,
    address: () => '/order',
    now: () => 0,
    online: () => online,
    backOnline: () => back.promise,
  });
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  await vi.waitFor(() => expect(chunksLoading.get()).toBe(0));
  online = true;
  back.resolve();
  expect(await part).toBe('part');
  expect(reload).not.toHaveBeenCalled();
});

test('a part beside the screen is not requested while offline', async () => {
  const back = Promise.withResolvers<void>();
  const load = vi.fn(() => Promise.resolve('part'));
  const offline = {
    reload: vi.fn(),
    address: () => '/order',
    now: () => 0,
    online: () => false,
    backOnline: () => back.promise,
  };
  const part = loadPart(load, offline);
  await new Promise(resolve => setTimeout(resolve));
  expect(load).not.toHaveBeenCalled();
  back.resolve();
  expect(await part).toBe('part');
});

test('the progress bar shows while a chunk loads', async () => {
  aTab();
  const { promise, resolve } = Promise.withResolvers<string>();
  const part = loadChunk(() => promise);
  expect(chunksLoading.get(), 'not during a render').toBe(0);
  await vi.waitFor(() => expect(chunksLoading.get()).toBe(1));
  resolve('part');
  expect(await part).toBe('part');
  expect(chunksLoading.get()).toBe(0);
});
