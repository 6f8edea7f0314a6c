import { useSyncExternalStore } from 'react';
import { useMaintenance } from '../lib/shop-state.ts';
import { useText } from '../lib/texts.ts';
import { Banner } from '../ui/alert.tsx';

function onConnectionChange(listener: () => void) {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** What concerns every screen: maintenance blocks buying, not managing (ux.md 45). */
export function Notices() {
  const t = useText();
  const maintenance = useMaintenance();
  const online = useSyncExternalStore(onConnectionChange, () => navigator.onLine);
  return (
    <>
      {!online && <Banner type="warning">{t('app.offline')}</Banner>}
      {maintenance && <Banner type="warning">{t('app.maintenance')}</Banner>}
    </>
  );
}
