import { layoutParts } from './layout-parts.ts';
import { readyScreens } from './ready-screens.ts';
import { intentEvents, screenOf } from './screen-of.ts';

const link = 'a[href^="#/"]';
/** Links that most visitors follow; those of the footer wait for a hover or focus. */
const mainLinks = `header ${link}, main ${link}`;

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Preloads a screen. Failures are ignored: the visit itself tries again. */
function preloadScreen(element: Element) {
  const screen = screenOf(element.getAttribute('href') ?? '');
  if (!screen || savesData()) return undefined;
  Promise.all([readyScreens[screen.path] ?? screen.load(), layoutParts[screen.layout]()]).catch(
    () => undefined,
  );
  return screen;
}

function onIntent(event: Event) {
  const element = event.target instanceof Element ? event.target.closest(link) : null;
  const screen = element && preloadScreen(element);
  if (screen) readyScreens[screen.path]?.prepare();
}

/**
 * Preloads the next screen: on hover, focus or touch, and for main links once they are visible.
 * Does nothing for visitors who save data. Returns a function that stops it.
 * @param first the event that came before this module was loaded
 */
export function prefetchLinks(first?: Event): () => void {
  for (const event of intentEvents) document.addEventListener(event, onIntent, { passive: true });
  if (first) onIntent(first);
  const seen = new IntersectionObserver(entries => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      preloadScreen(target);
    }
  });
  const observe = () => {
    for (const element of document.querySelectorAll(mainLinks)) seen.observe(element);
  };
  // No requestIdleCallback: Safari lacks it, and content loaded first adds links of its own.
  const timer = setTimeout(observe, 1500);
  return () => {
    for (const event of intentEvents) document.removeEventListener(event, onIntent);
    clearTimeout(timer);
    seen.disconnect();
  };
}
