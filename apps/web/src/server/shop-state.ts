import { useSettled } from '@fixpoint/ui/lib/settled.ts';
import { useStore } from '@fixpoint/ui/lib/store.ts';
import { useQuery } from '@tanstack/react-query';
import { api, session } from './api.ts';

export const useLoggedIn = (): boolean => useStore(session.token) !== '';

export const MAINTENANCE_KEY = ['maintenance'];

/** Whether maintenance blocks purchases. Polled every minute and when the window gets the focus. */
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
