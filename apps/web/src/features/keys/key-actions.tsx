import { saveFile } from '../../lib/save-file.ts';
import { api } from '../../server/api.ts';
import { snacks } from '../../shop/snack.ts';
import { refreshSubscription, type SubscriptionKey } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { useAction } from '../../shop/use-action.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Cluster } from '../../ui/layout.tsx';
import { IconDownload, IconTrash } from '../../ui/topic-icons.tsx';

/** Download a file for the key, or ask to delete it. */
export function KeyActions(props: { subscriptionId: string; of: SubscriptionKey; onDelete: () => void }) {
  const t = useText();
  const { subscriptionId, of: key, onDelete } = props;
  const download = useAction(async () => {
    const { fileName, profile } = await api.subscription.downloadKey({
      body: { subscriptionId, keyId: key.id },
    });
    saveFile(fileName, profile, 'application/x-openvpn-profile');
    snacks.show({ type: 'success', text: t('keys.downloaded', { file: fileName }) });
    await refreshSubscription(subscriptionId);
  });

  return (
    <Cluster together>
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
        onClick={onDelete}
      />
    </Cluster>
  );
}
