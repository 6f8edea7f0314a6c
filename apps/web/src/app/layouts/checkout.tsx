import { lazyPart } from '@fixpoint/ui/lib/lazy-part.tsx';
import { useSettled } from '@fixpoint/ui/lib/settled.ts';
import { Outlet } from 'react-router';

const CheckoutFooter = lazyPart(async () => (await import('../checkout-footer.tsx')).CheckoutFooter);

/** The order page alone: only the logo leads away from it. Its bar has help and the language. */
export function CheckoutLayout() {
  const settled = useSettled();
  return (
    <>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      {settled && <CheckoutFooter />}
    </>
  );
}
