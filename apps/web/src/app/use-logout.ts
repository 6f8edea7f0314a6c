import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { api, session } from '../lib/api.ts';
import { usePath } from '../lib/links.ts';
import { LOGIN } from './guard.ts';

/** Log out: the server ends the session first; only its success clears this browser (spec section 4). */
export function useLogout(): () => void {
  const navigate = useNavigate();
  const path = usePath();
  const logout = useMutation({
    mutationFn: () => api.auth.logout({ body: {} }),
    onSuccess: () => {
      session.end();
      navigate(path(LOGIN));
    },
  });
  return () => logout.mutate();
}
