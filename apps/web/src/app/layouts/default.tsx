import { lazyPart } from '@fixpoint/ui/lib/lazy-part.tsx';
import { useSettled } from '@fixpoint/ui/lib/settled.ts';
import { Outlet } from 'react-router';

const ShopFooter = lazyPart(async () => (await import('../shop-footer.tsx')).ShopFooter);

/** Screen and footer. The footer is below the fold and renders later. */
export function DefaultLayout() {
  const settled = useSettled();
  return (
    <>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      {settled && <ShopFooter />}
    </>
  );
}
