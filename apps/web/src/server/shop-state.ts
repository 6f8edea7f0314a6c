import { useQuery } from '@tanstack/react-query';
import { Refusal } from '../lib/faults.ts';
import { useSettled } from '../lib/settled.ts';
import { useStore } from '../lib/store.ts';
import { api, session } from './api.ts';

export const useLoggedIn = (): boolean => useStore(session.token) !== '';

/** The customer who is logged in; undefined for a visitor and until it has arrived. */
export function useProfile() {
  const loggedIn = useLoggedIn();
  return useQuery({ queryKey: ['profile'], queryFn: loadProfile, enabled: loggedIn });
}

/** A definite refusal ends the session, a passing fault does not (W37, A8). */
async function loadProfile() {
  try {
    return await api.auth.profile({});
  } catch (error) {
    if (error instanceof Refusal && (error.status === 401 || error.status === 403)) session.end();
    throw error;
  }
}

export const MAINTENANCE_KEY = ['maintenance'];

/** True while buying is blocked (W7): asked every minute and by who comes back to the page. */
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
