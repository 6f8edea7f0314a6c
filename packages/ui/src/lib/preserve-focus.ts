import { type FocusPlace, focusPlaceOf, headlineNear } from './focus-place.ts';

/**
 * Moves the focus to the headline of the same section when the focused element is removed, so that
 * the keyboard does not start again at the top. A new screen handles its own focus.
 */
export function preserveFocus(root: HTMLElement): void {
  let last: FocusPlace | undefined;
  root.addEventListener('focusin', ({ target }) => {
    last = focusPlaceOf(target as HTMLElement);
  });
  // A click beside everything clears the focus on purpose. Some browsers also fire `focusout` on
  // removal.
  root.addEventListener('focusout', ({ target }) =>
    queueMicrotask(() => {
      if (last?.element === target && last.element.isConnected) last = undefined;
    }),
  );
  new MutationObserver(() => {
    if (!last || last.element.isConnected || document.activeElement !== document.body) return;
    const headline = headlineNear(last);
    last = undefined;
    headline?.focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true });
}
