import { useState } from 'react';
import { saveFile } from '../../lib/save-file.ts';
import { api } from '../../server/api.ts';
import { snacks } from '../../shop/snack.ts';
import { refreshSubscription, type SubscriptionKey } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { useAction } from '../../shop/use-action.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Cluster } from '../../ui/layout.tsx';
import { IconDownload, IconTrash } from '../../ui/topic-icons.tsx';

/** Download a file for the key, or delete it; deleting names the key and what stops working (U37). */
export function KeyActions({ subscriptionId, of: key }: { subscriptionId: string; of: SubscriptionKey }) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const body = { subscriptionId, keyId: key.id };
  const refresh = () => refreshSubscription(subscriptionId);

  const download = useAction(async () => {
    const { fileName, profile } = await api.subscription.downloadKey({ body });
    saveFile(fileName, profile, 'application/x-openvpn-profile');
    snacks.show({ type: 'success', text: t('keys.downloaded', { file: fileName }) });
    await refresh();
  });
  const remove = useAction(async () => {
    await api.subscription.deleteKey({ body });
    setAsking(false);
    await refresh();
  });

  return (
    <Cluster>
      <Button
        size="s"
        icon={<IconDownload />}
        aria-label={t('keys.download.label', { name: key.name })}
        busy={download.busy}
        onClick={() => download.run()}
      >
        {t('keys.download')}
      </Button>
      <IconButton
        size="s"
        label={t('keys.delete.label', { name: key.name })}
        icon={<IconTrash />}
        onClick={() => setAsking(true)}
      />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.run()}
        title={t('keys.delete.title', { name: key.name })}
        confirmLabel={t('keys.delete.confirm', { name: key.name })}
        cancelLabel={t('keys.delete.keep')}
        closeLabel={t('app.close')}
        busy={remove.busy}
        danger
      >
        {t('keys.delete.text', { name: key.name })}
      </ConfirmDialog>
    </Cluster>
  );
}
