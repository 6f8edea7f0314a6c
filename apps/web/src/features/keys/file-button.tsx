import { Button } from '@fixpoint/ui/button.tsx';
import { IconDownload } from '@fixpoint/ui/topic-icons.tsx';
import { deviceName, type SubscriptionKey } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { useFile } from './use-file.ts';

/** Button that downloads a new file, for places that do not name the device. */
export function FileButton(props: { subscriptionId: string; of: SubscriptionKey; smallPackets: boolean }) {
  const t = useText();
  const { subscriptionId, of: key, smallPackets } = props;
  const file = useFile(subscriptionId, key, { smallPackets });
  const name = deviceName(key);
  return (
    <Button size="s" icon={<IconDownload />} busy={file.busy} onClick={() => file.run()}>
      {t(smallPackets ? 'why.smallFile' : 'why.file', { name })}
    </Button>
  );
}
