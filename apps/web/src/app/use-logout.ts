import { useAction } from '@fixpoint/web-client/use-action.ts';
import { api, session } from '../server/api.ts';
import { overlay } from '../shop/overlay.ts';
import { translate } from '../shop/texts.ts';

/** Logs out. Clears this browser only when the server has confirmed; the login page follows. */
export function useLogout(): () => void {
  const logout = useAction(async () => {
    overlay.set(translate('app.loading'));
    try {
      await api.auth.logout({ body: {} });
      session.logOut();
    } finally {
      overlay.set(undefined);
    }
  });
  return logout.run;
}
