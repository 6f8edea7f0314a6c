import { layoutParts } from './layout-parts.ts';
import { readyScreens } from './ready-screens.ts';
import { screenOf, signs } from './screen-of.ts';

const link = 'a[href^="#/"]';
/** Links that most visitors follow; those of the footer wait until somebody means them. */
const mainLinks = `header ${link}, main ${link}`;

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Brings the parts of a screen beforehand. A failure says nothing: the visit itself asks again. */
function bringScreen(element: Element) {
  const screen = screenOf(element.getAttribute('href') ?? '');
  if (!screen || savesData()) return undefined;
  Promise.all([readyScreens[screen.path] ?? screen.load(), layoutParts[screen.layout]()]).catch(
    () => undefined,
  );
  return screen;
}

function meant(event: Event) {
  const element = event.target instanceof Element ? event.target.closest(link) : null;
  const screen = element && bringScreen(element);
  if (screen) readyScreens[screen.path]?.prepare();
}

/**
 * The next screen is there before it is asked for: by pointer, by focus, and for main links as soon as they are seen
 * and the page has nothing better to do. Visitors who save data are left alone. Returns what stops it.
 * @param first the sign of the visitor that came before this was there
 */
export function followLinks(first?: Event): () => void {
  for (const sign of signs) document.addEventListener(sign, meant, { passive: true });
  if (first) meant(first);
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
    for (const sign of signs) document.removeEventListener(sign, meant);
    clearTimeout(timer);
    seen.disconnect();
  };
}
