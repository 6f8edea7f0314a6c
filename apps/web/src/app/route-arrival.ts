import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { pathBelowLanguage } from '../routing/language.ts';
import { arriveAtAnchor } from './anchor.ts';

/** False until the first screen is shown, whose focus is the browser's. */
let arrivedBefore = false;

/**
 * Does what a browser does for a new page and a hash router does not: title, focus on the headline
 * (so that it is read out), scroll position. Call it where the screen is rendered.
 */
export function useRouteArrival(title: string) {
  const location = useLocation();
  const isBack = useNavigationType() === 'POP';
  const shownPath = useRef<string>(undefined);

  useEffect(() => {
    document.title = title;
  }, [title]);

  // Depends on the whole location: a link to the current anchor scrolls there again.
  useEffect(() => {
    const { hash } = location;
    const path = pathBelowLanguage(location.pathname);
    const isNewScreen = shownPath.current !== path;
    shownPath.current = path;
    const isFirst = !arrivedBefore;
    arrivedBefore = true;
    if (hash) return arriveAtAnchor(hash.slice(1), { smooth: !isFirst });
    if (!isNewScreen || isFirst) return undefined;
    // A dialog that was opened meanwhile keeps the focus; closing it leads to the bar.
    if (!document.activeElement?.closest('[role="dialog"][data-open]'))
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    if (!isBack) window.scrollTo(0, 0);
    return undefined;
  }, [location, isBack]);
}
