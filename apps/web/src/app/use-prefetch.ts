import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { signs } from './screen-of.ts';

/** How long a screen has the line for itself, ms. */
const PAUSE_MS = 2500;

/**
 * Follows the links of each screen (`prefetch.ts`): once the visitor gives a sign, or after a pause. Before that the
 * screen itself is still on its way, and nothing may take its place on a slow line.
 */
export function usePrefetch() {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new screen has other links
  useEffect(() => {
    let left = false;
    let stop = () => {};
    const begin = (sign?: Event) => {
      waitNoLonger();
      import('./prefetch.ts').then(
        part => {
          if (!left) stop = part.followLinks(sign);
        },
        // Only a help: without it a screen comes when it is asked for.
        () => undefined,
      );
    };
    for (const sign of signs) document.addEventListener(sign, begin, { passive: true });
    const timer = setTimeout(begin, PAUSE_MS);
    const waitNoLonger = () => {
      clearTimeout(timer);
      for (const sign of signs) document.removeEventListener(sign, begin);
    };
    return () => {
      left = true;
      waitNoLonger();
      stop();
    };
  }, [pathname]);
}
