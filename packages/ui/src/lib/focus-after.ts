import { type RefObject, useRef } from 'react';
import { flushSync } from 'react-dom';

/**
 * Moves the focus to the element of `ref` when a change removes the focused one.
 * @returns `after` applies the change synchronously, so that the element exists
 */
export function useFocusAfter<T extends HTMLElement = HTMLButtonElement>(): {
  ref: RefObject<T | null>;
  after(change: () => void): void;
} {
  const ref = useRef<T>(null);
  return {
    ref,
    after(change) {
      flushSync(change);
      ref.current?.focus();
    },
  };
}
