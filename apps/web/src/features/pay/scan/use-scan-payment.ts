import { useEffect, useRef, useState } from 'react';
import type { OpenPayment, PayDesk } from '../../../shop/pay-method.ts';
import { showError } from '../../../shop/snack.ts';
import { nextShown, type Shown } from './shown.ts';

/** Whoever pays in an app comes back to a page that has slept; also without news it is asked this often. */
const ASK_MS = 20_000;

/** A price that nobody pays is not asked for all day long: so often it is renewed by itself, an hour in all. */
const RENEWALS = 3;

/** A payment that is scanned: follows what the server hears of it until the order page takes over. */
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
        // Asked again soon; the code on the screen is still good.
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
    /** Whether what is shown took the place of something whose time had ended. */
    isRenewed: renewed > 0,
    /** Without a press, while somebody looks; undefined when that was done often enough. */
    renewByItself:
      renewed < RENEWALS
        ? async () => {
            const done = await renew();
            setRenewed(done ? renewed + 1 : RENEWALS);
          }
        : undefined,
  };
}
