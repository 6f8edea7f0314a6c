import { saveFile } from '@fixpoint/ui/lib/save-file.ts';
import { withPurpose } from '@fixpoint/web-client/step-up.ts';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { snacks } from '../../shop/snack.ts';
import { deviceName, refreshSubscription, type SubscriptionKey } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/**
 * Downloads a new file for a key; `saved` is its name afterwards.
 * @param options.smallPackets for networks that drop large packets
 * @param options.blockWhenEnded absent: as chosen for this device before
 */
export function useFile(
  subscriptionId: string,
  key: SubscriptionKey,
  { smallPackets = false, blockWhenEnded }: { smallPackets?: boolean; blockWhenEnded?: boolean } = {},
) {
  const t = useText();
  const [saved, setSaved] = useState<string>();
  const action = useAction(async () => {
    const body = {
      subscriptionId,
      keyId: key.id,
      smallPackets,
      ...(blockWhenEnded !== undefined && { blockWhenEnded }),
    };
    const { fileName, profile } = await withPurpose(t('stepUp.file', { name: deviceName(key) }), () =>
      api.subscription.downloadKey({ body }),
    );
    saveFile(fileName, profile, 'application/x-openvpn-profile');
    setSaved(fileName);
    snacks.show({ type: 'success', text: t('keys.downloaded', { file: fileName }) });
    await refreshSubscription(subscriptionId);
  });
  return { ...action, saved };
}
