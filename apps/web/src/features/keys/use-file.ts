import { saveFile } from '@fixpoint/ui/lib/save-file.ts';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { snacks } from '../../shop/snack.ts';
import { refreshSubscription, type SubscriptionKey } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/**
 * Takes a new file for a key home to this device; `saved` is its name then.
 * @param options.smallPackets for a network that loses large ones
 */
export function useFile(
  subscriptionId: string,
  key: SubscriptionKey,
  { smallPackets = false }: { smallPackets?: boolean } = {},
) {
  const t = useText();
  const [saved, setSaved] = useState<string>();
  const action = useAction(async () => {
    const { fileName, profile } = await api.subscription.downloadKey({
      body: { subscriptionId, keyId: key.id, smallPackets },
    });
    saveFile(fileName, profile, 'application/x-openvpn-profile');
    setSaved(fileName);
    snacks.show({ type: 'success', text: t('keys.downloaded', { file: fileName }) });
    await refreshSubscription(subscriptionId);
  });
  return { ...action, saved };
}
