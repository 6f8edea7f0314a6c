import { type ReactNode, startTransition, useLayoutEffect, useState } from 'react';
import { UNSAFE_createHashHistory as createHashHistory, type NavigationType, Router } from 'react-router';

const history = createHashHistory({ window, v5Compat: true });

/** Whether a link made the entry of the address: it has no mark yet, an entry that was gone back to has one. */
function markEntry(): boolean {
  if (window.history.state) return false;
  window.history.replaceState({ seen: true }, '');
  return true;
}

/**
 * The library's `HashRouter`, written out: taking it from there brings its links, forms and prefetching along, 4 kB
 * of the first route that nothing here uses (links are plain `<a href="#/…">`). The history has no stable name in the
 * library, whose version is pinned. A new address is shown as a transition: the screen before stays until it is there.
 */
export function HashRouter({ children }: { children: ReactNode }) {
  const [state, setState] = useState({
    action: history.action as `${NavigationType}`,
    location: history.location,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins to listen once
  useLayoutEffect(() => {
    const follow = ({ action, location }: Pick<typeof history, 'action' | 'location'>) => {
      const byLink = action === 'POP' && markEntry();
      const show = () => startTransition(() => setState({ action: byLink ? 'PUSH' : action, location }));
      // The way back is drawn at once, so that the browser finds the height that it scrolls to. A link's screen may
      // still be on its way: React would draw it at once as well, and empty, while the browser tells of the address.
      if (byLink) setTimeout(show);
      else show();
    };
    const stop = history.listen(follow);
    // A link of the first sight may have been followed while this was drawn.
    if (history.createHref(history.location) !== history.createHref(state.location)) follow(history);
    return stop;
  }, []);
  return (
    <Router location={state.location} navigationType={state.action as NavigationType} navigator={history}>
      {children}
    </Router>
  );
}
