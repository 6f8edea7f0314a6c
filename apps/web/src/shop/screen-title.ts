import { createStore } from '@fixpoint/ui/lib/store.ts';
import { useEffect } from 'react';

/** What the screen shows, for the window's title; undefined: the screen's general title says it. */
export const screenTitle = createStore<string | undefined>(undefined);

/** Names the thing on the screen in the window's title, so that tabs can be told apart. */
export function useScreenTitle(title: string | undefined): void {
  useEffect(() => {
    screenTitle.set(title);
    return () => screenTitle.set(undefined);
  }, [title]);
}
