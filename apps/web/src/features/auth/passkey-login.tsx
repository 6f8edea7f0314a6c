import { Button } from '@fixpoint/ui/button.tsx';
import { IconPasskey } from '@fixpoint/ui/topic-icons.tsx';
import { Cancelled } from '@fixpoint/web-client/faults.ts';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { authenticateWithPasskey, canUsePasskeys, passkeyOwnerId } from '../../server/passkey.ts';
import { showError, snacks } from '../../shop/snack.ts';
import { useText } from '../../shop/texts.ts';
import { beginSession } from './log-in.ts';

/** Logs in with a passkey, if the browser can: both factors at once, no email address to type. */
export function PasskeyLogin({ onLoggedIn }: { onLoggedIn: () => void }) {
  const t = useText();
  const [busy, setBusy] = useState(false);
  if (!canUsePasskeys()) return null;

  async function logIn() {
    setBusy(true);
    try {
      const answer = await authenticateWithPasskey(await api.account.passkeyLoginOptions({ body: {} }));
      const { data } = await api.account.passkeyLogin({ body: { ...answer, refreshIn: 'cookie' } });
      beginSession(data, { id: passkeyOwnerId(answer) });
      onLoggedIn();
    } catch (error) {
      if (error instanceof Cancelled) snacks.show({ type: 'info', text: t('login.passkey.failed') });
      else showError(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button icon={<IconPasskey />} busy={busy} onClick={() => void logIn()}>
      {t('login.passkey')}
    </Button>
  );
}
