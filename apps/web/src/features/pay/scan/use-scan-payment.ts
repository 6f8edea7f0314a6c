import { useEffect, useRef, useState } from 'react';
import type { OpenPayment, PayDesk } from '../../../shop/pay-method.ts';
import { showError } from '../../../shop/snack.ts';
import { nextShown, type Shown } from './shown.ts';

/** Polling interval, ms. Customers pay in another app, and this page may sleep meanwhile. */
const ASK_MS = 20_000;

/**
 * Maximum number of automatic renewals, about an hour, so that no abandoned page renews all day.
 */
const RENEWALS = 3;

/** Follows a scanned payment on the server until the order page takes over. */
export function useScanPayment(desk: PayDesk) {
  const [shown, setShown] = useState<Shown>(() => nextShown(undefined, desk.payment, Date.now()));
  const [busy, setBusy] = useState(false);
  const [renewed, setRenewed] = useState(0);
  const asking = useRef(false);
  const show = (payment: OpenPayment | undefined) => setShown(now => nextShown(now, payment, Date.now()));

  // biome-ignore lint/correctness/useExhaustiveDependencies: the desk is the same for as long as this stands
  useEffect(() => {
    const ask = async () => {
      if (asking.current || document.visibilityState === 'hidden') return;
      asking.current = true;
      try {
        show(await desk.ask());
      } catch {
        // Retried soon; the code on the screen stays valid.
      } finally {
        asking.current = false;
      }
    };
    const timer = setInterval(ask, ASK_MS);
    const deaf = desk.listen(() => void ask());
    document.addEventListener('visibilitychange', ask);
    return () => {
      clearInterval(timer);
      deaf();
      document.removeEventListener('visibilitychange', ask);
    };
  }, []);

  async function renew() {
    setBusy(true);
    try {
      show(await desk.renew());
      return true;
    } catch (error) {
      showError(error);
      return false;
    } finally {
      setBusy(false);
    }
  }

  return {
    shown,
    busy,
    renew,
    /** Whether the payment replaces an expired one. */
    isRenewed: renewed > 0,
    /** Renews without a click while the page is visible; undefined after the maximum. */
    renewByItself:
      renewed < RENEWALS
        ? async () => {
            const done = await renew();
            setRenewed(done ? renewed + 1 : RENEWALS);
          }
        : undefined,
  };
}
