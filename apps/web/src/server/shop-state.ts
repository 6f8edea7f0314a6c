import { useSettled } from '@fixpoint/ui/lib/settled.ts';
import { useStore } from '@fixpoint/ui/lib/store.ts';
import { useQuery } from '@tanstack/react-query';
import { api, session } from './api.ts';

export const useLoggedIn = (): boolean => useStore(session.token) !== '';

export const MAINTENANCE_KEY = ['maintenance'];

/** True while buying is blocked: asked every minute and by who comes back to the page. */
export function useMaintenance(): boolean {
  const status = useQuery({
    queryKey: MAINTENANCE_KEY,
    queryFn: () => api.text.getMaintainerStatus({}),
    enabled: useSettled(),
    refetchInterval: 60_000,
    refetchOnWindowFocus: 'always',
  });
  return status.data === 'MAINTENANCE';
}
