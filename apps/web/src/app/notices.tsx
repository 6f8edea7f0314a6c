import { Banner } from '@fixpoint/ui/alert.tsx';
import { useSyncExternalStore } from 'react';
import { useMaintenance } from '../server/shop-state.ts';
import { useText } from '../shop/texts.ts';

function onConnectionChange(listener: () => void) {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** In the top bar, which stays visible while the page scrolls. */
export function OfflineNotice() {
  const t = useText();
  const online = useSyncExternalStore(onConnectionChange, () => navigator.onLine);
  return online ? null : <Banner type="warning">{t('app.offline')}</Banner>;
}

/** Above every screen. Maintenance blocks purchases, not the account area. */
export function MaintenanceNotice() {
  const t = useText();
  return useMaintenance() ? <Banner type="warning">{t('app.maintenance')}</Banner> : null;
}
