import type { ComponentType } from 'react';
import { Fault } from './faults.ts';
import { tabStore } from './storage.ts';
import { createStore } from './store.ts';

const RELOADED_AT = 'chunk.reloadedAt';
/** A part that is still missing this soon after a reload is missing for good. */
const AGAIN_MS = 60_000;

/** How many parts of the page are on their way; the bar at the top shows it. */
export const chunksUnderWay = createStore(0);

type Page = { reload: () => void; now: () => number };
const thisPage: Page = { reload: () => window.location.reload(), now: () => Date.now() };

/**
 * Brings a part of the page. When it cannot be loaded, usually because a new version was put out, the page is loaded
 * again (spec section 4), but not over and over: then the error is thrown.
 */
export async function loadChunk<T>(load: () => Promise<T>, page = thisPage): Promise<T> {
  chunksUnderWay.set(chunksUnderWay.get() + 1);
  try {
    return await load();
  } catch (error) {
    const last = Number(tabStore.read(RELOADED_AT) ?? 0);
    if (page.now() - last < AGAIN_MS) throw error;
    tabStore.write(RELOADED_AT, String(page.now()));
    page.reload();
    throw error;
  } finally {
    chunksUnderWay.set(chunksUnderWay.get() - 1);
  }
}

/** Brings a part that a form needs. Never loads the page again: what was typed would be lost (ux 17). */
export const bring = <T>(load: () => Promise<T>): Promise<T> =>
  load().catch(() => {
    throw new Fault('a part of the page did not arrive');
  });

/** A component in the shape that `React.lazy` wants. */
export const lazyComponent =
  (load: () => Promise<ComponentType>) => async (): Promise<{ default: ComponentType }> => ({
    default: await loadChunk(load),
  });
