import { isDefinite } from '@fixpoint/web-client/faults.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, session } from './api.ts';
import { useLoggedIn } from './shop-state.ts';

export const profileQuery = queryOptions({ queryKey: ['profile'], queryFn: loadProfile });

/** Profile of the customer; undefined for a visitor and while loading. */
export function useProfile() {
  const loggedIn = useLoggedIn();
  return useQuery({ ...profileQuery, enabled: loggedIn });
}

/** A definite refusal ends the session, a transient fault does not. */
async function loadProfile() {
  try {
    return await api.auth.profile({});
  } catch (error) {
    if (isDefinite(error)) session.end();
    throw error;
  }
}
