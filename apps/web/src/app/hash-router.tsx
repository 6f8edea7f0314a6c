import { type ReactNode, startTransition, useLayoutEffect, useState } from 'react';
import { UNSAFE_createHashHistory as createHashHistory, Router } from 'react-router';

const history = createHashHistory({ window, v5Compat: true });

/**
 * The library's `HashRouter`, written out: taking it from there brings its links, forms and prefetching along, 4 kB
 * of the first route that nothing here uses (links are plain `<a href="#/…">`). The history has no stable name in the
 * library, whose version is pinned. A new address is shown as a transition: the screen before stays until it is there.
 */
export function HashRouter({ children }: { children: ReactNode }) {
  const [state, setState] = useState({ action: history.action, location: history.location });
  useLayoutEffect(() => history.listen(next => startTransition(() => setState(next))), []);
  return (
    <Router location={state.location} navigationType={state.action} navigator={history}>
      {children}
    </Router>
  );
}
