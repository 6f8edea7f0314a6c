import type { ComponentType } from 'react';
import { Fault, retry } from './fault.ts';
import { tabStore } from './storage.ts';
import { createStore } from './store.ts';

const RELOADED_AT = 'chunk.reloadedAt';
/** A part that is still missing this soon after a reload is missing for good. */
const AGAIN_MS = 60_000;

/** How many parts of the page are on their way; the bar at the top shows it. */
export const chunksUnderWay = createStore(0);

/** Resolves when there is a network again. Style sheets that did not arrive are asked for by the app's early script. */
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
 * Brings a part of the page. Without a network it waits for one, as the notice in the bar says: loading the page again
 * would leave the customer with the browser's own error.
 */
async function whenOnline<T>(load: () => Promise<T>, page: Page): Promise<T> {
  // React asks for parts while it draws: nothing that is drawn may change meanwhile.
  await undefined;
  chunksUnderWay.set(chunksUnderWay.get() + 1);
  try {
    return await load();
  } catch (error) {
    if (page.online()) throw error;
  } finally {
    chunksUnderWay.set(chunksUnderWay.get() - 1);
  }
  await page.backOnline();
  return whenOnline(load, page);
}

/**
 * Brings a screen. When it cannot be loaded, usually because a new version was put out, the page is loaded again (spec
 * section 4), but not over and over: then the error is thrown.
 */
export async function loadChunk<T>(load: () => Promise<T>, page = thisPage): Promise<T> {
  const wanted = page.address();
  try {
    return await whenOnline(load, page);
  } catch (error) {
    const last = Number(tabStore.read(RELOADED_AT) ?? 0);
    const late = page.now() - last >= AGAIN_MS;
    // Whoever has turned back meanwhile goes on with what he was at. Without a mark that outlives this page it would be
    // loaded again for ever.
    if (late && page.address() === wanted && tabStore.write(RELOADED_AT, String(page.now()))) page.reload();
    throw error;
  }
}

/** Brings a part that a form needs. Never loads the page again: what was typed would be lost. */
export const bring = <T>(load: () => Promise<T>): Promise<T> =>
  load().catch(() => {
    throw new Fault('a part of the page did not arrive');
  });

/**
 * Brings what stands beside a screen: asked for again a few times, and never at the price of what was typed. Without a
 * network it is not asked for at all: browsers up to Chrome 150 keep for as long as the page lives that it failed.
 */
export const loadPart = <T>(load: () => Promise<T>, page = thisPage): Promise<T> =>
  retry(
    async () => {
      if (!page.online()) await page.backOnline();
      return bring(() => whenOnline(load, page));
    },
    () => true,
  );

/** A task that all share who want it while it runs; one that failed is tried again by the next. */
export function shared<T>(task: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= task().finally(() => {
      running = undefined;
    });
    return running;
  };
}

const arrived = new WeakMap<() => Promise<unknown>, unknown>();

/** Brings what a `lazyComponent` of the same function draws: it is then drawn at once. */
export const bringAhead = async <T>(load: () => Promise<T>): Promise<void> =>
  void arrived.set(load, await load());

/**
 * A component in the shape that `React.lazy` wants. What was brought ahead is answered within the call: for any promise,
 * also a resolved one, React would first show the page without it, and the first visit would go blank.
 */
export const lazyComponent =
  <T>(load: () => Promise<T>, componentOf: (part: T) => ComponentType) =>
  (): Promise<{ default: ComponentType }> => {
    const module = (part: T) => ({ default: componentOf(part) });
    if (!arrived.has(load)) return loadChunk(load).then(module);
    const part = arrived.get(load) as T;
    const atOnce: PromiseLike<{ default: ComponentType }> = {
      // biome-ignore lint/suspicious/noThenProperty: it is what React takes for a promise
      then: tell => tell?.(module(part)) as never,
    };
    return atOnce as Promise<{ default: ComponentType }>;
  };
