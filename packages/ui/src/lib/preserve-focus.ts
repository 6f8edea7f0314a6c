import { headlineOf } from './headline.ts';

/**
 * Moves the focus to the headline of the same section when the focused element is removed, so that
 * the keyboard does not start again at the top. A new screen handles its own focus.
 */
export function preserveFocus(root: HTMLElement): void {
  let last: { element: Element; parts: HTMLElement[] } | undefined;
  root.addEventListener('focusin', ({ target }) => {
    const element = target as Element;
    const parts: HTMLElement[] = [];
    for (let part = element.closest('section'); part; part = part.parentElement?.closest('section') ?? null)
      parts.push(part);
    last = { element, parts };
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
    const part = last.parts.find(({ isConnected }) => isConnected);
    last = undefined;
    if (part) headlineOf(part).focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true });
}
