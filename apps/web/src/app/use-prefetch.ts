import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { intentEvents } from './screen-of.ts';

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
    let disposed = false;
    let stop = () => {};
    const begin = (event?: Event) => {
      stopWaiting();
      import('./prefetch.ts').then(
        part => {
          if (!disposed) stop = part.prefetchLinks(event);
        },
        // Optional: without it, screens load when they are opened.
        () => undefined,
      );
    };
    for (const event of intentEvents) document.addEventListener(event, begin, { passive: true });
    const timer = setTimeout(begin, PAUSE_MS);
    const stopWaiting = () => {
      clearTimeout(timer);
      for (const event of intentEvents) document.removeEventListener(event, begin);
    };
    return () => {
      disposed = true;
      stopWaiting();
      stop();
    };
  }, [pathname]);
}
