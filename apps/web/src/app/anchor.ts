import { headlineOf } from '@fixpoint/ui/lib/headline.ts';

/** How long the scroll position follows content that grows above the anchor, ms. */
const SETTLE_MS = 5000;

const userEvents = ['wheel', 'touchstart', 'keydown', 'pointerdown'];

/**
 * Scrolls to an element and focuses its headline (anchors `#FAQ`, `#how-to`, `#support`). Content
 * above may still be loading, so the position is followed for a while, or until the user scrolls.
 * Returns a function that stops it.
 */
export function arriveAtAnchor(id: string, { smooth }: { smooth: boolean }): () => void {
  const instant = !smooth || window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  let arrived = false;
  const align = () => {
    const target = document.getElementById(id);
    if (!target) return;
    target.scrollIntoView({ behavior: instant ? 'instant' : 'smooth' });
    if (arrived) return;
    arrived = true;
    headlineOf(target).focus({ preventScroll: true });
  };
  const growth = new ResizeObserver(align);
  const stop = () => {
    growth.disconnect();
    clearTimeout(timer);
    for (const event of userEvents) window.removeEventListener(event, stop);
  };
  const timer = setTimeout(stop, SETTLE_MS);
  for (const event of userEvents) window.addEventListener(event, stop, { passive: true });
  growth.observe(document.querySelector('main') ?? document.body);
  align();
  return stop;
}
