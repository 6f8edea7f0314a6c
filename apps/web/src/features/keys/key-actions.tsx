import { Button, IconButton } from '@fixpoint/ui/button.tsx';
import { Cluster } from '@fixpoint/ui/layout.tsx';
import { IconDownload, IconTrash } from '@fixpoint/ui/topic-icons.tsx';
import { deviceName, type SubscriptionKey } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { useFile } from './use-file.ts';

/** Actions of a device: download its file and open the set-up, for its user; delete its key. */
export function KeyActions(props: {
  subscriptionId: string;
  of: SubscriptionKey;
  onSetUp: () => void;
  onDelete: () => void;
}) {
  const t = useText();
  const { subscriptionId, of: key, onSetUp, onDelete } = props;
  const file = useFile(subscriptionId, key);
  const name = deviceName(key);
  return (
    <Cluster>
      {!key.user && (
        <>
          <Button
            size="s"
            icon={<IconDownload />}
            aria-label={t('keys.download.label', { name })}
            busy={file.busy}
            onClick={() => file.run()}
          >
            {t('keys.download')}
          </Button>
          <Button size="s" aria-label={t('devices.setUp.label', { name })} onClick={onSetUp}>
            {t('devices.setUp')}
          </Button>
        </>
      )}
      <IconButton size="s" label={t('keys.delete.label', { name })} icon={<IconTrash />} onClick={onDelete} />
    </Cluster>
  );
}
