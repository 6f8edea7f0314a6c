import { type RefObject, useRef } from 'react';
import { flushSync } from 'react-dom';

/**
 * For a change that takes away what has the focus: it goes to the element of `ref` instead of nowhere.
 * @returns `after` makes the change at once, so that the element is there
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
