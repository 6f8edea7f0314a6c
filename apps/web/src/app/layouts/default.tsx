import { Outlet } from 'react-router';
import { useSettled } from '../../lib/settled.ts';
import { part } from '../../shop/part.tsx';

const ShopFooter = part(async () => (await import('../shop-footer.tsx')).ShopFooter);

/** Screen and footer, which stands below the first sight and comes after it. */
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
