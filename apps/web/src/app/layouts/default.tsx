import { Outlet } from 'react-router';
import { ShopFooter } from '../shop-footer.tsx';
import { TopBar } from '../top-bar.tsx';

/** Top bar, screen, footer. */
export function DefaultLayout() {
  return (
    <>
      <TopBar />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <ShopFooter />
    </>
  );
}
