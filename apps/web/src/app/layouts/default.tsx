import { lazy, Suspense } from 'react';
import { Outlet } from 'react-router';
import { lazyComponent } from '../../lib/chunk.ts';
import { useSettled } from '../../lib/settled.ts';

const ShopFooter = lazy(lazyComponent(async () => (await import('../shop-footer.tsx')).ShopFooter));

/** Screen and footer, which stands below the first sight and comes after it. */
export function DefaultLayout() {
  const settled = useSettled();
  return (
    <>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Suspense>{settled && <ShopFooter />}</Suspense>
    </>
  );
}
