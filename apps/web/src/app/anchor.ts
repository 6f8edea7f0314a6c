import { headlineOf } from '@fixpoint/ui/lib/headline.ts';

/** How long a page may grow above the anchor before it is left where it is, in milliseconds. */
const SETTLE_MS = 5000;

const reader = ['wheel', 'touchstart', 'keydown', 'pointerdown'];

/**
 * Scrolls to an element of the page and gives its headline the focus (anchors `#FAQ`, `#how-to`, `#support`, spec
 * section 2). What is still loading above it would push it away, or it is not there yet itself: it is followed until
 * the page is settled or the reader moves by himself. Returns what stops that.
 */
export function arriveAtAnchor(id: string, { smooth }: { smooth: boolean }): () => void {
  const still = !smooth || window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  let arrived = false;
  const align = () => {
    const target = document.getElementById(id);
    if (!target) return;
    target.scrollIntoView({ behavior: still ? 'instant' : 'smooth' });
    if (arrived) return;
    arrived = true;
    headlineOf(target).focus({ preventScroll: true });
  };
  const growth = new ResizeObserver(align);
  const stop = () => {
    growth.disconnect();
    clearTimeout(timer);
    for (const event of reader) window.removeEventListener(event, stop);
  };
  const timer = setTimeout(stop, SETTLE_MS);
  for (const event of reader) window.addEventListener(event, stop, { passive: true });
  growth.observe(document.querySelector('main') ?? document.body);
  align();
  return stop;
}
