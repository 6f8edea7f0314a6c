import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { signs } from './screen-of.ts';

/** Time in which only the screen itself may load, ms. */
const PAUSE_MS = 2500;

/**
 * Follows the links of each screen (`prefetch.ts`) after the first hover, focus or touch, or after
 * a pause. Before that, the screen itself needs the whole bandwidth.
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
        // Optional: without it, screens load when they are opened.
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
