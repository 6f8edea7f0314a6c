import type { Notification } from '@fixpoint/contract/live.ts';
import { useEffect } from 'react';
import { session } from '../../server/api.ts';
import { openLive } from '../../server/live.ts';
import { queryClient } from '../../server/query.ts';
import { useLoggedIn } from '../../server/shop-state.ts';
import { snacks } from '../../shop/snack.ts';
import { refreshSubscription } from '../../shop/subscriptions.ts';
import { errorText, type TextKey, translate } from '../../shop/texts.ts';

/** Keeps the account's screens in step with what happens elsewhere (W34). Draws nothing. */
export function AccountLive() {
  const loggedIn = useLoggedIn();
  useEffect(() => {
    if (!loggedIn) return;
    const live = openLive(session.token.get, {
      NOTIFICATION: showNotification,
      SUBSCRIPTION: event => void refreshSubscription(event.id),
      disconnect: reason => {
        // Cut off from outside: the session may be over. Asking who is logged in finds out and leads to the login.
        if (reason !== 'io client disconnect') void queryClient.invalidateQueries({ queryKey: ['profile'] });
      },
    });
    return live.close;
  }, [loggedIn]);
  return null;
}

function showNotification({ message, status, code }: Notification) {
  const text = status === 'error' ? errorText(code) : translate(`notification.${message}` satisfies TextKey);
  snacks.show({ type: status, code, text });
}
