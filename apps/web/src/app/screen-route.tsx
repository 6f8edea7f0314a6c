import { lazyComponent } from '@fixpoint/ui/lib/chunk.ts';
import { ErrorBoundary } from '@fixpoint/ui/lib/error-boundary.tsx';
import { useStore } from '@fixpoint/ui/lib/store.ts';
import { type ComponentType, lazy, type ReactNode, useState } from 'react';
import { useLocation } from 'react-router';
import { pathBelowLanguage } from '../routing/language.ts';
import { session } from '../server/api.ts';
import { config } from '../server/config.ts';
import { Redirect, usePath } from '../shop/links.ts';
import { useText } from '../shop/texts.ts';
import { guardTarget } from './guard.ts';
import { readyScreens } from './ready-screens.ts';
import { useRouteArrival } from './route-arrival.ts';
import { ScreenError } from './screen-error.tsx';
import type { ScreenEntry } from './screens.ts';

/** One line of the table of screens as an element: guard, code, title, and what to show when it fails. */
export function screenElement(screen: ScreenEntry): ReactNode {
  const Content =
    readyScreens[screen.path]?.Screen ?? lazy(lazyComponent(screen.load, module => module.Screen));
  return <ScreenRoute screen={screen} Content={Content} />;
}

type Props = { screen: ScreenEntry; Content: ComponentType };

function ScreenRoute(props: Props) {
  const { pathname } = useLocation();
  return (
    // The same screen in another language keeps what was typed on it.
    <ErrorBoundary key={pathBelowLanguage(pathname)} fallback={<ScreenError />}>
      <Guarded {...props} />
    </ErrorBoundary>
  );
}

function Guarded({ screen, Content }: Props) {
  const { pathname, search, hash } = useLocation();
  const path = usePath();
  const loggedIn = useStore(session.token) !== '';
  // Logging in on a page for guests is not "opening" it: the page itself then decides where to go.
  const [cameLoggedIn] = useState(loggedIn);
  const target = guardTarget(screen.guard, screen.guard === 'guestOnly' ? cameLoggedIn : loggedIn);
  if (target) {
    // Who logs out on this screen does not want to be led back to it.
    const state = cameLoggedIn && session.wasLeft() ? null : { from: `${pathname}${search}${hash}` };
    return <Redirect to={path(target)} state={state} />;
  }
  return (
    // No boundary of its own for loading: the screen before stays until this one is there.
    <>
      <Content />
      <Arrival screen={screen} />
    </>
  );
}

/** Drawn after the screen, so that its headline is there to take the focus. */
function Arrival({ screen }: { screen: ScreenEntry }) {
  const t = useText();
  useRouteArrival(`${t(screen.title)} · ${config().BRAND_NAME}`);
  return null;
}
