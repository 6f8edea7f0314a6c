import type { Notification } from '@fixpoint/contract/live.ts';
import { useEffect } from 'react';
import { session } from '../../server/api.ts';
import { openLive } from '../../server/live.ts';
import { queryClient } from '../../server/query.ts';
import { useLoggedIn } from '../../server/shop-state.ts';
import { snacks } from '../../shop/snack.ts';
import { onSubscriptionEvent, refreshSubscription } from '../../shop/subscriptions.ts';
import { errorText, type TextKey, translate } from '../../shop/texts.ts';

/** A page younger than this has no data that is older than its first connection, ms. */
const LOADED_MS = 3_000;

/** Keeps the account's screens up to date by live events. Renders nothing. */
export function AccountLive() {
  const loggedIn = useLoggedIn();
  useEffect(() => {
    if (!loggedIn) return;
    let again = performance.now() > LOADED_MS;
    const live = openLive(session.token.get, {
      NOTIFICATION: showNotification,
      SUBSCRIPTION: event => onSubscriptionEvent(event.id),
      connect: () => {
        // Events during the disconnection are not repeated.
        if (again) void refreshSubscription();
        again = true;
      },
      disconnect: reason => {
        // Disconnected by the server: the session may be over. Loading the profile finds out, and
        // leads to the login.
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
