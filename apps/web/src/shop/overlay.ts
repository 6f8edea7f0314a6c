import { createStore } from '@fixpoint/ui/lib/store.ts';
import { useEffect } from 'react';

/**
 * Text of the overlay that blocks the page for keyboard and screen readers; undefined while the page
 * is free.
 */
export const overlay = createStore<string | undefined>(undefined);

/** Longest time that a step may cover the page, ms: one that hangs must not lock it. */
const LONGEST_MS = 60_000;

/** Covers the page as long as a text is given. */
export function useOverlay(text: string | undefined): void {
  useEffect(() => {
    if (text === undefined) return;
    overlay.set(text);
    const timer = setTimeout(() => overlay.set(undefined), LONGEST_MS);
    return () => {
      clearTimeout(timer);
      overlay.set(undefined);
    };
  }, [text]);
}
