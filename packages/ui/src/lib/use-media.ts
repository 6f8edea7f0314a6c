import { useSyncExternalStore } from 'react';

/** Whether a media query matches, for an order of elements that CSS cannot change for a screen reader. */
export const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    listener => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => window.matchMedia(query).matches,
  );
