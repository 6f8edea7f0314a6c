import { useEffect, useRef } from 'react';

/**
 * A new step of the same screen is arrived at like a new screen: its headline takes the focus, so that readers say it
 * and the keyboard goes on from there. Not for a step that focuses its own field.
 */
export function useStepArrival(step: string, focusesItself: boolean) {
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    if (!focusesItself) document.querySelector<HTMLElement>('main h1')?.focus();
  }, [step, focusesItself]);
}
