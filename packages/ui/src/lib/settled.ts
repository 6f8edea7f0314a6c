import { startTransition, useEffect, useState } from 'react';
import { createStore } from './store.ts';

/** The longest that what stands below the first sight waits for the first paint, and then for an idle browser, ms. */
const PATIENCE_MS = 1500;

const settled = createStore(false);

const patience = () => new Promise<void>(resolve => setTimeout(resolve, PATIENCE_MS));

/** Resolves when the browser has shown something; a page in the background never does, so it waits no longer than that. */
const painted = () =>
  Promise.race([
    patience(),
    new Promise<void>(resolve => {
      new PerformanceObserver(list => {
        if (list.getEntriesByName('first-contentful-paint').length > 0) resolve();
      }).observe({ type: 'paint', buffered: true });
    }),
  ]);

/** Resolves when the browser has nothing better to do. Safari has no requestIdleCallback. */
const idle = () =>
  new Promise<void>(resolve => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: PATIENCE_MS });
    else setTimeout(resolve, PATIENCE_MS / 5);
  });

/** Call when the first screen is drawn: the page is settled once the browser has shown it and has time. */
export async function settle(): Promise<void> {
  await painted();
  // Set by the app's early script (apps/web/src/early.ts).
  delete document.documentElement.dataset.firstVisit;
  await idle();
  settled.set(true);
}

/**
 * False while the first screen is on its way to the eye: what it does not show at first waits, in a kept place. Turns
 * true as a transition, in small steps between which the browser answers to the visitor.
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
