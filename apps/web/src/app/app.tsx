import { chunksLoading, lazyComponent } from '@fixpoint/ui/lib/chunk.ts';
import { ErrorBoundary } from '@fixpoint/ui/lib/error-boundary.tsx';
import { lazyPart } from '@fixpoint/ui/lib/lazy-part.tsx';
import { settle, useSettled } from '@fixpoint/ui/lib/settled.ts';
import { useStore } from '@fixpoint/ui/lib/store.ts';
import { OverlayLoader, ProgressBar } from '@fixpoint/ui/progress.tsx';
import { SkipLink } from '@fixpoint/ui/shell.tsx';
import { SnackbarHost } from '@fixpoint/ui/snackbar.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { Outlet, useLocation, useNavigate, useRoutes } from 'react-router';
import { pathWithLanguage } from '../routing/language.ts';
import { session } from '../server/api.ts';
import { queryClient } from '../server/query.ts';
import { useLoggedIn } from '../server/shop-state.ts';
import { Redirect, usePath, useRouteLanguage } from '../shop/links.ts';
import { overlay } from '../shop/overlay.ts';
import { showError, snacks } from '../shop/snack.ts';
import { showLanguage, useText } from '../shop/texts.ts';
import { LOGIN } from './guard.ts';
import { HashRouter } from './hash-router.tsx';
import { layoutParts } from './layout-parts.ts';
import { DefaultLayout } from './layouts/default.tsx';
import { MaintenanceNotice } from './notices.tsx';
import { ScreenError } from './screen-error.tsx';
import { screenOf } from './screen-of.ts';
import { screenElement } from './screen-route.tsx';
import { type Layout, screens } from './screens.ts';
import { TopBar } from './top-bar.tsx';
import { usePrefetch } from './use-prefetch.ts';

const layouts: Record<Layout, ComponentType> = {
  default: DefaultLayout,
  login: lazy(lazyComponent(layoutParts.login, layout => layout)),
  dashboard: lazy(lazyComponent(layoutParts.dashboard, layout => layout)),
};

const AccountLive = lazyPart(async () => (await import('../features/live/account-live.tsx')).AccountLive);

/** Gallery of all components in all states; in development only. */
const Gallery = import.meta.env.DEV
  ? lazy(async () => ({ default: (await import('../screens/dev/ui-gallery.tsx')).UiGallery }))
  : undefined;
const gallery = Gallery && (
  <Suspense>
    <Gallery />
  </Suspense>
);

/** Created once: a new component type would mount its screen from scratch. */
const routes = new Map(
  screens.map(screen => {
    const Layout = layouts[screen.layout];
    const content = { path: screen.path, element: screenElement(screen) };
    return [
      screen,
      {
        path: '/:language',
        element: <WithTopBar />,
        children: [{ element: <Layout />, children: [content] }],
      },
    ];
  }),
);
const notFound = screens.find(({ path }) => path === '*')!;

/** The whole page. Needs configuration and texts. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <HashRouter>
        <Frame />
      </HashRouter>
    </QueryClientProvider>
  );
}

/** Opens the login page when a session ends on a public screen, too. */
function useLoginAfterSession() {
  const navigate = useNavigate();
  const path = usePath();
  const { pathname, search, hash } = useLocation();
  const login = path(LOGIN);
  const from = `${pathname}${search}${hash}`;
  useEffect(() => {
    let token = session.token.get();
    return session.token.subscribe(() => {
      const ended = token !== '' && session.token.get() === '';
      token = session.token.get();
      // After an expired session the login leads back; after a log-out by the user it does not.
      if (ended) navigate(login, { replace: true, state: session.wasLoggedOut() ? null : { from } });
    });
  }, [navigate, login, from]);
}

// Components of their own, so that their frequent changes do not render the whole page.

function Progress() {
  const t = useText();
  return <ProgressBar active={useStore(chunksLoading) > 0} label={t('app.loading')} />;
}

function Cover() {
  const label = useStore(overlay);
  return <OverlayLoader active={label !== undefined} label={label ?? ''} />;
}

/** The live connection of a customer, on every page: maintenance and changes of subscriptions. */
function Live() {
  const [loggedIn, settled] = [useLoggedIn(), useSettled()];
  return loggedIn && settled ? <AccountLive /> : null;
}

/**
 * Fallback for a layout that fails to load; a failed screen is shown within its layout
 * (screen-route.tsx).
 */
const fault = (
  <main id="main" tabIndex={-1}>
    <ScreenError />
  </main>
);

/** One top bar above all layouts, so that an open menu survives a change of screen. */
function WithTopBar() {
  return (
    <>
      <TopBar />
      <ErrorBoundary resetKey={useLocation().pathname} fallback={fault}>
        <Suspense>
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </>
  );
}

function Screens() {
  const { pathname } = useLocation();
  // Not found also where the router does not match what was found: no address may be an empty page.
  const found = [routes.get(screenOf(pathname) ?? notFound)!, routes.get(notFound)!];
  return useRoutes(gallery ? [{ path: '/:language/_ui', element: gallery }, ...found] : found);
}

function Frame() {
  useLoginAfterSession();
  usePrefetch();
  useEffect(() => void settle(), []);
  const t = useText();
  const location = useLocation();
  const { pathname, search, hash } = location;
  const language = useRouteLanguage();
  // Depends on the whole location: each navigation retries texts that failed to load.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation retries
  useEffect(() => {
    showLanguage(language).catch(showError);
  }, [language, location]);

  const target = pathWithLanguage(pathname, document.cookie, navigator.languages);
  if (target) return <Redirect to={{ pathname: target, search, hash }} />;
  return (
    <>
      <SkipLink target="main">{t('app.skip')}</SkipLink>
      <Progress />
      <MaintenanceNotice />
      <Cover />
      <Screens />
      <Live />
      <SnackbarHost
        store={snacks}
        dismissLabel={t('app.snack.dismiss')}
        typeLabel={type => t(`app.snack.${type}`)}
      />
    </>
  );
}
