import { lazyComponent } from '@fixpoint/ui/lib/chunk.ts';
import { ErrorBoundary } from '@fixpoint/ui/lib/error-boundary.tsx';
import { useStore } from '@fixpoint/ui/lib/store.ts';
import { type ComponentType, lazy, type ReactNode, useState } from 'react';
import { useLocation } from 'react-router';
import { pathBelowLanguage } from '../routing/language.ts';
import { session } from '../server/api.ts';
import { config } from '../server/config.ts';
import { Redirect, usePath } from '../shop/links.ts';
import { screenTitle } from '../shop/screen-title.ts';
import { useText } from '../shop/texts.ts';
import { guardOf, guardTarget } from './guard.ts';
import { readyScreens } from './ready-screens.ts';
import { useRouteArrival } from './route-arrival.ts';
import { ScreenError } from './screen-error.tsx';
import type { ScreenEntry } from './screens.ts';

/** Creates the element of a screen: guard, lazy code, title and error fallback. */
export function screenElement(screen: ScreenEntry): ReactNode {
  const Content =
    readyScreens[screen.path]?.Screen ?? lazy(lazyComponent(screen.load, module => module.Screen));
  return <ScreenRoute screen={screen} Content={Content} />;
}

type Props = { screen: ScreenEntry; Content: ComponentType };

function ScreenRoute(props: Props) {
  const { pathname } = useLocation();
  return (
    // Keeps the input when only the language changes.
    <ErrorBoundary key={pathBelowLanguage(pathname)} fallback={<ScreenError />}>
      <Guarded {...props} />
    </ErrorBoundary>
  );
}

function Guarded({ screen, Content }: Props) {
  const { pathname, search, hash } = useLocation();
  const path = usePath();
  const loggedIn = useStore(session.token) !== '';
  // A login on a guest-only page does not count as opening it: the page itself navigates on.
  const [cameLoggedIn] = useState(loggedIn);
  const guard = guardOf(pathBelowLanguage(pathname), screen.guard);
  const target = guardTarget(guard, guard === 'guestOnly' ? cameLoggedIn : loggedIn);
  if (target) {
    // After a log-out by the user, the next login does not lead back here.
    const state = cameLoggedIn && session.wasLoggedOut() ? null : { from: `${pathname}${search}${hash}` };
    return <Redirect to={path(target)} state={state} />;
  }
  return (
    // No Suspense of its own: the old screen stays until this one is ready.
    <>
      <Content />
      <Arrival screen={screen} />
    </>
  );
}

/** Rendered after the screen, so that its headline exists and can take the focus. */
function Arrival({ screen }: { screen: ScreenEntry }) {
  const t = useText();
  const title = useStore(screenTitle) ?? t(screen.title);
  useRouteArrival(`${title} · ${config().BRAND_NAME}`);
  return null;
}
