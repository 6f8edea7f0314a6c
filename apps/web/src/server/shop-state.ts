import { shared } from '@fixpoint/ui/lib/chunk.ts';
import { useSettled } from '@fixpoint/ui/lib/settled.ts';
import { useStore } from '@fixpoint/ui/lib/store.ts';
import { isDefinite } from '@fixpoint/web-client/faults.ts';
import { useEffect } from 'react';
import { api, session } from './api.ts';
import { answerStatus, shopStatus } from './shop-status.ts';

export const useLoggedIn = (): boolean => useStore(session.token) !== '';

/** Asks for the shop's status. A definite refusal ends the session, as that of the profile does. */
const askStatus = shared(async () => {
  const askedAt = performance.now();
  try {
    answerStatus(await api.text.getMaintainerStatus({}), askedAt);
  } catch (error) {
    if (isDefinite(error)) session.end();
  }
});

/**
 * Whether maintenance blocks purchases. Asked for where it is used first, so at every control that
 * buys, and when the window comes back into view; in between every answer tells (`shop-status.ts`).
 */
export function useMaintenance(): boolean {
  const settled = useSettled();
  useEffect(() => {
    if (!settled) return;
    void askStatus();
    const onReturn = () => document.visibilityState === 'visible' && void askStatus();
    window.addEventListener('focus', onReturn);
    window.addEventListener('visibilitychange', onReturn);
    return () => {
      window.removeEventListener('focus', onReturn);
      window.removeEventListener('visibilitychange', onReturn);
    };
  }, [settled]);
  return useStore(shopStatus) === 'MAINTENANCE';
}
