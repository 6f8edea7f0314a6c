import { lazy, Suspense } from 'react';
import { Outlet } from 'react-router';
import { lazyComponent } from '../../lib/chunk.ts';
import { useSettled } from '../../lib/settled.ts';
import { TopBar } from '../top-bar.tsx';

const ShopFooter = lazy(lazyComponent(async () => (await import('../shop-footer.tsx')).ShopFooter));

/** Top bar, screen, footer, which stands below the first sight and comes after it. */
export function DefaultLayout() {
  const settled = useSettled();
  return (
    <>
      <TopBar />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Suspense>{settled && <ShopFooter />}</Suspense>
    </>
  );
}
