import { useInSight } from '@fixpoint/ui/lib/in-sight.ts';
import { useEffect, useRef, useState } from 'react';
import type { OpenPayment, PaymentHandle } from '../../../shop/pay-method.ts';
import { showError } from '../../../shop/snack.ts';
import { nextScanState, type ScanState } from './scan-state.ts';

/** Polling interval, ms. Customers pay in another app, and this page may sleep meanwhile. */
const POLL_MS = 20_000;

/**
 * Maximum number of automatic renewals, about an hour, so that no abandoned page renews all day.
 */
const MAX_RENEWALS = 3;

/** Follows a scanned payment on the server until the order page takes over. */
export function useScanPayment(handle: PaymentHandle) {
  const inSight = useInSight();
  const [shown, setShown] = useState<ScanState>(() => nextScanState(undefined, handle.payment, Date.now()));
  const [busy, setBusy] = useState(false);
  const [renewed, setRenewed] = useState(0);
  const polling = useRef(false);
  const show = (payment: OpenPayment | undefined) => setShown(now => nextScanState(now, payment, Date.now()));

  // biome-ignore lint/correctness/useExhaustiveDependencies: the handle does not change while mounted
  useEffect(() => {
    const ask = async () => {
      if (polling.current || document.visibilityState === 'hidden') return;
      polling.current = true;
      try {
        show(await handle.ask());
      } catch {
        // Retried soon; the code on the screen stays valid.
      } finally {
        polling.current = false;
      }
    };
    const timer = setInterval(ask, POLL_MS);
    const unsubscribe = handle.subscribe(() => void ask());
    document.addEventListener('visibilitychange', ask);
    return () => {
      clearInterval(timer);
      unsubscribe();
      document.removeEventListener('visibilitychange', ask);
    };
  }, []);

  async function renew() {
    setBusy(true);
    try {
      show(await handle.renew());
      return true;
    } catch (error) {
      if (inSight()) showError(error);
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
    autoRenew:
      renewed < MAX_RENEWALS
        ? async () => {
            const done = await renew();
            setRenewed(done ? renewed + 1 : MAX_RENEWALS);
          }
        : undefined,
  };
}
