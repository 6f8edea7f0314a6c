import type { ComponentType } from 'react';
import { Fault, retry } from './fault.ts';
import { tabStore } from './storage.ts';
import { createStore } from './store.ts';

const RELOADED_AT = 'chunk.reloadedAt';
/** A chunk that is missing again this soon after a reload is gone for good. */
const RELOAD_INTERVAL_MS = 60_000;

/** Number of chunks being loaded, for the progress bar. */
export const chunksLoading = createStore(0);

/** Resolves when the network is back. The early script retries style sheets that failed to load. */
const backOnline = () => new Promise(resolve => window.addEventListener('online', resolve, { once: true }));

type Page = {
  reload: () => void;
  address: () => string;
  now: () => number;
  online: () => boolean;
  backOnline: () => Promise<unknown>;
};
const thisPage: Page = {
  reload: () => window.location.reload(),
  address: () => window.location.href,
  now: () => Date.now(),
  online: () => navigator.onLine,
  backOnline,
};

/**
 * Loads a chunk. Offline, it waits for the network, as the banner says: a reload would show the
 * browser's own error page.
 */
async function whenOnline<T>(load: () => Promise<T>, page: Page): Promise<T> {
  // React requests chunks during a render, when no state may change.
  await undefined;
  chunksLoading.set(chunksLoading.get() + 1);
  try {
    return await load();
  } catch (error) {
    if (page.online()) throw error;
  } finally {
    chunksLoading.set(chunksLoading.get() - 1);
  }
  await page.backOnline();
  return whenOnline(load, page);
}

/**
 * Loads a screen. If that fails, usually because a new version was deployed, reloads the page.
 * Throws if the last reload was less than a minute ago.
 */
export async function loadChunk<T>(load: () => Promise<T>, page = thisPage): Promise<T> {
  const wanted = page.address();
  try {
    return await whenOnline(load, page);
  } catch (error) {
    const last = Number(tabStore.read(RELOADED_AT) ?? 0);
    const mayReload = page.now() - last >= RELOAD_INTERVAL_MS;
    // No reload if the user has navigated back meanwhile, nor if the mark cannot be stored: the
    // page would reload forever.
    if (mayReload && page.address() === wanted && tabStore.write(RELOADED_AT, String(page.now())))
      page.reload();
    throw error;
  }
}

/** Loads a chunk that a form needs. Never reloads the page, which would lose the input. */
export const loadOrFault = <T>(load: () => Promise<T>): Promise<T> =>
  load().catch(() => {
    throw new Fault('a part of the page failed to load');
  });

/**
 * Loads a part beside the screen, with retries and without a reload. Waits while offline: browsers
 * up to Chrome 150 cache a failed import for the life of the page.
 */
export const loadPart = <T>(load: () => Promise<T>, page = thisPage): Promise<T> =>
  retry(
    async () => {
      if (!page.online()) await page.backOnline();
      return loadOrFault(() => whenOnline(load, page));
    },
    () => true,
  );

/**
 * Shares one run of a task among concurrent callers. After a failure the next caller starts it
 * again.
 */
export function shared<T>(task: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= task().finally(() => {
      running = undefined;
    });
    return running;
  };
}

const preloaded = new WeakMap<() => Promise<unknown>, unknown>();

/** Preloads a chunk, so that the `lazyComponent` of the same function renders at once. */
export const preload = async <T>(load: () => Promise<T>): Promise<void> =>
  void preloaded.set(load, await load());

/**
 * A component in the form that `React.lazy` wants. A preloaded one is returned synchronously: with
 * a promise, even a resolved one, React would render the fallback first, and the first visit would
 * go blank.
 */
export const lazyComponent =
  <T, P = object>(load: () => Promise<T>, componentOf: (part: T) => ComponentType<P>) =>
  (): Promise<{ default: ComponentType<P> }> => {
    const module = (part: T) => ({ default: componentOf(part) });
    if (!preloaded.has(load)) return loadChunk(load).then(module);
    const part = preloaded.get(load) as T;
    const synchronous: PromiseLike<{ default: ComponentType<P> }> = {
      // biome-ignore lint/suspicious/noThenProperty: React expects a thenable
      then: onFulfilled => onFulfilled?.(module(part)) as never,
    };
    return synchronous as Promise<{ default: ComponentType<P> }>;
  };
