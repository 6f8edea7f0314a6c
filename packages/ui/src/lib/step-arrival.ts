import { useEffect, useRef } from 'react';

/**
 * Focuses the headline when a screen shows its next step, like a new screen does, so that screen
 * readers announce it. Not for a step that focuses a field of its own.
 */
export function useStepArrival(step: string, focusesItself: boolean) {
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    if (!focusesItself) document.querySelector<HTMLElement>('main h1')?.focus();
  }, [step, focusesItself]);
}
