import { startTransition, useEffect, useState } from 'react';
import { createStore } from './store.ts';

/** Longest wait for the first paint, and then for an idle browser, ms. */
const LONGEST_WAIT_MS = 1500;

const settled = createStore(false);

const timeout = () => new Promise<void>(resolve => setTimeout(resolve, LONGEST_WAIT_MS));

/** Resolves at the first paint, or after the timeout: a page in the background never paints. */
const painted = () =>
  Promise.race([
    timeout(),
    new Promise<void>(resolve => {
      new PerformanceObserver(list => {
        if (list.getEntriesByName('first-contentful-paint').length > 0) resolve();
      }).observe({ type: 'paint', buffered: true });
    }),
  ]);

/** Resolves when the browser is idle. Safari has no `requestIdleCallback`. */
const idle = () =>
  new Promise<void>(resolve => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: LONGEST_WAIT_MS });
    else setTimeout(resolve, LONGEST_WAIT_MS / 5);
  });

/**
 * Marks the page as settled once the first screen is painted and the browser idle. Call it when
 * that screen is rendered.
 */
export async function settle(): Promise<void> {
  await painted();
  // Set by the app's early script (apps/web/src/early.ts).
  delete document.documentElement.dataset.firstVisit;
  await idle();
  settled.set(true);
}

/**
 * Whether the first screen is painted and the browser idle. Content below the fold waits for it, in
 * a reserved space. Turns true in a transition, so that the page stays responsive.
 */
export function useSettled(): boolean {
  const [is, setIs] = useState(settled.get);
  useEffect(() => {
    const follow = () => startTransition(() => setIs(settled.get()));
    follow();
    return settled.subscribe(follow);
  }, []);
  return is;
}
