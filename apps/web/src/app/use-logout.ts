import { useAction } from '@fixpoint/web-client/use-action.ts';
import { api, session } from '../server/api.ts';
import { overlay } from './overlay.ts';

/** Logs out. Clears this browser only when the server has confirmed; the login page follows. */
export function useLogout(): () => void {
  const logout = useAction(async () => {
    overlay.set(true);
    try {
      await api.auth.logout({ body: {} });
      session.logOut();
    } finally {
      overlay.set(false);
    }
  });
  return logout.run;
}
