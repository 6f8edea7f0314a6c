import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** False until the first screen has been shown: the browser has placed the focus for that one. */
let arrivedBefore = false;

/**
 * What a browser does by itself for a new page and a hash router does not (ux.md 12): the title, the focus on the
 * headline (which is then read out), the scroll position. Call it where the screen is drawn.
 */
export function useRouteArrival(title: string) {
  const { pathname, hash } = useLocation();
  const isBack = useNavigationType() === 'POP';
  const shownPath = useRef<string>(undefined);

  useEffect(() => {
    document.title = title;
  }, [title]);

  useEffect(() => {
    const isNewScreen = shownPath.current !== pathname;
    shownPath.current = pathname;
    const isFirst = !arrivedBefore;
    arrivedBefore = true;
    const anchor = hash ? document.getElementById(hash.slice(1)) : null;
    if (anchor) {
      anchor.scrollIntoView();
      return;
    }
    if (!isNewScreen || isFirst) return;
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    if (!isBack) window.scrollTo(0, 0);
  }, [pathname, hash, isBack]);
}
