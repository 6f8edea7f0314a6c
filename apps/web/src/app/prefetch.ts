import { matchPath } from 'react-router';
import { plansQuery } from '../lib/catalog.ts';
import { queryClient } from '../lib/query.ts';
import { layoutParts } from './layout-parts.ts';
import { type ScreenEntry, screens } from './screens.ts';

const link = 'a[href^="#/"]';
/** Links that most visitors follow; those of the footer wait until somebody means them. */
const mainLinks = `header ${link}, main ${link}`;

/** The screen that a link within the shop leads to. */
function screenOf(href: string): ScreenEntry | undefined {
  const path = href.slice(1).split(/[?#]/)[0] ?? '';
  return screens
    .filter(screen => screen.path !== '*' && matchPath(`/:language/${screen.path}`, path))
    .sort((a, b) => Number(a.path.includes(':')) - Number(b.path.includes(':')))[0];
}

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Brings the parts of a screen beforehand. A failure says nothing: the visit itself asks again. */
function bringScreen(element: Element) {
  const screen = screenOf(element.getAttribute('href') ?? '');
  if (!screen || savesData()) return undefined;
  Promise.all([screen.load(), layoutParts[screen.layout]()]).catch(() => undefined);
  return screen;
}

function meant(event: Event) {
  const element = event.target instanceof Element ? event.target.closest(link) : null;
  if (element && bringScreen(element)?.path === 'get-started') void queryClient.prefetchQuery(plansQuery);
}

/**
 * The next screen is there before it is asked for: by pointer, by focus, and for main links as soon as they are seen
 * and the page has nothing better to do. Visitors who save data are left alone. Returns what stops it.
 */
export function followLinks(): () => void {
  const events = ['pointerover', 'focusin', 'touchstart'];
  for (const event of events) document.addEventListener(event, meant, { passive: true });
  const seen = new IntersectionObserver(entries => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      bringScreen(target);
    }
  });
  const observe = () => {
    for (const element of document.querySelectorAll(mainLinks)) seen.observe(element);
  };
  // Safari has no requestIdleCallback; and what a screen fetches first brings links of its own.
  const timer = setTimeout(observe, 1500);
  return () => {
    for (const event of events) document.removeEventListener(event, meant);
    clearTimeout(timer);
    seen.disconnect();
  };
}
