import { useEffect } from 'react';
import { useLocation } from 'react-router';

/** Follows the links of each screen (`prefetch.ts`), without being part of what the first one waits for. */
export function usePrefetch() {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new screen has other links
  useEffect(() => {
    let left = false;
    let stop = () => {};
    import('./prefetch.ts').then(
      part => {
        if (!left) stop = part.followLinks();
      },
      // Only a help: without it a screen comes when it is asked for.
      () => undefined,
    );
    return () => {
      left = true;
      stop();
    };
  }, [pathname]);
}
