import { type ReactNode, startTransition, useLayoutEffect, useState } from 'react';
import { UNSAFE_createHashHistory as createHashHistory, type NavigationType, Router } from 'react-router';

const history = createHashHistory({ window, v5Compat: true });

/** Whether a link created the current history entry: a new entry has no mark yet. */
function markEntry(): boolean {
  if (window.history.state) return false;
  window.history.replaceState({ seen: true }, '');
  return true;
}

/**
 * Replaces the library's `HashRouter`, which brings 4 kB of unused links, forms and prefetching
 * into the first route. The history has no stable name in the library, so its version is pinned. A
 * new address is shown in a transition: the old screen stays until the new one is ready.
 */
export function HashRouter({ children }: { children: ReactNode }) {
  const [state, setState] = useState({
    action: history.action as `${NavigationType}`,
    location: history.location,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: subscribes once
  useLayoutEffect(() => {
    const follow = ({ action, location }: Pick<typeof history, 'action' | 'location'>) => {
      const byLink = action === 'POP' && markEntry();
      const show = () => startTransition(() => setState({ action: byLink ? 'PUSH' : action, location }));
      // Back navigation renders at once, so that the browser can restore the scroll position. A
      // link's screen may not be loaded yet; rendered inside the browser's event it would be empty,
      // so it waits for the next task.
      if (byLink) setTimeout(show);
      else show();
    };
    const stop = history.listen(follow);
    // A link of the prerendered shell may have been followed before this effect.
    if (history.createHref(history.location) !== history.createHref(state.location)) follow(history);
    return stop;
  }, []);
  return (
    <Router location={state.location} navigationType={state.action as NavigationType} navigator={history}>
      {children}
    </Router>
  );
}
