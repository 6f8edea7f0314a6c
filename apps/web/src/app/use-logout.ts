import { useAction } from '@fixpoint/web-client/use-action.ts';
import { api, session } from '../server/api.ts';
import { overlay } from './overlay.ts';

/** Log out: only the server's success clears this browser; the login page follows by itself. */
export function useLogout(): () => void {
  const logout = useAction(async () => {
    overlay.set(true);
    try {
      await api.auth.logout({ body: {} });
      session.leave();
    } finally {
      overlay.set(false);
    }
  });
  return logout.run;
}
