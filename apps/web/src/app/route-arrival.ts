import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { pathBelowLanguage } from '../routing/language.ts';
import { arriveAtAnchor } from './anchor.ts';

/** False until the first screen has been shown: the browser has placed the focus for that one. */
let arrivedBefore = false;

/**
 * What a browser does by itself for a new page and a hash router does not: the title, the focus on the
 * headline (which is then read out), the scroll position. Call it where the screen is drawn.
 */
export function useRouteArrival(title: string) {
  const location = useLocation();
  const isBack = useNavigationType() === 'POP';
  const shownPath = useRef<string>(undefined);

  useEffect(() => {
    document.title = title;
  }, [title]);

  // The whole location: a link to the anchor that the address names already leads there once more.
  useEffect(() => {
    const { hash } = location;
    const path = pathBelowLanguage(location.pathname);
    const isNewScreen = shownPath.current !== path;
    shownPath.current = path;
    const isFirst = !arrivedBefore;
    arrivedBefore = true;
    if (hash) return arriveAtAnchor(hash.slice(1), { smooth: !isFirst });
    if (!isNewScreen || isFirst) return undefined;
    // Whoever opened a dialog or the drawer meanwhile goes on there; closing it leads to the bar.
    if (!document.activeElement?.closest('[role="dialog"][data-open]'))
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    if (!isBack) window.scrollTo(0, 0);
    return undefined;
  }, [location, isBack]);
}
