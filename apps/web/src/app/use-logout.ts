import { useMutation } from '@tanstack/react-query';
import { api, session } from '../lib/api.ts';

/** Log out: only the server's success clears this browser (spec section 4); the login page follows by itself. */
export function useLogout(): () => void {
  const logout = useMutation({
    mutationFn: () => api.auth.logout({ body: {} }),
    onSuccess: () => session.leave(),
  });
  return () => logout.mutate();
}
