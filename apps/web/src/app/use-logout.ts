import { useMutation } from '@tanstack/react-query';
import { api, session } from '../lib/api.ts';
import { overlay } from '../lib/overlay.ts';

/** Log out: only the server's success clears this browser (W36); the login page follows by itself. */
export function useLogout(): () => void {
  const logout = useMutation({
    mutationFn: () => api.auth.logout({ body: {} }),
    onMutate: () => overlay.set(true),
    onSuccess: () => session.leave(),
    onSettled: () => overlay.set(false),
  });
  return () => logout.mutate();
}
