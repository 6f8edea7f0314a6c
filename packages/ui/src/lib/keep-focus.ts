import { headlineOf } from './headline.ts';

/**
 * What takes the focus away with it (a button whose press leaves nothing to press) leaves it to the headline of its part of
 * the page, so that the keyboard goes on from there and not from the top. A new screen sees to its own.
 */
export function keepFocus(root: HTMLElement): void {
  let last: { element: Element; parts: HTMLElement[] } | undefined;
  root.addEventListener('focusin', ({ target }) => {
    const element = target as Element;
    const parts: HTMLElement[] = [];
    for (let part = element.closest('section'); part; part = part.parentElement?.closest('section') ?? null)
      parts.push(part);
    last = { element, parts };
  });
  // Who presses beside everything wants the focus nowhere. Some browsers say the same of what is taken away.
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
