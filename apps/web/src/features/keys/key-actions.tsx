import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { saveFile } from '../../lib/save-file.ts';
import { snacks } from '../../lib/snack.ts';
import { refreshSubscription, type SubscriptionKey } from '../../lib/subscriptions.ts';
import { useText } from '../../lib/texts.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { IconDownload, IconTrash } from '../../ui/icons.tsx';
import { Cluster } from '../../ui/layout.tsx';

/** Download a file for the key, or delete it; deleting names the key and what stops working (U37). */
export function KeyActions({ subscriptionId, of: key }: { subscriptionId: string; of: SubscriptionKey }) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const body = { subscriptionId, keyId: key.id };
  const refresh = () => refreshSubscription(subscriptionId);

  const download = useMutation({
    mutationFn: () => api.subscription.downloadKey({ body }),
    onSuccess: ({ fileName, profile }) => {
      saveFile(fileName, profile, 'application/x-openvpn-profile');
      snacks.show({ type: 'success', text: t('keys.downloaded', { file: fileName }) });
      return refresh();
    },
  });
  const remove = useMutation({
    mutationFn: () => api.subscription.deleteKey({ body }),
    onSuccess: () => {
      setAsking(false);
      return refresh();
    },
  });

  return (
    <Cluster>
      <Button
        size="s"
        icon={<IconDownload />}
        aria-label={t('keys.download.label', { name: key.name })}
        busy={download.isPending}
        onClick={() => download.mutate()}
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
        onConfirm={() => remove.mutate()}
        title={t('keys.delete.title', { name: key.name })}
        confirmLabel={t('keys.delete.confirm', { name: key.name })}
        cancelLabel={t('keys.delete.keep')}
        closeLabel={t('app.close')}
        busy={remove.isPending}
        danger
      >
        {t('keys.delete.text', { name: key.name })}
      </ConfirmDialog>
    </Cluster>
  );
}
